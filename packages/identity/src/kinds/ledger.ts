import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

const Amount = Type.Object({ committed: Type.Integer(), reserved: Type.Integer() });

/**
 * A change whose allocation is being written. What it adds is part of the totals already, what it gives back not yet.
 */
const PendingChange = Type.Object({
  token: Type.String(),
  type: Type.Union([Type.Literal('charge'), Type.Literal('release')]),
  allocationId: Type.String(),
  projectId: Type.String(),
  /** By kind, what it changes about the totals. */
  delta: Type.Record(Type.String(), Amount),
  /** The process that makes it. */
  holder: Type.String(),
  /** Milliseconds since the epoch. */
  since: Type.Integer(),
});

/**
 * The books of an organization, under its own id: what it may use, and what its allocations use together. Every change
 * of an allocation goes through here first, so that compare-and-swap on this one object keeps racing changes within
 * limits.
 */
export const QuotaLedger = defineKind({
  ...groupVersion,
  kind: 'QuotaLedger',
  plural: 'quotaledgers',
  realisation: 'static',
  /** Limits that were set; the others are those of the catalogue. */
  spec: Type.Object({ limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) }),
  status: {
    totals: Type.Optional(Type.Record(Type.String(), Amount)),
    pending: Type.Optional(Type.Array(PendingChange)),
  },
});

export type QuotaLedger = Resource<typeof QuotaLedger>;
export type PendingChange = NonNullable<NonNullable<QuotaLedger['status']>['pending']>[number];
