import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Type } from 'typebox';

import {
  allowsProject,
  authorOf,
  serviceCaller,
  tokenCaller,
  type Acl,
  type Authenticator,
  type Caller,
} from '../access/index.ts';
import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import { defineKind, type Resource } from '../kinds/index.ts';
import { labels, newMetadata, projectScopedReadMetadata } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { openEventStream, silentTelemetry, virtualWorld, type EventStream } from '../testing/index.ts';
import type { VirtualWorld } from '../world/index.ts';
import {
  collectionRoute,
  createServer,
  IdempotencyRecord,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  scopedView,
  type AuditRecord,
  type Item,
  type RawRoute,
  type Route,
  type ServerOptions,
} from './index.ts';

export const Thing = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Thing',
  plural: 'things',
  realisation: 'static',
  spec: Type.Object({ colour: Type.String() }),
  status: {},
  indexedLabels: [labels.project, labels.organization],
});
type Thing = Resource<typeof Thing>;

export const ThingWrite = Type.Object({
  metadata: Type.Object({
    name: Type.String({ pattern: '^[a-z-]{1,20}$' }),
    organizationId: Type.Optional(Type.String()),
  }),
  spec: Type.Object({
    colour: Type.Union([Type.Literal('red'), Type.Literal('blue')]),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    password: Type.Optional(Type.String()),
  }),
});
const Metadata = Type.Object(
  { id: Type.String(), name: Type.String(), organizationId: Type.String(), projectId: Type.String() },
  { $id: 'thingMetadata' },
);
const Colour = Type.Union([Type.Literal('red'), Type.Literal('blue'), Type.Literal('private')]);
export const ThingRead = Type.Object(
  { metadata: Metadata, spec: Type.Object({ colour: Colour }) },
  { $id: 'thingRead' },
);
const path = Type.Object({ thingID: Type.String({ format: 'uuid' }) });
const common = { tags: ['Things'], security: 'bearer' } as const;

function colourOf({ spec }: Thing): 'red' | 'blue' | 'private' {
  if (spec.colour === 'poison') throw new Error('a thing that cannot be presented');
  return spec.colour === 'red' || spec.colour === 'private' ? spec.colour : 'blue';
}

/** How often a thing was presented. */
export const presented = { count: 0 };

export function presentThing(object: Thing) {
  presented.count++;
  return { metadata: projectScopedReadMetadata(Thing, object), spec: { colour: colourOf(object) } };
}

export const thingItem: Item<typeof Thing> = {
  kind: Thing,
  param: 'thingID',
  access: {
    order: 'load first',
    allows: (verb, { metadata }, { acl }) =>
      allowsProject(
        acl,
        'test:things',
        verb,
        metadata.labels?.[labels.organization] ?? '',
        metadata.labels?.[labels.project] ?? '',
      ),
  },
};

/** Lists never show things of the colour `private`. */
export const thingRoutes: readonly Route[] = [
  collectionRoute({
    ...common,
    path: '/api/v2/things',
    operationId: 'listThings',
    summary: 'List things',
    query: Type.Object({
      organizationID: Type.Optional(Type.Array(Type.String())),
      colour: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
      deep: Type.Optional(Type.Boolean()),
    }),
    response: Type.Array(ThingRead),
    kind: Thing,
    view: ({ acl, query }) => {
      const view = scopedView(acl, 'test:things', { organizationIds: query.organizationID });
      const isShown = ({ spec: { colour } }: Thing) => {
        if (colour === 'undecidable') throw new Error('a thing whose visibility cannot be decided');
        return colour !== 'private';
      };
      return { selector: view.selector, visible: (object) => view.visible(object) && isShown(object) };
    },
    present: presentThing,
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/v2/things',
    operationId: 'createThing',
    summary: 'Create a thing',
    body: ThingWrite,
    idempotency: 'replay',
    responses: { 201: ThingRead },
    handler: async (request) => {
      const { body, runtime, caller, acl } = request;
      const organizationId = body.metadata.organizationId ?? 'o1';
      if (!allowsProject(acl, 'test:things', 'create', organizationId, 'p1'))
        throw new Problem('forbidden', 'your roles do not allow create on test:things here');
      const made = await madeBefore(request, Thing);
      if (made) return { status: 201, body: presentThing(made) };
      const metadata = newMetadata(
        objectIdFor(request),
        body.metadata,
        { organizationId, projectId: 'p1' },
        authorOf(caller),
      );
      return {
        status: 201,
        body: presentThing(await runtime.store.create(Thing, { metadata, spec: { colour: body.spec.colour } })),
      };
    },
  }),
  readItemRoute({
    ...common,
    path: '/api/v2/things/{thingID}',
    operationId: 'getThing',
    summary: 'Read a thing',
    params: path,
    response: ThingRead,
    item: thingItem,
    present: presentThing,
  }),
  itemRoute({
    ...common,
    method: 'PUT',
    path: '/api/v2/things/{thingID}',
    operationId: 'updateThing',
    summary: 'Change a thing',
    params: path,
    body: ThingWrite,
    responses: { 202: ThingRead },
    item: thingItem,
    verb: 'update',
    handler: async ({ body, runtime: { store } }, object) => ({
      status: 202,
      body: presentThing(await store.update(Thing, { metadata: object.metadata, spec: { colour: body.spec.colour } })),
    }),
  }),
  itemRoute({
    ...common,
    method: 'DELETE',
    path: '/api/v2/things/{thingID}',
    operationId: 'deleteThing',
    summary: 'Delete a thing',
    params: path,
    responses: { 202: null },
    item: thingItem,
    verb: 'delete',
    handler: async ({ runtime: { store } }, { metadata }) => {
      await store.delete(Thing, metadata.name, {
        preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      });
      return { status: 202 };
    },
  }),
  itemRoute({
    ...common,
    method: 'POST',
    path: '/api/v2/things/{thingID}/start',
    operationId: 'startThing',
    summary: 'Start a thing',
    params: path,
    responses: { 202: null },
    item: thingItem,
    verb: 'update',
    handler: () => ({ status: 202 }),
  }),
];

const everything: Acl = { global: [{ name: 'test:things', operations: ['create', 'read', 'update', 'delete'] }] };
const member: Acl = {
  organizations: [
    { id: 'o1', endpoints: [{ name: 'test:things', operations: ['create', 'read', 'update', 'delete'] }] },
  ],
};
const reader: Acl = { organizations: [{ id: 'o1', endpoints: [{ name: 'test:things', operations: ['read'] }] }] };

/** The tests use words as tokens. The grants of a token can be changed and withdrawn. */
export class TestAuthenticator implements Authenticator {
  readonly grants = new Map<string, { readonly acl: Acl; readonly expiresAt?: number }>([
    ['admin', { acl: everything }],
    ['member', { acl: member }],
    ['reader', { acl: reader }],
    ['bystander', { acl: { organizations: [{ id: 'o1' }] } }],
    ['stranger', { acl: {} }],
  ]);

  authenticate(
    credentials: Parameters<Authenticator['authenticate']>[0],
    scope: Parameters<Authenticator['authenticate']>[1],
  ): Promise<Caller> {
    if (credentials.type === 'certificate') return Promise.resolve(serviceCaller(credentials));
    const grant = this.grants.get(credentials.token);
    if (!grant) return Promise.reject(new Problem('access_denied', 'the token is not valid or has expired'));
    const { expiresAt } = grant;
    return Promise.resolve(
      tokenCaller(
        {
          subject: `${credentials.token}@example.com`,
          accountType: 'user',
          organizationIds: ['o1'],
          ...defined({ expiresAt }),
        },
        scope,
      ),
    );
  }

  access(caller: Caller): Promise<Acl> {
    return Promise.resolve(this.grants.get(caller.subject.split('@')[0] ?? '')?.acl ?? everything);
  }
}

export interface Bench {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly world: VirtualWorld;
  readonly telemetry: Telemetry;
  readonly authenticator: TestAuthenticator;
  readonly audited: AuditRecord[];
  call(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    options?: CallOptions,
  ): Promise<LightMyRequestResponse>;
  makeThing(name: string, options?: { readonly organizationId?: string; readonly colour?: string }): Promise<Thing>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface CallOptions {
  /** The caller's token; `member` when absent, none when null. */
  readonly as?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface BenchOptions extends Partial<Omit<ServerOptions, 'services' | 'world'>> {
  readonly world?: VirtualWorld;
  readonly routes?: readonly Route[];
  readonly base?: `/${string}`;
  readonly url?: string;
  readonly rawRoutes?: readonly RawRoute[];
  readonly history?: number;
}

/** A server with a real store in a world whose clock does not move by itself. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const world = options.world ?? virtualWorld();
  const telemetry = options.telemetry ?? silentTelemetry();
  const store =
    options.store ??
    openMemoryStore({
      world,
      kinds: [Thing, IdempotencyRecord],
      ...(options.history === undefined ? {} : { history: { changes: options.history } }),
    });
  const authenticator = new TestAuthenticator();
  const audited: AuditRecord[] = [];
  const {
    routes = thingRoutes,
    rawRoutes = [],
    base,
    url,
    cors,
    limits,
    traffic,
    pressure,
    standstill,
    certificates,
    contract = 'enforced',
  } = options;
  const app = await createServer({
    world,
    store,
    telemetry,
    contract,
    onAudit: (record) => audited.push(record),
    ...(cors ? { cors } : {}),
    ...(limits ? { limits } : {}),
    ...(traffic ? { traffic } : {}),
    ...(pressure ? { pressure } : {}),
    ...(standstill ? { standstill } : {}),
    ...(certificates ? { certificates } : {}),
    services: [
      {
        name: 'things',
        version: '1.2.3',
        routes,
        rawRoutes,
        authenticator,
        authorizationServer: 'https://identity.example.com',
        ...defined({ base, url }),
      },
    ],
  });
  return {
    app,
    store,
    world,
    telemetry,
    authenticator,
    audited,
    call: (method, url, { as = 'member', headers = {}, body } = {}) =>
      app.inject({
        method,
        url,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    makeThing: (name, { organizationId = 'o1', colour = 'red' } = {}) =>
      store.create(Thing, {
        metadata: newMetadata(name, { name }, { organizationId, projectId: 'p1' }, { subject: 'test' }),
        spec: { colour },
      }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await store.close();
    },
  };
}

export function thingId(number: number): string {
  return `a0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export const validThing = { metadata: { name: 'a-thing' }, spec: { colour: 'red' } };

/** Opens a stream as `member`, unless the headers say otherwise. */
export function openStream(
  { app }: Bench,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  return openEventStream(app, url, { authorization: 'Bearer member', ...headers });
}
