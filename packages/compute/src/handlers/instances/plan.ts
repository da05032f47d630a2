import type { Static } from 'typebox';

import { isProblem, type Problem } from '@unikorn/core/errors';
import type { History, HistoryEvent } from '@unikorn/core/history';
import { itemRoute, type Item, type Request, type Route } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { placementOf, principalOf } from '@unikorn/identity/client';

import { InstancePath } from '../../api/common.ts';
import { InstanceUpdate } from '../../api/instances.ts';
import { PlanRead, type RefusedPlan } from '../../api/plan.ts';
import type { ComputeContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import type { ResolveServer } from '../../link/index.ts';
import {
  isConditional,
  objectionTo,
  planUpdate,
  type Blocker,
  type UpdateLimits,
  type Plan,
} from '../../plan/index.ts';
import { keptSpec, storedSpec, type UpdateBody } from './spec.ts';
import { prepareUpdate, type PreparedUpdate } from './update.ts';

export type Planning = Pick<ComputeContext, 'identityClient' | 'regionClient'> & { readonly resolve: ResolveServer };

/** Returns the plan of an update, with every reason for which it would be refused. */
export function planRoute(
  context: Planning & { readonly history: History },
  item: Item<typeof ComputeInstance>,
): Route {
  return itemRoute({
    tags: ['Instances'],
    security: 'bearer',
    method: 'POST',
    path: '/api/v2/instances/{instanceID}/plan',
    operationId: 'planInstanceUpdate',
    summary: 'Plan an update: what it would do, without doing it',
    params: InstancePath,
    body: InstanceUpdate,
    responses: { 200: PlanRead },
    item,
    verb: 'update',
    // The handler records the plan with its changes. The plan is not a request to change anything.
    records: false,
    handler: async (request, instance) => {
      const plan = await planOf(context, request, instance, request.body);
      recordPlan(context.history, request, instance, plan);
      return { status: 200, body: plan };
    },
  });
}

interface Asked extends Pick<Request, 'traceId'> {
  readonly query: UpdateLimits;
}

interface Refused {
  readonly status: 409;
  readonly body: DeepReadonly<Static<typeof RefusedPlan>>;
}

/**
 * The refusal of an update that exceeds its allowed disruption; undefined if it is accepted. Without a limit, every
 * disruption is allowed.
 */
export async function demandPlan(
  context: Planning,
  { query, traceId }: Asked,
  instance: ComputeInstance,
  body: UpdateBody,
  prepared: PreparedUpdate,
): Promise<Refused | undefined> {
  if (!isConditional(query)) return undefined;
  const plan = await planWith(context, instance, body, { prepared });
  const objection = objectionTo(plan, query);
  return objection === undefined
    ? undefined
    : { status: 409, body: { error: 'conflict', error_description: objection, trace_id: traceId, plan } };
}

async function planOf(
  context: Planning,
  request: Pick<Request, 'caller'>,
  instance: ComputeInstance,
  body: UpdateBody,
): Promise<Plan> {
  try {
    return await planWith(context, instance, body, { prepared: await prepareUpdate(context, request, instance, body) });
  } catch (error) {
    if (!isProblem(error) || error.status >= 500) throw error;
    return planWith(context, instance, body, { refusal: error });
  }
}

type Checked = { readonly prepared: PreparedUpdate } | { readonly refusal: Problem };

async function planWith(
  { identityClient, resolve }: Planning,
  instance: ComputeInstance,
  { metadata: { description, tags }, spec }: UpdateBody,
  checked: Checked,
): Promise<Plan> {
  const { metadata } = instance;
  const [resolution, free] = await Promise.all([
    resolve(instance),
    identityClient.free(principalOf(metadata), placementOf(metadata).organizationId),
  ]);
  const asked = { ...keptSpec(instance.spec), ...storedSpec({ metadata: tags ? { tags } : {}, spec }) };
  return planUpdate({
    instance,
    wanted: { spec: 'prepared' in checked ? checked.prepared.spec : asked, description },
    resolution,
    price: 'prepared' in checked ? checked.prepared.price : undefined,
    free,
    blockers: [
      ...goingBlocker(instance),
      ...('refusal' in checked ? [{ reason: checked.refusal.code, message: checked.refusal.message }] : []),
    ],
  });
}

function goingBlocker({ metadata }: ComputeInstance): readonly Blocker[] {
  return metadata.deletionTimestamp === undefined
    ? []
    : [{ reason: 'invalid_request', message: `instance ${metadata.name} is being deleted` }];
}

function recordPlan(
  history: History,
  { caller, traceId }: Pick<Request, 'caller' | 'traceId'>,
  instance: ComputeInstance,
  { action, changes, blockers }: Plan,
): void {
  const event: HistoryEvent = {
    type: 'plan',
    action: 'plan',
    actor: caller.principal.actor ?? caller.subject,
    outcome: action,
    traceId,
    changes: changes.map((change) => ({ field: change.field, action: change.action })),
    ...(blockers.length > 0 ? { message: blockers.map(({ message }) => message).join('; ') } : {}),
  };
  history.record(instance.metadata.name, event, instance);
}
