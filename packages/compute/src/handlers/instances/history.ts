import { knowsOrganization } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import { allowsOn, route, type Request, type Route } from '@unikorn/core/http';
import type { Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { InstancePath } from '../../api/common.ts';
import { defaultHistoryLimit, HistoryQuery, HistoryRead } from '../../api/history.ts';
import type { History } from '../../history/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';

/** What happened to an instance, also when it is gone: the history itself says whose it was. */
export function historyRoute(history: History): Route {
  return route({
    tags: ['Instances'],
    security: 'bearer',
    method: 'GET',
    path: '/api/v2/instances/{instanceID}/history',
    operationId: 'getInstanceHistory',
    summary: 'Read what happened to an instance, the latest last, also when it is gone',
    params: InstancePath,
    query: HistoryQuery,
    responses: { 200: HistoryRead },
    handler: async (request) => {
      const {
        params: { instanceID },
        query: { limit = defaultHistoryLimit, continue: before },
        runtime: { store },
        url,
      } = request;
      const instance = await store.get(ComputeInstance, instanceID);
      // A stranger's question is no reason to write anything, which reading a history may be.
      if (instance) demandReading(request, instanceID, [instance.metadata]);
      const { owners, entries, isPart } = await history.read(instanceID, {
        limit,
        ...defined({ before }),
      });
      demandReading(request, instanceID, [...(instance ? [instance.metadata] : []), ...owners]);
      const [first] = entries;
      return { status: 200, body: entries, ...(isPart && first ? { headers: earlierPage(url, first.time) } : {}) };
    },
  });
}

/** In the order of the contract: what is of an organization that the caller has no part in does not exist for them. */
function demandReading({ acl }: Pick<Request, 'acl'>, id: string, owners: readonly Metadata[]): void {
  const known = owners.filter(({ labels: carried }) => knowsOrganization(acl, carried?.[labels.organization] ?? ''));
  if (known.length === 0) throw new Problem('not_found', `compute instance ${id} does not exist`);
  if (!known.every((metadata) => allowsOn(acl, endpoints.instances, 'read', metadata)))
    throw new Problem('forbidden', 'your roles do not allow read on this resource');
}

/** Where those are that happened before the first of a page. */
function earlierPage(url: string, time: string): Readonly<Record<string, string>> {
  const [path = '', query = ''] = url.split('?', 2);
  const next = new URLSearchParams(query);
  next.set('continue', time);
  return { continue: time, link: `<${path}?${next.toString()}>; rel="next"` };
}
