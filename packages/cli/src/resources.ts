import { ApiError, type Change, type OnInterruption, type Untyped } from '@unikorn/sdk';

import { fieldsOf, named, namedList, valueAt } from './documents.ts';
import { Failure } from './failure.ts';
import { waits } from './limits.ts';
import { scopes, type Named, type Noun, type Scope } from './nouns/noun.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** An object, and the version that its update is based on. */
export interface Versioned {
  readonly object: Named;
  readonly etag: string | undefined;
}

const scopeParameters = {
  organization: 'organizationID',
  project: 'projectID',
  region: 'regionID',
} as const satisfies Record<Scope, string>;

export interface Filter {
  /** Each such as `team=web`; the resource must have all of them. */
  readonly tag?: readonly string[] | undefined;
  /** Also the resources that lists usually omit. */
  readonly hidden?: boolean;
  /** A part of the name, or the beginning of the id, for nouns whose list is not short. */
  readonly search?: string | undefined;
  /** For lists that can be filtered by name. */
  readonly name?: string | undefined;
}

/** The resources in the scope of the session. */
export async function list(
  session: Session,
  noun: Noun,
  { tag = [], hidden = false, search, name }: Filter = {},
): Promise<readonly Named[]> {
  const query = {
    ...(await listScope(session, noun)),
    ...(tag.length > 0 ? { tag } : {}),
    ...(hidden ? noun.hiddenQuery : {}),
    ...(search === undefined ? {} : { search }),
    ...(name === undefined ? {} : { name: [name] }),
  };
  const { data } = await serviceOf(session, noun).send('GET', noun.path, {
    params: { path: await pathScope(session, noun.path), query },
  });
  const objects = namedList(data);
  for (const object of objects) remember(session, noun, object);
  return objects;
}

function remember({ known }: Session, noun: Noun, object: Named): void {
  known?.set(object.metadata.id.toLowerCase(), nameOf(noun, object));
}

/** The name that users see. */
export function nameOf(noun: Noun, object: Named): string {
  const named: unknown = noun.namePath === undefined ? undefined : valueAt(object, noun.namePath);
  return typeof named === 'string' ? named : object.metadata.name;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the format of an id. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/**
 * The text by which a later command finds this object: its name, unless another object has this name, or it looks like
 * an id.
 */
export function handleOf(noun: Noun, object: Named, others: readonly Named[] = []): string {
  const name = nameOf(noun, object);
  const isTaken = others.some((other) => other !== object && [nameOf(noun, other), other.metadata.id].includes(name));
  return isTaken || isId(name) ? object.metadata.id : name;
}

export async function read(session: Session, noun: Noun, id: string): Promise<Versioned> {
  if (!noun.verbs.includes('get')) {
    const object = (await list(session, noun)).find(({ metadata }) => metadata.id === id);
    if (!object) throw new Failure('notFound', `there is no ${noun.name} ${id}`);
    return { object, etag: undefined };
  }
  const { data, headers } = await serviceOf(session, noun).send('GET', onePath(noun, noun.path), {
    params: { path: await onePathScope(session, noun, noun.path, id) },
  });
  const object = named(data);
  remember(session, noun, object);
  return { object, etag: headers.get('etag') ?? undefined };
}

/** The explanation of a resource from its service. */
export async function explain(session: Session, noun: Noun, id: string): Promise<unknown> {
  const path = noun.writePath ?? noun.path;
  const { data } = await serviceOf(session, noun).send('GET', `${onePath(noun, path)}/explain`, {
    params: { path: await onePathScope(session, noun, path, id) },
  });
  return data;
}

export async function create(session: Session, noun: Noun, document: object): Promise<Named> {
  return (await createOnce(session, noun, document)).object;
}

/**
 * The result of a creation with an idempotency key: the service creates one resource per key, and returns it to every
 * request with this key.
 */
export interface Made {
  readonly object: Named;
  /** Whether it is the response to an earlier request. */
  readonly isRepetition: boolean;
}

export async function createOnce(session: Session, noun: Noun, document: object, key?: string): Promise<Made> {
  const path = noun.writePath ?? noun.path;
  const { data, headers } = await serviceOf(session, noun).send('POST', path, {
    params: { path: await pathScope(session, path) },
    body: document,
    ...(key === undefined ? {} : { key }),
  });
  return { object: named(data), isRepetition: headers.get('idempotency-replayed') === 'true' };
}

/**
 * Sends a whole object that replaces the given version. Some services return the new object, others nothing. A caller
 * who removes their own permissions cannot read the new object.
 */
export async function replace(
  session: Session,
  noun: Noun,
  { object, etag }: Versioned,
  document: object,
): Promise<Named> {
  const { id } = object.metadata;
  const { data } = await serviceOf(session, noun).send('PUT', onePath(noun, noun.path), {
    params: { path: await onePathScope(session, noun, noun.path, id) },
    headers: etag === undefined ? {} : { 'if-match': etag },
    body: document,
  });
  if (data !== undefined) return named(data);
  const sent = { ...object, ...document, metadata: { ...object.metadata, ...fieldsOf(valueAt(document, 'metadata')) } };
  return read(session, noun, id).then(
    ({ object: changed }) => changed,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return sent;
      throw error;
    },
  );
}

export async function remove(
  session: Session,
  noun: Noun,
  id: string,
  { ignoreProtection = false } = {},
): Promise<void> {
  const path = noun.writePath ?? noun.path;
  const query = ignoreProtection ? { query: { ignoreProtection } } : {};
  await serviceOf(session, noun).send('DELETE', onePath(noun, path), {
    params: { path: await onePathScope(session, noun, path, id), ...query },
  });
}

/** A refusal of an action, as the service would return it now. */
export interface Refusal {
  readonly reason: string;
  /** The object already is in the state that the action leads to, or will be soon. */
  readonly fulfilled: boolean;
}

/**
 * The reason why a service would refuse an action on an object now. Undefined if it would accept it, or cannot tell: an
 * older service has no list of actions, and the object may be deleted. Then the request itself shows the result.
 */
export async function refusalOf(
  session: Session,
  noun: Noun,
  id: string,
  action: string,
): Promise<Refusal | undefined> {
  const path = noun.writePath ?? noun.path;
  const { data } = await serviceOf(session, noun)
    .send('GET', `${onePath(noun, path)}/actions`, { params: { path: await onePathScope(session, noun, path, id) } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && [403, 404].includes(error.status)) return { data: [] };
      throw error;
    });
  const found: unknown = Array.isArray(data) ? data.find((each) => valueAt(each, 'action') === action) : undefined;
  const reason = valueAt(found, 'reason');
  return typeof reason === 'string' ? { reason, fulfilled: valueAt(found, 'fulfilled') === true } : undefined;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** For nouns without a stream. */
  readonly sleep: Terminal['sleep'];
  readonly onInterruption?: OnInterruption;
}

/** A watch of all objects, or of the one with this id. */
export async function* follow(
  session: Session,
  noun: Noun,
  id: string | undefined,
  options: FollowOptions,
): AsyncGenerator<Change<Named, Named>, never> {
  if (!noun.verbs.includes('watch')) return yield* polled(session, noun, id, options);
  const { signal, onInterruption } = options;
  const streaming = { signal, ...(onInterruption ? { onInterruption } : {}) };
  const service = serviceOf(session, noun);
  const changes =
    id === undefined
      ? service.follow(noun.path, {
          params: { path: await pathScope(session, noun.path), query: await listScope(session, noun) },
          ...streaming,
        })
      : service.follow(onePath(noun, noun.path), {
          params: { path: await onePathScope(session, noun, noun.path, id) },
          ...streaming,
        });
  return yield* remembering(changes);
}

/** A deletion event contains only the id. Users get the last known state of the object. */
async function* remembering(changes: AsyncIterable<Change<unknown>>): AsyncGenerator<Change<Named, Named>, never> {
  const known = new Map<string, Named>();
  for await (const change of changes) {
    if (!('object' in change)) yield change;
    else if (change.type === 'deleted') {
      const id = String(valueAt(change.object, 'metadata.id'));
      yield { type: 'deleted', object: known.get(id) ?? { metadata: { id, name: id } } };
    } else {
      const object = named(change.object);
      known.set(object.metadata.id, object);
      yield { type: change.type, object };
    }
  }
  throw new TypeError('the stream ended');
}

async function* polled(
  session: Session,
  noun: Noun,
  id: string | undefined,
  { signal, sleep }: FollowOptions,
): AsyncGenerator<Change<Named, Named>, never> {
  let known = new Map<string, Named>();
  for (let first = true; ; first = false) {
    const objects = (await list(session, noun)).filter(({ metadata }) => id === undefined || metadata.id === id);
    const seen = new Map(objects.map((object) => [object.metadata.id, object]));
    for (const [objectId, object] of known) if (!seen.has(objectId)) yield { type: 'deleted', object };
    for (const [objectId, object] of seen) {
      const before = known.get(objectId);
      if (!before) yield { type: 'added', object };
      else if (JSON.stringify(before) !== JSON.stringify(object)) yield { type: 'modified', object };
    }
    if (first) yield { type: 'synced' };
    if (id !== undefined && seen.size === 0)
      throw new ApiError({
        status: 404,
        code: 'not_found',
        message: `there is no ${noun.name} ${id}`,
        traceId: undefined,
        body: undefined,
        request: `GET ${noun.path}`,
      });
    known = seen;
    await sleep(waits.poll_ms, signal);
  }
}

/** The scopes of an object. */
export function placeOf(object: Named): Readonly<Partial<Record<Scope, string>>> {
  const { organizationId: organization, projectId: project } = object.metadata;
  const region = valueAt(object, 'status.regionId') ?? valueAt(object, 'spec.regionId');
  return {
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
    ...(typeof region === 'string' ? { region } : {}),
  };
}

/** A session in the scopes of an object: names in an update are looked up there. */
export function beside(session: Session, object: Named): Session {
  return about(session, placeOf(object));
}

/** The same for an update: what an organization, a project or a region names can also be in it. */
export function within(session: Session, noun: Noun, object: Named): Session {
  const scope = scopes.find((each) => each === noun.name);
  const there = beside(session, object);
  return scope === undefined ? there : about(there, { [scope]: object.metadata.id });
}

export function about(session: Session, ids: Readonly<Partial<Record<Scope, string>>>): Session {
  return {
    ...session,
    idOf: async (scope) => ids[scope] ?? session.idOf(scope),
    optionalIdOf: async (scope) => ids[scope] ?? session.optionalIdOf(scope),
  };
}

/** Without the organization and project of the command: lists then contain everything that the caller may see. */
export function everywhere(session: Session): Session {
  return { ...session, optionalIdOf: () => Promise.resolve(undefined) };
}

/** The scopes of a new object, from its document. */
export async function ownersOf(session: Session, noun: Noun): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    await Promise.all(owningScopes(noun).map(async (scope) => [`${scope}Id`, await session.idOf(scope)] as const)),
  );
}

export function owningScopes({ owner, scope, path }: Noun): readonly Scope[] {
  return owner ?? scope.filter((each) => !isInPath(path, each));
}

/** Whether a path contains an organization, project or region. */
export function isInPath(path: string, scope: Scope): boolean {
  return path.includes(`{${scopeParameters[scope]}}`);
}

async function listScope(session: Session, noun: Noun): Promise<Readonly<Record<string, unknown>>> {
  const asked = noun.scope.filter((scope) => !isInPath(noun.path, scope));
  const ids = await Promise.all(
    asked.map(async (scope) => [scopeParameters[scope], await session.optionalIdOf(scope)] as const),
  );
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined).map(([parameter, id]) => [parameter, [id]]));
}

async function pathScope(session: Session, path: string): Promise<Readonly<Record<string, string>>> {
  const needed = scopes.filter((scope) => isInPath(path, scope));
  return Object.fromEntries(
    await Promise.all(needed.map(async (scope) => [scopeParameters[scope], await session.idOf(scope)] as const)),
  );
}

function onePath(noun: Noun, path: string): string {
  return `${path}/{${noun.idParameter}}`;
}

async function onePathScope(
  session: Session,
  noun: Noun,
  path: string,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  return { ...(await pathScope(session, path)), [noun.idParameter]: id };
}

function serviceOf({ unikorn }: Session, { service }: Noun): Untyped {
  return unikorn[service].untyped;
}
