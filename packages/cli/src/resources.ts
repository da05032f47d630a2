import { ApiError, type Change, type Untyped } from '@unikorn/sdk';

import { closest } from './closest.ts';
import { named, namedList, valueAt } from './documents.ts';
import { Failure } from './failure.ts';
import { scopes, type Named, type Noun, type Scope } from './nouns/noun.ts';
import { project } from './nouns/project.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** An object as it was read, and the version that an update of it builds on. */
export interface Versioned {
  readonly object: Named;
  readonly etag: string | undefined;
}

const scopeParameters = { organization: 'organizationID', project: 'projectID', region: 'regionID' } as const satisfies Record<Scope, string>;

export interface Filter {
  /** Each such as `team=web`; all of them must be there. */
  readonly tag?: readonly string[] | undefined;
}

/** Those there are, as far as the session is about them. */
export async function list(session: Session, noun: Noun, { tag = [] }: Filter = {}): Promise<readonly Named[]> {
  const query = { ...(await listScope(session, noun)), ...(tag.length > 0 ? { tag } : {}) };
  const { data } = await serviceOf(session, noun).send('GET', noun.path, { params: { path: await pathScope(session, noun.path), query } });
  return namedList(data);
}

/** The one with this id or, failing that, the only one of this name. */
export async function find(session: Session, noun: Noun, nameOrId: string): Promise<Named> {
  if (noun.verbs.includes('get') && uuid.test(nameOrId)) {
    const found = await read(session, noun, nameOrId).catch(absent);
    if (found) return found.object;
  }
  const objects = await list(session, noun);
  const isThere = objects.some((object) => object.metadata.id === nameOrId || nameOf(noun, object) === nameOrId);
  return chosen(noun, objects, nameOrId, isThere ? [] : await projectsWith(session, noun, nameOrId));
}

/** Other projects that have something of this name: people forget to say which one they mean. */
async function projectsWith(session: Session, noun: Noun, name: string): Promise<readonly string[]> {
  if (!noun.scope.includes('project') || (await session.optionalIdOf('project')) === undefined) return [];
  const query = { ...(await listScope(session, noun)), [scopeParameters.project]: undefined };
  const { data } = await serviceOf(session, noun).send('GET', noun.path, { params: { path: await pathScope(session, noun.path), query } });
  const homes = new Set(namedList(data).filter((object) => nameOf(noun, object) === name).map(({ metadata }) => metadata.projectId));
  return homes.size === 0 ? [] : (await list(session, project)).filter(({ metadata }) => homes.has(metadata.id)).map(({ metadata }) => metadata.name);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function absent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}

/** Which of several somebody means; `elsewhere` are the projects that have one of this name. */
export function chosen(noun: Noun, objects: readonly Named[], nameOrId: string, elsewhere: readonly string[] = []): Named {
  const byId = objects.find(({ metadata }) => metadata.id === nameOrId);
  if (byId) return byId;
  const [first, ...others] = objects.filter((object) => nameOf(noun, object) === nameOrId);
  if (!first) throw unknown(noun, objects, nameOrId, elsewhere);
  if (others.length === 0) return first;
  const candidates = [first, ...others].map(({ metadata }) => `  ${metadata.id}${metadata.projectId === undefined ? '' : `  in project ${metadata.projectId}`}`);
  throw new Failure('refused', `several ${noun.plural} are called ${nameOrId}; say which by its id`, ...candidates);
}

function unknown(noun: Noun, objects: readonly Named[], nameOrId: string, [home, ...others]: readonly string[]): Failure {
  if (home !== undefined) return new Failure('notFound', `there is no ${noun.name} ${nameOrId} in this project`, `there is one in ${[home, ...others].join(', ')}: add --project ${home}`);
  const close = closest(nameOrId, objects.map((object) => nameOf(noun, object)));
  const hint = close.length > 0 ? `did you mean ${close.join(' or ')}?` : `unikorn ${noun.name} list shows those there are${noun.scope.includes('project') ? ', with --all-projects those of every project' : ''}`;
  return new Failure('notFound', `there is no ${noun.name} ${nameOrId}`, hint);
}

/** What people call it. */
export function nameOf(noun: Noun, object: Named): string {
  const named: unknown = noun.namePath === undefined ? undefined : valueAt(object, noun.namePath);
  return typeof named === 'string' ? named : object.metadata.name;
}

export async function read(session: Session, noun: Noun, id: string): Promise<Versioned> {
  if (!noun.verbs.includes('get')) {
    const object = (await list(session, noun)).find(({ metadata }) => metadata.id === id);
    if (!object) throw new Failure('notFound', `there is no ${noun.name} ${id}`);
    return { object, etag: undefined };
  }
  const { data, headers } = await serviceOf(session, noun).send('GET', onePath(noun, noun.path), { params: { path: await onePathScope(session, noun, noun.path, id) } });
  return { object: named(data), etag: headers.get('etag') ?? undefined };
}

export async function create(session: Session, noun: Noun, document: object): Promise<Named> {
  const path = noun.writePath ?? noun.path;
  const { data } = await serviceOf(session, noun).send('POST', path, { params: { path: await pathScope(session, path) }, body: document });
  return named(data);
}

/** Sends a whole object in place of the version it was made from. Some services answer with what became of it, others with nothing. */
export async function replace(session: Session, noun: Noun, { object, etag }: Versioned, document: object): Promise<Named> {
  const { id } = object.metadata;
  const { data } = await serviceOf(session, noun).send('PUT', onePath(noun, noun.path), {
    params: { path: await onePathScope(session, noun, noun.path, id) },
    headers: etag === undefined ? {} : { 'if-match': etag },
    body: document,
  });
  return data === undefined ? (await read(session, noun, id)).object : named(data);
}

export async function remove(session: Session, noun: Noun, id: string): Promise<void> {
  const path = noun.writePath ?? noun.path;
  await serviceOf(session, noun).send('DELETE', onePath(noun, path), { params: { path: await onePathScope(session, noun, path, id) } });
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** For nouns that the service does not stream. */
  readonly sleep: Terminal['sleep'];
}

/** All of them as they change, or the one with this id. */
export async function* follow(session: Session, noun: Noun, id: string | undefined, options: FollowOptions): AsyncGenerator<Change<Named, Named>, never> {
  if (!noun.verbs.includes('watch')) return yield* polled(session, noun, id, options);
  const { signal } = options;
  const service = serviceOf(session, noun);
  const changes =
    id === undefined
      ? service.follow(noun.path, { params: { path: await pathScope(session, noun.path), query: await listScope(session, noun) }, signal })
      : service.follow(onePath(noun, noun.path), { params: { path: await onePathScope(session, noun, noun.path, id) }, signal });
  return yield* remembering(changes);
}

/** A service says no more of what is gone than its id; to people it is what it last was. */
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

const pollPeriod_ms = 1000;

async function* polled(session: Session, noun: Noun, id: string | undefined, { signal, sleep }: FollowOptions): AsyncGenerator<Change<Named, Named>, never> {
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
    if (id !== undefined && seen.size === 0) throw new ApiError({ status: 404, code: 'not_found', message: `there is no ${noun.name} ${id}`, traceId: undefined, body: undefined, request: `GET ${noun.path}` });
    known = seen;
    await sleep(pollPeriod_ms, signal);
  }
}

/** What an object belongs to. */
export function placeOf(object: Named): Readonly<Partial<Record<Scope, string>>> {
  const { organizationId: organization, projectId: project } = object.metadata;
  const region = valueAt(object, 'status.regionId') ?? valueAt(object, 'spec.regionId');
  return { ...(organization === undefined ? {} : { organization }), ...(project === undefined ? {} : { project }), ...(typeof region === 'string' ? { region } : {}) };
}

/** The same session about what an object belongs to: names in a change of it mean things beside it. */
export function beside(session: Session, object: Named): Session {
  return about(session, placeOf(object));
}

export function about(session: Session, ids: Readonly<Partial<Record<Scope, string>>>): Session {
  return {
    ...session,
    idOf: async (scope) => ids[scope] ?? session.idOf(scope),
    optionalIdOf: async (scope) => ids[scope] ?? session.optionalIdOf(scope),
  };
}

/** What a new one belongs to, as the document says it. */
export async function ownersOf(session: Session, noun: Noun): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await Promise.all(owningScopes(noun).map(async (scope) => [`${scope}Id`, await session.idOf(scope)] as const)));
}

export function owningScopes({ owner, scope, path }: Noun): readonly Scope[] {
  return owner ?? scope.filter((each) => !isInPath(path, each));
}

/** Whether a path says which organization, project or region it is about. */
export function isInPath(path: string, scope: Scope): boolean {
  return path.includes(`{${scopeParameters[scope]}}`);
}

async function listScope(session: Session, noun: Noun): Promise<Readonly<Record<string, unknown>>> {
  const asked = noun.scope.filter((scope) => !isInPath(noun.path, scope));
  const ids = await Promise.all(asked.map(async (scope) => [scopeParameters[scope], await session.optionalIdOf(scope)] as const));
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined).map(([parameter, id]) => [parameter, [id]]));
}

async function pathScope(session: Session, path: string): Promise<Readonly<Record<string, string>>> {
  const needed = scopes.filter((scope) => isInPath(path, scope));
  return Object.fromEntries(await Promise.all(needed.map(async (scope) => [scopeParameters[scope], await session.idOf(scope)] as const)));
}

function onePath(noun: Noun, path: string): string {
  return `${path}/{${noun.idParameter}}`;
}

async function onePathScope(session: Session, noun: Noun, path: string, id: string): Promise<Readonly<Record<string, string>>> {
  return { ...(await pathScope(session, path)), [noun.idParameter]: id };
}

function serviceOf({ unikorn }: Session, { service }: Noun): Untyped {
  return unikorn[service].untyped;
}
