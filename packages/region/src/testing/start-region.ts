import { Caches } from '@unikorn/core/controller';
import { createServer } from '@unikorn/core/http';
import { runParts, withParts } from '@unikorn/core/parts';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld, type Around } from '@unikorn/core/testing';
import type { Telemetry } from '@unikorn/core/telemetry';
import { createIdentity, identityKinds, type IdentityConfiguration } from '@unikorn/identity';
import { drive, Founder, testEncryptionKey, type Call, type Method } from '@unikorn/identity/testing';

import type { RegionConfiguration } from '../configuration.ts';
import type { Probe } from '../handlers/images/probe.ts';
import { FileStorageClass, Region, regionKinds } from '../kinds/index.ts';
import {
  catalogueFor,
  simulatedKinds,
  simulatedOperator,
  simulatedProvider,
  type Knobs,
} from '../providers/simulated/index.ts';
import { noSecrets, type ProviderFactories, type Secrets } from '../regions/index.ts';
import { createRegion } from '../service.ts';

/** The platform operator in tests. */
export const operatorMail = 'operator@example.com';

/** A cloud without delays. Tests of delays and faults change the settings that they need. */
const instantly: Partial<Knobs> = {
  call_ms: 0,
  build_ms: 0,
  power_ms: 0,
  delete_ms: 0,
  image_ms: 0,
  loadBalancer_ms: 0,
  fileStorage_ms: 0,
};

export interface StartRegionOptions {
  readonly configuration?: RegionConfiguration;
  readonly identityConfiguration?: IdentityConfiguration;
  readonly knobs?: Partial<Knobs>;
  readonly telemetry?: Telemetry;
  /** Intercepts the calls of the services to their store, to cause races and crashes. */
  readonly around?: Around;
  /** The result of reading an image URL; by default no URL can be reached. */
  readonly imageProbe?: Probe;
  /** The factories and secrets of regions that are not simulated. */
  readonly providers?: ProviderFactories;
  readonly secrets?: Secrets;
  readonly seed?: number;
}

const nothingReachable: Probe = () => Promise.resolve({ type: 'unreachable' });

/**
 * Identity and region with one memory store in virtual time, one simulated region, one organization, one project and an
 * administrator of the project.
 *
 * @example const region = await startRegion(); await region.call('GET', '/api/v2/networks');
 */
export async function startRegion({
  configuration,
  identityConfiguration = {},
  knobs = {},
  telemetry = silentTelemetry(),
  around,
  imageProbe = nothingReachable,
  providers = {},
  secrets = noSecrets,
  seed,
}: StartRegionOptions = {}) {
  const world = virtualWorld(seed);
  const memory = openMemoryStore({ world, kinds: [...new Set([...identityKinds, ...regionKinds, ...simulatedKinds])] });
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
  const region = createRegion({
    ...context,
    authenticator: identity.authenticator,
    authorizationServer: issuer,
    identityClient: identity.client('unikorn-region'),
    providers: {
      simulated: ({ metadata, spec }) => ({
        tier: 'cloud',
        provider: simulatedProvider({ store, world, regionId: metadata.name }, catalogueFor(spec.simulated)),
      }),
      ...providers,
    },
    simulation: (regionId) => simulatedOperator({ store, world, regionId }),
    imageProbe,
    secrets,
    ...(configuration ? { configuration } : {}),
  });
  const server = await createServer({
    services: [identity, region].map(({ service, parts }) => withParts(service, parts)),
    store,
    world,
    telemetry,
    contract: 'enforced',
    certificates: 'forwarded',
  });
  const stop = new AbortController();
  const running = runParts({ world, caches }, [...identity.parts, ...region.parts], stop.signal);

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
    if ((spec.provider ?? 'simulated') === 'simulated') await operator(id).turn({ ...instantly, ...knobs });
    return id;
  };
  const regionId = await openRegion();
  const storageClassId = world.uuid();
  await memory.create(FileStorageClass, {
    metadata: { name: storageClassId, labels: { [labels.name]: 'standard', [labels.region]: regionId } },
    spec: { provisioner: 'simulated', protocols: ['nfsv4'] },
  });

  const { request, eventually } = drive({ server, store: memory, world, token: robot.token });
  return {
    world,
    telemetry,
    /** The store without the interception. */
    store: memory,
    server,
    identity,
    region,
    found,
    organizationId,
    projectId,
    regionId,
    storageClassId,
    token: robot.token,
    operatorToken: `user:${operatorMail}`,
    operator,
    openRegion,
    /** As the administrator of the project, unless another token is given. */
    call: (method: Method, path: string, options?: Call) => request(method, `/region${path}`, options),
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

export type RunningRegion = Awaited<ReturnType<typeof startRegion>>;
