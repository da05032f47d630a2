import { isDeepStrictEqual } from 'node:util';

import type { Static, TObject, TSchema } from 'typebox';

import type { Operation as Verb } from '../access/index.ts';
import { isProblem, Problem } from '../errors/index.ts';
import { kindWords, type DeepReadonly, type Kind, type Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { etagOf, namesEtag, tagOf } from './etag.ts';
import { demandVerb, loadItem, missing, type Item } from './item-access.ts';
import type { Answer, Asking, Reply, Request, Runtime } from './request.ts';
import type { Operation, ReplyOf, Responses, Route } from './route.ts';
import { watchItem } from './watch.ts';

type Common = Omit<Operation, 'method'>;

export interface ReadItemDeclaration<K extends Kind, P extends TObject, Wire extends TSchema> extends Omit<
  Common,
  'idempotency'
> {
  readonly params: P;
  readonly response: Wire;
  readonly item: Item<K>;
  /** Must not wait, unless the item has a version of its own. */
  present(object: Resource<K>, runtime: Runtime): DeepReadonly<Static<Wire>> | Promise<DeepReadonly<Static<Wire>>>;
}

interface AnyReadItem extends Omit<Common, 'idempotency'> {
  readonly params: TObject;
  readonly response: TSchema;
  readonly item: Item;
  present(object: Resource, runtime: Runtime): unknown;
}

/**
 * Reads one object with its ETag, or answers 304 if the client has the current version. With `Accept:
 * text/event-stream` it answers with a stream, unless more is shown than the object stores: a stream would not notice
 * its changes.
 */
export function readItemRoute<K extends Kind, P extends TObject, Wire extends TSchema>(
  declaration: ReadItemDeclaration<K, P, Wire>,
): Route;
export function readItemRoute(declaration: AnyReadItem): Route {
  const { item, response } = declaration;
  const streams = item.versionOf === undefined;
  return {
    ...declaration,
    method: 'GET',
    responses: { 200: response },
    requestHeaders: ['If-None-Match', ...(streams ? ['Last-Event-ID'] : [])],
    streams,
    handler: async (request): Promise<Answer> => {
      const object = await loadItem(item, request, 'read');
      const present = (current: Resource) => declaration.present(current, request.runtime);
      if (streams && request.wantsEvents) return { events: watchItem({ item, present }, request) };
      const etag = await itemTag(item, request, object);
      const held = request.headers['if-none-match'];
      if (held !== undefined && namesEtag(held, etag)) return { status: 304, headers: { etag } };
      return { status: 200, body: await present(object), headers: { etag } };
    },
  };
}

async function itemTag({ versionOf }: Item, { runtime: { store } }: Request, object: Resource): Promise<string> {
  return versionOf ? tagOf(await versionOf(object, store)) : etagOf(object);
}

/**
 * Refuses a request that names another version in If-Match.
 *
 * @example demandVersion(request, tagOf(versionOf(ledger)));
 */
export function demandVersion({ headers }: Pick<Request, 'headers'>, tag: string): void {
  const wanted = headers['if-match'];
  if (wanted !== undefined && !namesEtag(wanted, tag)) throw stale();
}

type Values<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export interface ItemDeclaration<
  K extends Kind,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends Responses,
  Status extends keyof R,
> extends Operation {
  readonly params: P;
  readonly query?: Q;
  readonly body?: B;
  readonly responses: R;
  readonly item: Item<K>;
  /** The right that the caller needs besides read. */
  readonly verb: Verb;
  /** The names of its actions in the list of actions, if it is listed. */
  readonly actions?: readonly string[];
  /**
   * Throws if the action is not possible now. It must not change anything, because the list of actions calls it too.
   */
  check?(object: Resource<K>, asking: Asking): Promise<void> | void;
  /** Writes with the version of the object that it got. The store then refuses the second of two concurrent writes. */
  handler(
    request: Request<Values<P>, Values<Q>, Values<B>>,
    object: Resource<K>,
  ): Promise<ReplyOf<R, Status>> | ReplyOf<R, Status>;
}

interface AnyItem extends Operation {
  readonly params: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly responses: Responses;
  readonly item: Item;
  readonly verb: Verb;
  readonly actions?: readonly string[];
  check?(object: Resource, asking: Asking): Promise<void> | void;
  handler(request: Request, object: Resource): Promise<Reply> | Reply;
}

/**
 * An operation on one object. The handler gets the object after all checks. A PUT on an object that is being deleted is
 * refused.
 *
 * @example
 * itemRoute({
 *  method: 'DELETE', path: '/api/v2/things/{thingID}', operationId: 'deleteThing', summary: 'Delete a thing', tags:
 * ['Things'],
 *   security: 'bearer', params: ThingPath, responses: { 202: null }, item: thingItem, verb: 'delete',
 *   handler: async ({ runtime }, object) => {
 *     await runtime.store.delete(Thing, object.metadata.name, { preconditions: { uid: object.metadata.uid } });
 *     return { status: 202 };
 *   },
 * });
 */
export function itemRoute<
  K extends Kind,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  const R extends Responses,
  Status extends keyof R & number,
>(declaration: ItemDeclaration<K, P, Q, B, R, Status>): Route;
export function itemRoute(declaration: AnyItem): Route {
  const { item, verb, method, actions } = declaration;
  const handle = async (request: Request, object: Resource): Promise<Reply> => {
    await declaration.check?.(object, request);
    return declaration.handler(request, object);
  };
  const admit = async (request: Request, object: Resource): Promise<void> => {
    demandVerb(item, request, verb, object);
    if (method === 'PUT') requireStaying(item, object);
    await declaration.check?.(object, request);
  };
  return {
    ...declaration,
    requestHeaders: ['If-Match'],
    ...(actions ? { acts: { names: actions, admit } } : {}),
    handler: async (request) => {
      const object = await loadItem(item, request, verb);
      // From here on, the version that was read protects the change: after a standstill, the store refuses it.
      request.assertTimely?.();
      if (method === 'PUT') requireStaying(item, object);
      if (request.headers['if-match'] === undefined)
        return persistently(declaration, request, object, (current) => handle(request, current));
      demandVersion(request, await itemTag(item, request, object));
      try {
        return await handle(request, object);
      } catch (error) {
        throw isProblem(error, 'conflict') ? await lostRace(item, request, object, error) : error;
      }
    },
  };
}

/**
 * Retries a change that only conflicts with an annotation of a controller, because no user changed the object in
 * between. Two deletions do not conflict: a client that got no answer may send its deletion again to another process
 * while the first one is still being made.
 */
async function persistently(
  { item, method }: Pick<AnyItem, 'item' | 'method'>,
  request: Request,
  loaded: Resource,
  handle: (object: Resource) => Promise<Reply> | Reply,
): Promise<Reply> {
  let object = loaded;
  for (let attempt = 1; ; attempt++) {
    try {
      return await handle(object);
    } catch (error) {
      if (!isProblem(error, 'conflict') || attempt >= internalLimits.itemAttempts) throw error;
      const now = await request.runtime.store.get(item.kind, object.metadata.name);
      if (method === 'DELETE' && now?.metadata.uid !== object.metadata.uid) throw missing(item, object.metadata.name);
      if (!now || !(isOnlyNoted(object, now) || (method === 'DELETE' && isNewlyDeleted(object, now)))) throw error;
      object = now;
    }
  }
}

function isNewlyDeleted({ metadata: before }: Resource, { metadata: after }: Resource): boolean {
  return before.deletionTimestamp === undefined && after.deletionTimestamp !== undefined;
}

/** Whether an object changed, but only in annotations of controllers. */
function isOnlyNoted({ metadata: before }: Resource, { metadata: after }: Resource): boolean {
  const decided = ({ uid, generation, deletionTimestamp, labels, annotations }: Resource['metadata']) => [
    uid,
    generation,
    deletionTimestamp,
    labels,
    annotations,
  ];
  return before.resourceVersion !== after.resourceVersion && isDeepStrictEqual(decided(before), decided(after));
}

/** Refuses changes of an object that is being deleted. */
function requireStaying({ kind, whileDeleted }: Item, { metadata }: Resource): void {
  if (metadata.deletionTimestamp !== undefined)
    throw new Problem(whileDeleted ?? 'invalid_request', `${kindWords(kind)} ${metadata.name} is being deleted`);
}

function stale(cause?: unknown): Problem {
  return new Problem('precondition_failed', 'the resource no longer has the version in If-Match; read it again', {
    cause,
  });
}

/** A conflict is a failed precondition if the object really changed in between. Otherwise it is the handler's own. */
async function lostRace(item: Item, request: Request, object: Resource, error: Problem): Promise<Problem> {
  const now = await request.runtime.store.get(item.kind, object.metadata.name);
  return now?.metadata.resourceVersion === object.metadata.resourceVersion ? error : stale(error);
}
