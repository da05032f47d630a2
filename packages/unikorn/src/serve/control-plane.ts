import { hostname } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { localCalls } from '@unikorn/core/calls';
import { Caches, whenAborted } from '@unikorn/core/controller';
import { createServer, IdempotencyRecord, type Pressure } from '@unikorn/core/http';
import { trafficLimits, type TrafficLimits } from '@unikorn/core/limits';
import type { Migration } from '@unikorn/core/migration';
import { runParts, withParts, type Part, type PartName } from '@unikorn/core/parts';
import { Saga } from '@unikorn/core/saga';
import type { SealedField } from '@unikorn/core/sealing';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import {
  ComputeInstance,
  computeKinds,
  computeMigrations,
  createCompute,
  type ComputeConfiguration,
} from '@unikorn/compute';
import {
  createIdentity,
  identityKinds,
  identityMigrations,
  platformAccountId,
  type Identity,
  type IdentityConfiguration,
} from '@unikorn/identity';
import {
  createRegion,
  kubernetesRegions,
  regionKinds,
  regionMigrations,
  type ProviderFactories,
  type RegionConfiguration,
  type Secrets,
} from '@unikorn/region';
import { regionClient, Server } from '@unikorn/region/client';
import {
  catalogueFor,
  simulatedKinds,
  SimulatedObject,
  simulatedOperator,
  simulatedProvider,
} from '@unikorn/region/providers/simulated';

import { version } from '../version.ts';

export const controlPlaneKinds = [...new Set([...identityKinds, ...regionKinds, ...simulatedKinds, ...computeKinds])];

/**
 * Where user data is stored, which may hold passwords: of instances and servers, in what sagas and repeated requests
 * remember, and in a simulated cloud.
 */
export const sealedFields: readonly SealedField[] = [
  { kind: ComputeInstance, path: ['spec', 'userData'] },
  { kind: Server, path: ['spec', 'userData'] },
  { kind: Saga, path: ['spec', 'input', 'before', 'spec', 'userData'] },
  { kind: Saga, path: ['spec', 'input', 'after', 'spec', 'userData'] },
  { kind: IdempotencyRecord, path: ['status', 'remembered', 'body'], holding: '"userData"' },
  { kind: SimulatedObject, path: ['spec', 'body'], holding: '"userData"' },
];

/** Those that a migration can seal. What a saga is given never changes, and it is gone when the saga is over. */
export const migratedFields: readonly SealedField[] = sealedFields.filter(({ kind }) => kind !== Saga);

/** Must run before the services start, so that they find the state in the form of this version. */
export function controlPlaneMigrations(): readonly Migration[] {
  return [...identityMigrations, ...regionMigrations, ...computeMigrations];
}

export interface ControlPlaneOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Where it is reached from outside, such as `https://cloud.example.com`. */
  readonly publicUrl: string;
  readonly encryptionKey: Uint8Array;
  /** Who may do everything, by their mail address. */
  readonly administrator: string;
  /** Who else has roles everywhere: mail addresses or ids of service accounts, with the names of roles. */
  readonly globalRoles?: readonly { readonly subject: string; readonly roles: readonly string[] }[];
  /** What regions are reached with. */
  readonly secrets: Secrets;
  /** Reverse proxies in front, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** How much each caller may ask; as in the table of limits unless told. */
  readonly traffic?: Partial<TrafficLimits>;
  readonly pressure?: Pressure;
  /** How long a client may leave a part of an answer unread. */
  readonly stall_ms?: number;
  readonly identity?: Pick<
    IdentityConfiguration,
    'clients' | 'providers' | 'serviceAccountTokenLifetime_ms' | 'historyRetention_ms' | 'objectLimits'
  >;
  readonly region?: RegionConfiguration;
  readonly compute?: ComputeConfiguration;
  /** Chooses the parts that this process runs; all unless given. */
  readonly parts?: (name: PartName) => boolean;
}

export interface ControlPlane {
  readonly server: FastifyInstance;
  readonly identity: Identity;
  /** The parts that this process runs. */
  readonly parts: readonly Part[];
  /** Runs every part until the signal aborts. Then closes the server, and stops each part after those that need it. */
  run(signal: AbortSignal): Promise<void>;
}

/** The reference pages, as an application that people log in to. */
const referenceClient = 'reference';

/** `unikorn login`, which waits for the browser to come back on a port of its own. */
const commandLineClient = 'cli';

const services = ['identity', 'region', 'compute'] as const;

/** Every service, or the chosen parts of them, in one process behind one port. */
export async function createControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { store, world, telemetry, publicUrl, encryptionKey, administrator, secrets } = options;
  const caches = new Caches({ store, world, telemetry });
  const context = { store, world, telemetry, caches, processName: `${hostname()}-${world.uuid()}` };
  const issuer = `${publicUrl}/identity`;
  const everything = ['platform-administrator'];
  const identity = createIdentity({
    ...context,
    version,
    issuer,
    encryptionKey,
    configuration: {
      ...options.identity,
      clients: [
        ...(options.identity?.clients ?? []),
        {
          id: referenceClient,
          name: 'API reference',
          redirectUris: services.map((service) => `${publicUrl}/${service}/docs/static/oauth2-redirect.html`),
        },
        { id: commandLineClient, name: 'Command line', redirectUris: ['http://127.0.0.1/callback'], native: true },
      ],
      globalBindings: {
        ...Object.fromEntries((options.globalRoles ?? []).map(({ subject, roles }) => [subject.toLowerCase(), roles])),
        [platformAccountId]: everything,
        [administrator]: everything,
      },
    },
  });
  const access = { version, authenticator: identity.authenticator, authorizationServer: issuer };
  const region = createRegion({
    ...context,
    ...access,
    url: `${publicUrl}/region`,
    identityClient: identity.client('unikorn-region'),
    providers: reachable({ store, world, secrets }),
    secrets,
    simulation: (regionId) => simulatedOperator({ store, world, regionId }),
    configuration: options.region ?? {},
  });
  const compute = createCompute({
    ...context,
    ...access,
    url: `${publicUrl}/compute`,
    identityClient: identity.client('unikorn-compute'),
    regionClient: regionClient(
      localCalls({
        service: region.service,
        commonName: 'unikorn-compute',
        instance: context.processName,
        store,
        world,
        telemetry,
      }),
    ),
    configuration: options.compute ?? {},
  });
  const chosen = [identity, region, compute].map(({ service, parts }) => ({
    service,
    parts: parts.filter(({ name }) => options.parts?.(name) ?? true),
  }));
  const server = await createServer({
    services: chosen.map(({ service, parts }) => ({ ...withParts(service, parts), referenceClient })),
    store,
    world,
    telemetry,
    trustedProxies: options.trustedProxies ?? [],
    traffic: { ...trafficLimits, ...options.traffic },
    ...(options.stall_ms === undefined ? {} : { limits: { stall_ms: options.stall_ms } }),
    ...(options.pressure ? { pressure: options.pressure } : {}),
  });
  const parts = chosen.flatMap((each) => each.parts);
  return {
    server,
    identity,
    parts,
    run: (signal) => runParts({ world, caches }, [...parts, listener(server)], signal),
  };
}

/** Answers the requests that are under way before the APIs stop: they may still begin sagas. */
function listener(server: FastifyInstance): Part {
  return {
    name: 'unikorn/listener',
    needs: services.map((service) => `${service}/api` as const),
    ready: true,
    run: async (signal) => {
      await whenAborted(signal);
      await server.close();
    },
  };
}

/** The sorts of regions that this executable can reach. */
function reachable({
  store,
  world,
  secrets,
}: Pick<ControlPlaneOptions, 'store' | 'world' | 'secrets'>): ProviderFactories {
  return {
    simulated: ({ metadata, spec }) => ({
      tier: 'cloud',
      provider: simulatedProvider({ store, world, regionId: metadata.name }, catalogueFor(spec.simulated)),
    }),
    kubernetes: kubernetesRegions({ secrets, world }),
  };
}
