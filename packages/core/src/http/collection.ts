import { Type, type Static, type TArray, type TObject, type TSchema } from 'typebox';

import { Problem } from '../errors/index.ts';
import type { DeepReadonly, Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { paceOf } from '../pace.ts';
import { pagesOf, readPage } from './page.ts';
import { presentedFrom } from './presented.ts';
import type { Answer, Request, StreamedReply } from './request.ts';
import type { Operation, Route } from './route.ts';
import { knownBy, searched, SearchFilter, type Known } from './search.ts';
import { elementText, jsonArray } from './streamed.ts';
import { responseCheck } from './validation.ts';
import type { View } from './view.ts';
import { watchCollection } from './watch.ts';

const common = {
  search: SearchFilter,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.pageItems,
      description:
        'maximum number of items; if there are more, the response header Continue has the token of the next page',
    }),
  ),
  continue: Type.Optional(
    Type.String({ maxLength: 4096, description: 'value of the header Continue of the previous page' }),
  ),
};

export interface CollectionDeclaration<
  K extends Kind,
  P extends TObject,
  Q extends TObject,
  Wire extends TSchema,
> extends Omit<Operation, 'method' | 'idempotency'> {
  readonly params?: P;
  readonly query?: Q;
  readonly response: TArray<Wire>;
  readonly kind: K;
  /** The objects that this caller may see; checked again during a watch. */
  view(request: Request<DeepReadonly<Static<P>>, DeepReadonly<Static<Q>>>): View<K>;
  /** What a search compares; the id and the label of the name by default. */
  known?(object: Resource<K>): Known;
  /** Must depend on the object alone, because the result is cached until the object changes. */
  present(object: Resource<K>): DeepReadonly<Static<Wire>>;
}

interface AnyCollection extends Omit<Operation, 'method' | 'idempotency'> {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly response: TArray;
  readonly kind: Kind;
  view(request: Request): View;
  known?(object: Resource): Known;
  present(object: Resource): unknown;
}

/**
 * A list: a plain array of all objects that the caller may see; with `limit` a page of it; and with `Accept:
 * text/event-stream` a stream of changes. All three have only the objects that `search` finds.
 *
 * @example
 * collectionRoute({
 *   path: '/api/v2/things', operationId: 'listThings', summary: 'List things', tags: ['Things'], security: 'bearer',
 *   query: ThingQuery, response: Type.Array(ThingRead), kind: Thing,
 *   view: ({ acl, query }) => scopedView(acl, 'things', { organizationIds: query.organizationID }),
 *   present: presentThing,
 * });
 */
export function collectionRoute<K extends Kind, P extends TObject, Q extends TObject, Wire extends TSchema>(
  declaration: CollectionDeclaration<K, P, Q, Wire>,
): Route;
export function collectionRoute(collection: AnyCollection): Route {
  const violation = responseCheck(collection.response.items);
  const elementOf = (object: Resource, request: Request): string =>
    elementText(request, collection.present(object), violation);
  const view = (request: Request): View => {
    const { search } = request.query;
    return searched(
      collection.view(request),
      typeof search === 'string' ? search : undefined,
      (object) => collection.known?.(object) ?? knownBy(object),
    );
  };
  return {
    ...collection,
    method: 'GET',
    query: Type.Object({ ...collection.query?.properties, ...common }),
    responses: { 200: collection.response },
    requestHeaders: ['Last-Event-ID'],
    streams: true,
    handler: (request) => answerCollection({ ...collection, view, elementOf }, request),
  };
}

interface Listed extends AnyCollection {
  /** The JSON text of one object in a response. */
  elementOf(object: Resource, request: Request): string;
}

async function answerCollection(collection: Listed, request: Request): Promise<Answer> {
  if (request.wantsEvents) return { events: watchCollection(collection, request) };
  const { limit, continue: from } = request.query;
  if (typeof limit === 'number')
    return pageReply(collection, request, limit, typeof from === 'string' ? from : undefined);
  if (from !== undefined)
    throw new Problem('invalid_request', 'query.continue: can only be used together with query.limit');
  return wholeReply(collection, request);
}

/** Presents objects for a response, and reuses the text of objects that have not changed. */
function presenter(collection: Listed, request: Request): (objects: readonly Resource[]) => readonly string[] {
  const presented = presentedFrom(request.runtime.store);
  return (objects) =>
    objects.map((object) =>
      presented.text(collection.operationId, object, () => collection.elementOf(object, request)),
    );
}

/** The view is computed before the response starts, so that a refusal can be sent as one. */
function wholeReply(collection: Listed, request: Request): StreamedReply {
  const view = collection.view(request);
  const textsOf = presenter(collection, request);
  const elements = async function* () {
    for await (const page of pagesOf(request.runtime, collection.kind, view)) yield textsOf(page.items);
  };
  return { status: 200, text: jsonArray(elements()) };
}

async function pageReply(
  collection: Listed,
  request: Request,
  limit: number,
  from: string | undefined,
): Promise<StreamedReply> {
  const page = await readPage(request.runtime, collection.kind, collection.view(request), limit, from);
  const textsOf = presenter(collection, request);
  const elements = async function* () {
    for (let start = 0; start < page.items.length; start += limits.listedItems) {
      if (start > 0) await paceOf(request.runtime.world).turn();
      yield textsOf(page.items.slice(start, start + limits.listedItems));
    }
  };
  return {
    status: 200,
    text: jsonArray(elements()),
    ...(page.continue === undefined ? {} : { headers: nextPage(request.url, page.continue) }),
  };
}

function nextPage(url: string, token: string): Readonly<Record<string, string>> {
  const [path = '', query = ''] = url.split('?', 2);
  const next = new URLSearchParams(query);
  next.set('continue', token);
  return { continue: token, link: `<${path}?${next.toString()}>; rel="next"` };
}
