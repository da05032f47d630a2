import { Type, type TObject } from 'typebox';

import { knowsOrganization } from '../access/index.ts';
import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import { allowsOn, type Answer, type Request, type Route } from '../http/index.ts';
import { kindWords, type Metadata, type Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import type { History } from './history.ts';
import { HistoryEntry } from './kinds.ts';
import { nextPage } from './pages.ts';
import { historyEvents } from './history-stream.ts';

const { historyPage: pages, historyTokenLength } = internalLimits;

export const HistoryQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pages.most,
      description: `maximum number of the latest entries, ${pages.usual} by default`,
    }),
  ),
  continue: Type.Optional(
    Type.String({
      maxLength: historyTokenLength,
      description: 'value of the header Continue of a page; returns the entries before it',
    }),
  ),
});

/**
 * The response of a history route; `name` is the name of its schemas in the API document.
 *
 * @example export const ResourceHistoryRead = historySchema('resourceHistory');
 */
export function historySchema(name: string) {
  return Type.Array(Type.Object(HistoryEntry.properties, { $id: `${name}Entry` }), { $id: `${name}Read` });
}

export interface HistoryRouteDeclaration {
  readonly history: History;
  /** The path of the object. */
  readonly path: `/${string}`;
  readonly params: TObject;
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly hidden?: boolean;
  readonly response: ReturnType<typeof historySchema>;
  /** Finds the object; by default it is in the store. */
  readonly find?: (request: Request) => Promise<Resource | undefined>;
}

/**
 * Reads the history of an object, also after the object was deleted. Access is decided by the labels of the object and
 * of its history.
 *
 * @example historyRoute({ history, path: '/api/v2/networks/{networkID}', params: NetworkPath, operationId: 'getNetworkHistory', … })
 */
export function historyRoute(declaration: HistoryRouteDeclaration): Route {
  const { history, path, params, response, find, ...operation } = declaration;
  const { subject } = history;
  return {
    ...operation,
    security: 'bearer',
    method: 'GET',
    path: `${path}/history`,
    params,
    query: HistoryQuery,
    responses: { 200: response },
    requestHeaders: ['Last-Event-ID'],
    streams: true,
    handler: async (request: Request): Promise<Answer> => {
      const { params: variables, query, runtime, url } = request;
      const id = variables[subject.param] ?? '';
      const limit = typeof query['limit'] === 'number' ? query['limit'] : pages.usual;
      const before = typeof query['continue'] === 'string' ? query['continue'] : undefined;
      const object = find ? await find(request) : await runtime.store.get(subject.kind, id);
      // Reading a history may write its beginning; a caller without rights must not cause that.
      const isStored = subject.isStored !== false;
      const owner = object?.metadata ?? (isStored ? undefined : await history.owner(id));
      if (owner || !isStored) demandReading(request, history, id, owner ? [owner] : []);
      const { owners, entries, isPart } = await history.read(id, { limit, ...defined({ before }) }, object);
      demandReading(request, history, id, [...(object ? [object.metadata] : []), ...owners]);
      if (request.wantsEvents) return { events: historyEvents(history, request, id, limit) };
      const [first] = entries;
      return { status: 200, body: entries, ...(isPart && first ? { headers: nextPage(url, first.time) } : {}) };
    },
  };
}

/**
 * In the order of the contract: if the caller has no role in the organization of the object, the response is that it
 * does not exist.
 */
function demandReading({ acl, params }: Request, { subject }: History, id: string, owners: readonly Metadata[]): void {
  const places = Object.entries({ organizationID: labels.organization, ...subject.places });
  const known = owners.filter(
    ({ labels: carried = {} }) =>
      knowsOrganization(acl, carried[labels.organization] ?? '') &&
      places.every(([param, label]) => (params[param] ?? carried[label]) === carried[label]),
  );
  if (known.length === 0) throw new Problem('not_found', `${kindWords(subject.kind)} ${id} does not exist`);
  if (!known.every((metadata) => allowsOn(acl, subject.endpoint, 'read', metadata)))
    throw new Problem('forbidden', 'your roles do not allow read on this resource');
}
