import { explainItemRoute, type Item, type Route } from '@unikorn/core/http';

import { InstancePath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { explain, gather, type GatherDeps } from '../../explain/index.ts';
import type { ComputeInstance } from '../../kinds/index.ts';

/** Explains the state of an instance. */
export function explainRoute(deps: GatherDeps, item: Item<typeof ComputeInstance>): Route {
  return explainItemRoute({
    tags: ['Instances'],
    security: 'bearer',
    path: '/api/v2/instances/{instanceID}/explain',
    operationId: 'explainInstance',
    summary: 'Explain the state of an instance, and what to do',
    params: InstancePath,
    response: ExplanationRead,
    item,
    explain: async ({ acl }, instance) => explain(await gather(deps, instance, acl)),
  });
}
