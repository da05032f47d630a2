import { Type } from 'typebox';

import { defineKind, type Resource, type SpecOf } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { preciseTimestamp } from '../world/index.ts';

/** The Lease kind of Kubernetes, so that Kubernetes tools can read it on every storage engine. */
export const Lease = defineKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  realisation: 'static',
  spec: Type.Object({
    holderIdentity: Type.Optional(Type.String()),
    leaseDurationSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
    acquireTime: Type.Optional(Type.String()),
    renewTime: Type.Optional(Type.String()),
    leaseTransitions: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  status: {},
});

type LeaseSpec = SpecOf<typeof Lease>;

/** When this process last saw the lease change, by its own clock. Clocks of other machines are never trusted. */
export interface LeaseObservation {
  readonly holder: string | undefined;
  readonly renewal: string | undefined;
  readonly at_ms: number;
}

export function observe(
  previous: LeaseObservation | undefined,
  { holderIdentity: holder, renewTime: renewal }: LeaseSpec,
  now_ms: number,
): LeaseObservation {
  const moved = !previous || previous.holder !== holder || previous.renewal !== renewal;
  return moved ? { holder, renewal, at_ms: now_ms } : previous;
}

/**
 * Whether this process may take the lease: it is free or already ours, its holder is known to have ended, or it has not
 * changed for its whole duration.
 */
export function mayTake(
  { spec }: Resource<typeof Lease>,
  observation: LeaseObservation,
  by: { readonly processName: string; readonly sole: boolean; readonly now_ms: number },
): boolean {
  if (!spec.holderIdentity || spec.holderIdentity === by.processName || by.sole) return true;
  return by.now_ms - observation.at_ms >= duration_ms(spec);
}

/** How long the lease is valid after it was renewed. */
export function duration_ms({ leaseDurationSeconds }: LeaseSpec): number {
  return leaseDurationSeconds === undefined ? limits.lease_ms : leaseDurationSeconds * 1000;
}

/** The lease as its new holder writes it. */
export function taken(before: LeaseSpec | undefined, processName: string, now: number): LeaseSpec {
  const changed = before?.holderIdentity !== processName;
  return {
    holderIdentity: processName,
    leaseDurationSeconds: Math.ceil(limits.lease_ms / 1000),
    acquireTime: changed ? preciseTimestamp(now) : (before.acquireTime ?? preciseTimestamp(now)),
    renewTime: preciseTimestamp(now),
    leaseTransitions: (before?.leaseTransitions ?? 0) + (before && changed ? 1 : 0),
  };
}

/** A lease that any process can take at once. */
export function released({ leaseTransitions = 0 }: LeaseSpec, now: number): LeaseSpec {
  return { leaseDurationSeconds: 1, renewTime: preciseTimestamp(now), leaseTransitions };
}
