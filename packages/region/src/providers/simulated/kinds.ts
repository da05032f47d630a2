import { hash } from 'node:crypto';

import { defineKind } from '@unikorn/core/kinds';
import { Type } from 'typebox';

const groupVersion = { group: 'simulated.region.unikorn-cloud.org', version: 'v1alpha1' } as const;

export const collectionLabel = 'simulated.region.unikorn-cloud.org/collection';
export const poolLabel = 'simulated.region.unikorn-cloud.org/pool';
export const ownerLabel = 'simulated.region.unikorn-cloud.org/owner';

/** One thing in the simulated cloud. What a sort of thing remembers is its own business, hence text. */
export const SimulatedObject = defineKind({
  ...groupVersion,
  kind: 'SimulatedObject',
  plural: 'simulatedobjects',
  realisation: 'static',
  spec: Type.Object({
    id: Type.String(),
    body: Type.String(),
    /** Milliseconds since the epoch, once its deletion was asked for: from then on nobody sees it. */
    goneAt: Type.Optional(Type.Integer()),
  }),
  status: {},
  indexedLabels: [collectionLabel],
  immutable: ['/spec/id'],
});

/**
 * One share of something scarce: an address, a VLAN, a place on a host. Its name follows from what it is, so nobody
 * else can have it too.
 */
export const SimulatedClaim = defineKind({
  ...groupVersion,
  kind: 'SimulatedClaim',
  plural: 'simulatedclaims',
  realisation: 'static',
  spec: Type.Object({ pool: Type.String(), owner: Type.String(), share: Type.Integer() }),
  status: {},
  indexedLabels: [ownerLabel, poolLabel],
  immutable: ['/spec/pool', '/spec/owner', '/spec/share'],
});

/** The kinds that a store needs for a simulated cloud. */
export const simulatedKinds = [SimulatedObject, SimulatedClaim] as const;

/** The name that anything in the cloud has, by what it is. */
export function nameOf(...path: readonly string[]): string {
  return `s${hash('sha1', path.join('/'), 'hex')}`;
}
