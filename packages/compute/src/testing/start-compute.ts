import { localCalls } from '@unikorn/core/calls';
import { Caches } from '@unikorn/core/controller';
import { createServer, type AuditListener } from '@unikorn/core/http';
import { runParts, withParts } from '@unikorn/core/parts';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld, type Around } from '@unikorn/core/testing';
import type { Telemetry } from '@unikorn/core/telemetry';
import { createIdentity, identityKinds, type IdentityConfiguration } from '@unikorn/identity';
import type { IdentityClient } from '@unikorn/identity/client';
import { drive, Founder, testEncryptionKey, type Call, type Method } from '@unikorn/identity/testing';
import { createRegion, Region, regionKinds, type RegionConfiguration } from '@unikorn/region';
import { regionClient, type RegionClient } from '@unikorn/region/client';
import { simulatedKinds, simulatedOperator, simulatedProvider, type Knobs } from '@unikorn/region/providers/simulated';
import { labels } from '@unikorn/core/resource';

import type { ComputeConfiguration } from '../configuration.ts';
import { computeKinds } from '../kinds/index.ts';
import { createCompute } from '../service.ts';

/** The platform administrator in tests. */
export const operatorMail = 'operator@example.com';

/** Without delays. Tests of latencies and faults set the knobs that they need. */
const instantly: Partial<Knobs> = {
  call_ms: 0,
  build_ms: 0,
  power_ms: 0,
  delete_ms: 0,
  image_ms: 0,
  loadBalancer_ms: 0,
  fileStorage_ms: 0,
};

export interface StartComputeOptions {
  readonly configuration?: ComputeConfiguration;
  readonly regionConfiguration?: RegionConfiguration;
  readonly identityConfiguration?: IdentityConfiguration;
  readonly knobs?: Partial<Knobs>;
  readonly telemetry?: Telemetry;
  /** Intercepts the calls of services to their store, to cause races and crashes. */
  readonly around?: Around;
  /** Intercept the calls of compute to other services. */
  readonly regionClient?: (regionClient: RegionClient) => RegionClient;
  readonly identityClient?: (identityClient: IdentityClient) => IdentityClient;
  /** Is called with every request that could change something. */
  readonly onAudit?: AuditListener;
  readonly seed?: number;
  /** Whether the controllers of compute run. Tests of process lives start and stop them on their own. */
  readonly controllers?: 'running' | 'asleep';
}

/**
 * Identity, region and compute on one memory store in virtual time, with one simulated region, one organization, one
 * project, one provisioned network, and one user with all permissions.
 *
 * @example const compute = await startCompute({ knobs: { build_ms: 1000 } }); afterAll(() => compute.stop());
 */
export async function startCompute(options: StartComputeOptions = {}) {
  const {
    configuration,
    regionConfiguration,
    identityConfiguration = {},
    knobs = {},
    telemetry = silentTelemetry(),
    around,
    onAudit,
    seed,
    controllers = 'running',
  } = options;
  const world = virtualWorld(seed);
  const memory = openMemoryStore({
    world,
    kinds: [...new Set([...identityKinds, ...regionKinds, ...simulatedKinds, ...computeKinds])],
  });
  const store = around ? interpose(memory, around) : memory;
  const caches = new Caches({ store, world, telemetry });
  const context = { store, world, telemetry, caches, processName: 'test', version: '0.0.0' };
  const issuer = 'https://cloud.example.com/identity';
  const globalBindings = { [operatorMail]: ['platform-administrator'], ...identityConfiguration.globalBindings };
  const identity = createIdentity({
    ...context,
    issuer,
    encryptionKey: testEncryptionKey,
    configuration: { ...identityConfiguration, globalBindings },
  });
  const access = { authenticator: identity.authenticator, authorizationServer: issuer };
  const region = createRegion({
    ...context,
    ...access,
    identityClient: identity.client('unikorn-region'),
    providers: {
      simulated: ({ metadata }) => ({
        tier: 'cloud',
        provider: simulatedProvider({ store, world, regionId: metadata.name }),
      }),
    },
    imageProbe: () => Promise.resolve({ type: 'unreachable' }),
    ...(regionConfiguration ? { configuration: regionConfiguration } : {}),
  });
  const toRegion = regionClient(
    localCalls({ service: region.service, commonName: 'unikorn-compute', store, world, telemetry, instance: 'test' }),
  );
  const toIdentity = identity.client('unikorn-compute');
  const compute = createCompute({
    ...context,
    ...access,
    identityClient: options.identityClient?.(toIdentity) ?? toIdentity,
    regionClient: options.regionClient?.(toRegion) ?? toRegion,
    ...(configuration ? { configuration } : {}),
  });
  const server = await createServer({
    services: [identity, region, compute].map(({ service, parts }) => withParts(service, parts)),
    store,
    world,
    telemetry,
    contract: 'enforced',
    certificates: 'forwarded',
    ...(onAudit ? { onAudit } : {}),
  });
  const stop = new AbortController();
  const running = runParts(
    { world, caches },
    [...identity.parts, ...region.parts, ...(controllers === 'running' ? compute.parts : [])],
    stop.signal,
  );

  const found = new Founder(memory, world);
  await found.user(operatorMail);
  const organizationId = await found.organization();
  const robot = await found.robot(organizationId, ['administrator']);
  const projectId = await found.project(organizationId);
  const operator = (id: string) => simulatedOperator({ store: memory, world, regionId: id });
  const openRegion = async (spec: Partial<Region['spec']> = {}): Promise<string> => {
    const id = world.uuid();
    await memory.create(Region, {
      metadata: { name: id, labels: { [labels.name]: 'sim' } },
      spec: { provider: 'simulated', ...spec },
    });
    await operator(id).turn({ ...instantly, ...knobs });
    return id;
  };
  const regionId = await openRegion();

  const { request, eventually } = drive({ server, store: memory, world, token: robot.token });
  const openNetwork = async (name = 'network', project = projectId): Promise<string> => {
    const body = {
      metadata: { name },
      spec: { organizationId, projectId: project, regionId, prefix: '10.0.0.0/16', dnsNameservers: [] },
    };
    const made = await request('POST', '/region/api/v2/networks', { body });
    const { id } = (made.body as Made).metadata;
    await eventually(
      async () => ((await request('GET', `/region/api/v2/networks/${id}`)).body as Made).metadata.provisioningStatus,
      (status) => status === 'provisioned',
    );
    return id;
  };
  return {
    world,
    telemetry,
    /** Without interception. */
    store: memory,
    server,
    identity,
    region,
    compute,
    toRegion,
    toIdentity,
    found,
    organizationId,
    projectId,
    regionId,
    networkId: await openNetwork(),
    token: robot.token,
    operatorToken: `user:${operatorMail}`,
    operator,
    openRegion,
    openNetwork,
    request,
    call: (method: Method, path: string, options?: Call) => request(method, `/compute${path}`, options),
    eventually,
    async stop() {
      stop.abort();
      await world.settle();
      await running;
      await server.close();
      await memory.close();
    },
  };
}

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
}

export type RunningCompute = Awaited<ReturnType<typeof startCompute>>;

/** A compatible flavor and image of every simulated region. */
export const standardFlavor = '11111111-1111-1111-1111-111111111111';
export const ubuntuImage = '33333333-3333-3333-3333-333333333333';
export const debianImage = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';
export const gpuFlavor = '22222222-2222-2222-2222-222222222222';
