import { Type } from 'typebox';

import { ErrorBody } from '@unikorn/core/http';

import { limits } from '../limits.ts';
import { disruptions } from '../plan/index.ts';

const Disruption = Type.Unsafe<(typeof disruptions)[number]>({
  type: 'string',
  enum: [...disruptions],
  description: 'how much the update disrupts the instance, from none to recreate',
});

const Change = Type.Object(
  { field: Type.String(), from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()), action: Disruption },
  { $id: 'instancePlanChange' },
);
const QuotaEffect = Type.Object(
  { kind: Type.String(), delta: Type.Integer(), free: Type.Integer() },
  { $id: 'instancePlanQuota' },
);
const Blocker = Type.Object({ reason: Type.String(), message: Type.String() }, { $id: 'instancePlanBlocker' });

export const PlanRead = Type.Object(
  {
    action: Disruption,
    changes: Type.Array(Change),
    losses: Type.Array(Type.String(), { description: 'what is lost' }),
    warnings: Type.Array(Type.String(), { description: 'problems that may occur and cannot be predicted' }),
    quota: Type.Array(QuotaEffect),
    blockers: Type.Array(Blocker, { description: 'reasons why the update would be refused' }),
    token: Type.String({ description: 'token of the plan; an update can require it' }),
  },
  { $id: 'instancePlanRead' },
);

/** How disruptive an update may be. */
export const UpdateQuery = Type.Object({
  planToken: Type.Optional(
    Type.String({
      maxLength: limits.planTokenLength,
      description: 'token of a plan; the update is refused if it would do anything else than this plan',
    }),
  ),
  maxDisruption: Type.Optional(Disruption),
});

/** A refusal, and the plan that was refused. */
export const RefusedPlan = Type.Object(
  { ...ErrorBody.properties, plan: Type.Optional(PlanRead) },
  { $id: 'instancePlanRefused' },
);
