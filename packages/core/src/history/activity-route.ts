import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { IdFilter, scopedView, type Answer, type Request, type Route } from '../http/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import { ActivityEntry, readActivity, type ActivityView } from './activity.ts';
import { activityEvents } from './activity-stream.ts';
import type { HistoryStorage } from './kinds.ts';
import { nextPage } from './pages.ts';
import type { HistorySubject } from './subject.ts';

const { activityPage: pages, activityTokenLength } = internalLimits;

const ActivityQuery = Type.Object({
  organizationID: IdFilter,
  projectID: IdFilter,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pages.most,
      description: `maximum number of entries, ${pages.usual} by default; a page can be shorter although more pages follow`,
    }),
  ),
  continue: Type.Optional(
    Type.String({ maxLength: activityTokenLength, description: 'value of the header Continue of the previous page' }),
  ),
});

const ActivityRead = Type.Array(ActivityEntry, { $id: 'activityRead' });

const activityQuery = Compile(ActivityQuery);

/**
 * Lists or streams the requests of callers that changed resources of a service, also of deleted resources.
 *
 * @example activityRoute('/api/v2/activity', regionHistoryStorage, [networkSubject, serverSubject])
 */
export function activityRoute(path: `/${string}`, storage: HistoryStorage, subjects: readonly HistorySubject[]): Route {
  return {
    tags: ['Activity'],
    security: 'bearer',
    method: 'GET',
    path,
    operationId: 'listActivity',
    summary: 'List who did what to the resources that you may read, newest first, also to deleted resources',
    query: ActivityQuery,
    responses: { 200: ActivityRead },
    requestHeaders: ['Last-Event-ID'],
    streams: true,
    handler: async (request): Promise<Answer> => {
      const { organizationID, projectID, limit = pages.usual, continue: token } = queryOf(request);
      const scope = { organizationIds: organizationID, projectIds: projectID };
      const viewsFor = (acl: Request['acl']) => viewsOf(acl, subjects, scope);
      if (request.wantsEvents) return { events: activityEvents(storage, viewsFor, request, limit) };
      const { acl, runtime, url } = request;
      const page = await readActivity(runtime.store, storage, viewsFor(acl), limit, { token });
      return {
        status: 200,
        body: page.entries,
        ...defined({ headers: page.continue === undefined ? undefined : nextPage(url, page.continue) }),
      };
    },
  };
}

/** The server has checked the query. */
function queryOf({ query }: Request): Static<typeof ActivityQuery> {
  return activityQuery.Check(query) ? query : {};
}

/** Resources with the same access scope are read from the store together. */
function viewsOf(
  acl: Request['acl'],
  subjects: readonly HistorySubject[],
  scope: Parameters<typeof scopedView>[2],
): readonly ActivityView[] {
  const groups = new Map<
    string,
    { readonly subject: HistorySubject; readonly view: ReturnType<typeof scopedView> }[]
  >();
  for (const subject of subjects) {
    const view = scopedView(acl, subject.endpoint, scope);
    if (view.selector.some((one) => one.operator === 'in' && one.values.length === 0)) continue;
    const key = JSON.stringify(view.selector);
    groups.set(key, [...(groups.get(key) ?? []), { subject, view }]);
  }
  return [...groups.values()].map((group) => ({
    selector: group[0]?.view.selector ?? [],
    resourceOf: (part) => {
      // Earlier versions wrote histories of one kind only, and did not store the kind.
      const kind = part.metadata.labels?.[labels.resourceKind] ?? subjects[0]?.kind.id;
      const found = group.find(({ subject }) => subject.kind.id === kind);
      return found?.view.visible(part) ? found.subject.resource : undefined;
    },
  }));
}
