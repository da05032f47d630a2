import { hostname } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { whenAborted, Caches } from '@unikorn/core/controller';
import {
  createServer,
  IdempotencyRecord,
  type MetricsAccess,
  type Pressure,
  type ProbedService,
  type Standstill,
} from '@unikorn/core/http';
import { trafficLimits, type TrafficLimits } from '@unikorn/core/limits';
import { runParts, withParts, type Part, type PartName } from '@unikorn/core/parts';
import { Saga } from '@unikorn/core/saga';
import type { SealedField } from '@unikorn/core/sealing';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import { ComputeInstance, computeKinds, createCompute, type ComputeConfiguration } from '@unikorn/compute';
import { addConsole, consolePath, signedInPath, signedOutPath, type Preparation } from '@unikorn/console/server';
import {
  createIdentity,
  identityKinds,
  platformAccountId,
  type Identity,
  type IdentityConfiguration,
  type IdentityOptions,
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
import { Server } from '@unikorn/region/kinds';
import { openstackKinds, openstackSecrets } from '@unikorn/region/providers/openstack';
import {
  catalogueFor,
  simulatedKinds,
  SimulatedObject,
  simulatedOperator,
  simulatedProvider,
} from '@unikorn/region/providers/simulated';

import { partTable, serviceNames, serviceOf } from '../parts/table.ts';
import { version } from '../version.ts';
import { identityAccess, regionAccess, type Remote } from './access.ts';

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
  /** Keys that were used before. Data that was encrypted with them can still be read. */
  readonly earlierKeys?: readonly Uint8Array[];
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
  readonly standstill?: Standstill;
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
  /** Connections to services whose API runs in another process. */
  readonly remote?: Remote;
  /** Who may read the metrics at the port of the API. */
  readonly metrics?: MetricsAccess;
  /** The pages of the console, which the process with identity's API serves. */
  readonly console?: Pick<Preparation, 'progress'>;
}

export interface ControlPlane {
  readonly server: FastifyInstance;
  /** Undefined in a process that runs no part of identity. */
  readonly identity: Identity | undefined;
  /** The parts that this process runs. */
  readonly parts: readonly Part[];
  /** The services whose health a port for operators serves. */
  readonly probed: readonly ProbedService[];
  /**
   * Runs every part until the signal aborts. Then it closes the server and the given listeners, and stops each part
   * after the parts that need it.
   */
  run(signal: AbortSignal, listeners?: readonly Closing[]): Promise<void>;
}

/** A listener besides the server, which closes together with it. */
export interface Closing {
  close(): Promise<void>;
}

/** The API reference as an application that users log in to. */
const referenceClient = 'reference';

/** `unikorn login`, which waits for the browser on its own port. */
const commandLineClient = 'cli';

/** The web console. Its access tokens are renewed with the session of the browser, so it gets no refresh tokens. */
const consoleClient = 'console';

/** All services, or the selected parts of them, in one process on one port. */
export async function createControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { store, world, telemetry, publicUrl, secrets } = options;
  const caches = new Caches({ store, world, telemetry });
  const context = { store, world, telemetry, caches, processName: `${hostname()}-${world.uuid()}` };
  const issuer = `${publicUrl}/identity`;
  const isChosen = (name: PartName) => options.parts?.(name) ?? true;
  const runs = (service: string) => partTable.some(({ name }) => serviceOf(name) === service && isChosen(name));
  const identity = runs('identity') ? identityIn(context, options, issuer) : undefined;
  const access = identityAccess({
    ...context,
    local: isChosen('identity/api') ? identity : undefined,
    channel: options.remote?.identity,
  });
  const common = { version, authenticator: access.authenticator, authorizationServer: issuer };
  const region = runs('region')
    ? createRegion({
        ...context,
        ...common,
        url: `${publicUrl}/region`,
        identityClient: access.client('unikorn-region'),
        providers: reachable({ store, world, telemetry, secrets }),
        secrets,
        simulation: (regionId) => simulatedOperator({ store, world, regionId }),
        configuration: options.region ?? {},
      })
    : undefined;
  const compute = runs('compute')
    ? createCompute({
        ...context,
        ...common,
        url: `${publicUrl}/compute`,
        identityClient: access.client('unikorn-compute'),
        regionClient: regionAccess({
          ...context,
          local: isChosen('region/api') ? region : undefined,
          channel: options.remote?.region,
        }),
        configuration: options.compute ?? {},
      })
    : undefined;
  const chosen = [identity, region, compute].flatMap((created) =>
    created ? [{ service: created.service, parts: created.parts.filter(({ name }) => isChosen(name)) }] : [],
  );
  const served = chosen.filter(({ service }) => isChosen(`${service.name}/api`));
  const servesConsole = options.console !== undefined && isChosen('identity/api');
  const server = await createServer({
    services: served.map(({ service, parts }) => ({ ...withParts(service, parts), referenceClient })),
    probed: chosen.filter((each) => !served.includes(each)).map(({ service, parts }) => withParts(service, parts)),
    store,
    world,
    telemetry,
    trustedProxies: options.trustedProxies ?? [],
    traffic: { ...trafficLimits, ...options.traffic },
    ...(options.stall_ms === undefined ? {} : { limits: { stall_ms: options.stall_ms } }),
    ...(options.pressure ? { pressure: options.pressure } : {}),
    ...(options.standstill ? { standstill: options.standstill } : {}),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(servesConsole ? { home: consolePath } : {}),
  });
  if (options.console && servesConsole)
    addConsole(server, { publicUrl, preparation: options.console, nonce: () => nonceOf(world) });
  const parts = chosen.flatMap((each) => each.parts);
  return {
    server,
    identity,
    parts,
    probed: chosen.map((each) => withParts(each.service, each.parts)),
    run: (signal, listeners = []) => runParts({ world, caches }, [...parts, listener([server, ...listeners])], signal),
  };
}

function identityIn(
  context: Pick<IdentityOptions, 'store' | 'world' | 'telemetry' | 'caches' | 'processName'>,
  { publicUrl, encryptionKey, earlierKeys = [], administrator, globalRoles = [], ...options }: ControlPlaneOptions,
  issuer: string,
): Identity {
  const everything = ['platform-administrator'];
  return createIdentity({
    ...context,
    version,
    issuer,
    encryptionKey,
    earlierKeys,
    configuration: {
      ...options.identity,
      clients: [
        ...(options.identity?.clients ?? []),
        {
          id: referenceClient,
          name: 'API reference',
          redirectUris: serviceNames.map((service) => `${publicUrl}/${service}/docs/static/oauth2-redirect.html`),
        },
        { id: commandLineClient, name: 'Command line', redirectUris: ['http://127.0.0.1/callback'], native: true },
        {
          id: consoleClient,
          name: 'Console',
          redirectUris: [`${publicUrl}${signedInPath}`],
          postLogoutRedirectUris: [`${publicUrl}${signedOutPath}`],
          refresh: false,
        },
      ],
      globalBindings: {
        ...Object.fromEntries(globalRoles.map(({ subject, roles }) => [subject.toLowerCase(), roles])),
        [platformAccountId]: everything,
        [administrator]: everything,
      },
    },
  });
}

/** A value that no page can guess. */
function nonceOf(world: World): string {
  return Buffer.from(world.randomBytes(16)).toString('base64');
}

/** Completes the requests in progress before the APIs stop, because they may still start sagas. */
function listener(listeners: readonly Closing[]): Part {
  return {
    name: 'unikorn/listener',
    needs: serviceNames.map((service) => `${service}/api` as const),
    ready: true,
    run: async (signal) => {
      await whenAborted(signal);
      await Promise.all(listeners.map((each) => each.close()));
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
