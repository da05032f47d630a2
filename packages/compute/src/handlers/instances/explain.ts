import { itemRoute, type Item, type Route } from '@unikorn/core/http';

import { InstancePath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { explain, viewOf } from '../../explain/index.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import type { Claimants } from '../../link/index.ts';

/** Says why an instance is as it is. */
export function explainRoute(claimants: Claimants, item: Item<typeof ComputeInstance>): Route {
  return itemRoute({
    tags: ['Instances'],
    security: 'bearer',
    method: 'GET',
    path: '/api/v2/instances/{instanceID}/explain',
    operationId: 'explainInstance',
    summary: 'Say why an instance is as it is, and what would help',
    params: InstancePath,
    responses: { 200: ExplanationRead },
    item,
    verb: 'read',
    handler: async ({ acl, runtime: { store } }, instance) => ({
      status: 200,
      body: explain(await viewOf({ store, claimants }, instance, acl)),
    }),
  });
}
