import { hash } from 'node:crypto';

import { defineKind } from '@unikorn/core/kinds';
import { Type } from 'typebox';

const groupVersion = { group: 'simulated.region.unikorn-cloud.org', version: 'v1alpha1' } as const;

export const collectionLabel = 'simulated.region.unikorn-cloud.org/collection';
export const poolLabel = 'simulated.region.unikorn-cloud.org/pool';
export const ownerLabel = 'simulated.region.unikorn-cloud.org/owner';

/** One object in the simulated cloud. Each resource type has its own data, so it is stored as text. */
export const SimulatedObject = defineKind({
  ...groupVersion,
  kind: 'SimulatedObject',
  plural: 'simulatedobjects',
  realisation: 'static',
  spec: Type.Object({
    id: Type.String(),
    body: Type.String(),
    /** Milliseconds since the epoch, set when its deletion is requested. It is invisible from that time. */
    goneAt: Type.Optional(Type.Integer()),
  }),
  status: {},
  indexedLabels: [collectionLabel],
  immutable: ['/spec/id'],
});

/**
 * One share of a limited resource: an address, a VLAN, a place on a host. Its name is derived from the share, so that
 * it has only one owner.
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

/** The name of an object in the cloud, derived from its path. */
export function nameOf(...path: readonly string[]): string {
  return `s${hash('sha1', path.join('/'), 'hex')}`;
}
