import { hostname } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { localCalls } from '@unikorn/core/calls';
import { Caches, whenAborted } from '@unikorn/core/controller';
import { createServer, IdempotencyRecord, type Pressure } from '@unikorn/core/http';
import { trafficLimits, type TrafficLimits } from '@unikorn/core/limits';
import { runParts, withParts, type Part, type PartName } from '@unikorn/core/parts';
import { Saga } from '@unikorn/core/saga';
import type { SealedField } from '@unikorn/core/sealing';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import { ComputeInstance, computeKinds, createCompute, type ComputeConfiguration } from '@unikorn/compute';
import {
  createIdentity,
  identityKinds,
  platformAccountId,
  type Identity,
  type IdentityConfiguration,
} from '@unikorn/identity';
import {
  createRegion,
  kubernetesRegions,
  openstackRegions,
  regionKinds,
  type ProviderFactories,
  type RegionConfiguration,
  type Secrets,
} from '@unikorn/region';
import { regionClient } from '@unikorn/region/client';
import { Server } from '@unikorn/region/kinds';
import { openstackKinds, openstackSecrets } from '@unikorn/region/providers/openstack';
import {
  catalogueFor,
  simulatedKinds,
  SimulatedObject,
  simulatedOperator,
  simulatedProvider,
} from '@unikorn/region/providers/simulated';

import { version } from '../version.ts';

export const controlPlaneKinds = [
  ...new Set([...identityKinds, ...regionKinds, ...openstackKinds, ...simulatedKinds, ...computeKinds]),
];

/**
 * Where user data is stored, which may contain passwords: in instances and servers, in sagas, in stored responses of
 * repeated requests, and in a simulated cloud. Also the passwords and keys of identities in OpenStack.
 */
export const sealedFields: readonly SealedField[] = [
  { kind: ComputeInstance, path: ['spec', 'userData'] },
  { kind: Server, path: ['spec', 'userData'] },
  { kind: Saga, path: ['spec', 'input', 'before', 'spec', 'userData'] },
  { kind: Saga, path: ['spec', 'input', 'after', 'spec', 'userData'] },
  { kind: IdempotencyRecord, path: ['status', 'remembered', 'body'], holding: '"userData"' },
  { kind: SimulatedObject, path: ['spec', 'body'], holding: '"userData"' },
  ...openstackSecrets,
];

/** The kinds that a migration can encrypt. The input of a saga never changes, and it is removed when the saga ends. */
export const migratedFields: readonly SealedField[] = sealedFields.filter(({ kind }) => kind !== Saga);

export interface ControlPlaneOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The public address, such as `https://cloud.example.com`. */
  readonly publicUrl: string;
  readonly encryptionKey: Uint8Array;
  /** The mail address of the administrator, who has all permissions. */
  readonly administrator: string;
  /** Other subjects with platform-wide roles: mail addresses or ids of service accounts, with the names of roles. */
  readonly globalRoles?: readonly { readonly subject: string; readonly roles: readonly string[] }[];
  /** The credentials of regions. */
  readonly secrets: Secrets;
  /** Reverse proxies in front of the server, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** The request limits of each caller; those of the table of limits by default. */
  readonly traffic?: Partial<TrafficLimits>;
  readonly pressure?: Pressure;
  /** How long a client may leave a part of a response unread. */
  readonly stall_ms?: number;
  readonly identity?: Pick<
    IdentityConfiguration,
    'clients' | 'providers' | 'serviceAccountTokenLifetime_ms' | 'historyRetention_ms' | 'objectLimits'
  >;
  readonly region?: RegionConfiguration;
  readonly compute?: ComputeConfiguration;
  /** Selects the parts that this process runs; all by default. */
  readonly parts?: (name: PartName) => boolean;
}

export interface ControlPlane {
  readonly server: FastifyInstance;
  readonly identity: Identity;
  /** The parts that this process runs. */
  readonly parts: readonly Part[];
  /**
   * Runs every part until the signal aborts. Then it closes the server, and stops each part after the parts that need
   * it.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The API reference as an application that users log in to. */
const referenceClient = 'reference';

/** `unikorn login`, which waits for the browser on its own port. */
const commandLineClient = 'cli';

const services = ['identity', 'region', 'compute'] as const;

/** All services, or the selected parts of them, in one process on one port. */
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
    providers: reachable({ store, world, telemetry, secrets }),
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

/** Completes the requests in progress before the APIs stop, because they may still start sagas. */
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

/** The types of regions that this executable supports. */
function reachable({
  store,
  world,
  telemetry,
  secrets,
}: Pick<ControlPlaneOptions, 'store' | 'world' | 'telemetry' | 'secrets'>): ProviderFactories {
  return {
    simulated: ({ metadata, spec }) => ({
      tier: 'cloud',
      provider: simulatedProvider({ store, world, regionId: metadata.name }, catalogueFor(spec.simulated)),
    }),
    kubernetes: kubernetesRegions({ secrets, world }),
    openstack: openstackRegions({ store, world, telemetry, secrets }),
  };
}
