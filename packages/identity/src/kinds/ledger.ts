import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

const Amount = Type.Object({ committed: Type.Integer(), reserved: Type.Integer() });

/**
 * A change whose allocation is being written. Amounts that it adds are already part of the totals; amounts that it
 * releases still are, too.
 */
const PendingChange = Type.Object({
  token: Type.String(),
  type: Type.Union([Type.Literal('charge'), Type.Literal('release')]),
  allocationId: Type.String(),
  projectId: Type.String(),
  /** The changes of the totals, by kind. */
  delta: Type.Record(Type.String(), Amount),
  /** The process that makes the change. */
  holder: Type.String(),
  /** Milliseconds since the epoch. */
  since: Type.Integer(),
});

/**
 * The quota ledger of an organization, with the id of the organization: its limits, and the totals of its allocations.
 * Every change of an allocation is first written here, so that compare-and-swap on this one object keeps concurrent
 * changes within the limits.
 */
export const QuotaLedger = defineKind({
  ...groupVersion,
  kind: 'QuotaLedger',
  plural: 'quotaledgers',
  realisation: 'static',
  /** Limits that were set; other kinds have the limits of the catalogue. */
  spec: Type.Object({ limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) }),
  status: {
    totals: Type.Optional(Type.Record(Type.String(), Amount)),
    pending: Type.Optional(Type.Array(PendingChange)),
  },
});

export type QuotaLedger = Resource<typeof QuotaLedger>;
export type PendingChange = NonNullable<NonNullable<QuotaLedger['status']>['pending']>[number];
