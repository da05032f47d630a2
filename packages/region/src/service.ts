import type { Authenticator } from '@unikorn/core/access';
import { Caches, ControllerManager } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import { sagaRoutes, type Service } from '@unikorn/core/http';
import { objectLimits as defaultObjectLimits } from '@unikorn/core/limits';
import { SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { IdentityClient } from '@unikorn/identity/client';

import { defaultConfiguration, type RegionConfiguration } from './configuration.ts';
import { projectConsumer } from './consumers/project.ts';
import type { RegionContext } from './context.ts';
import { catalogueRoutes } from './handlers/catalogue/index.ts';
import { fileStorageRoutes } from './handlers/filestorage/index.ts';
import { fileStorageClassRoutes } from './handlers/filestorageclasses/index.ts';
import { imageRoutes } from './handlers/images/index.ts';
import { publicProbe, type Probe } from './handlers/images/probe.ts';
import { loadBalancerRoutes } from './handlers/loadbalancers/index.ts';
import { networkRoutes } from './handlers/networks/index.ts';
import { securityGroupRoutes } from './handlers/securitygroups/index.ts';
import { serverRoutes } from './handlers/servers/index.ts';
import { simulationRoutes, type Simulation } from './handlers/simulation/index.ts';
import { sshCertificateAuthorityRoutes } from './handlers/sshcertificateauthorities/index.ts';
import { regionControllers } from './managers/index.ts';
import { regionMonitors } from './monitor/index.ts';
import { noSecrets, Providers, type ProviderFactories, type Secrets } from './regions/index.ts';
import { regionSagas } from './sagas/index.ts';

export interface RegionOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Names this life of the process. */
  readonly identity: string;
  readonly version: string;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** Where the service is reached from outside, such as `https://cloud.example.com/region`. */
  readonly url?: string;
  readonly identityClient: IdentityClient;
  /** How the sorts of regions that this deployment has are reached. */
  readonly providers: ProviderFactories;
  /** Where operators keep what regions are reached with; nowhere unless given. */
  readonly secrets?: Secrets;
  /** How images that people name are looked at before they are imported; from public addresses only, unless something else is given. */
  readonly imageProbe?: Probe;
  /** The hands on simulated regions, for those who want to see how the platform bears what clouds do; none unless given. */
  readonly simulation?: Simulation;
  readonly configuration?: RegionConfiguration;
}

export interface RegionService {
  readonly service: Service;
  /** Runs controllers, monitors, consumers and saga recovery until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The service, wired: what it serves and what it keeps doing. */
export function createRegion(options: RegionOptions): RegionService {
  const { store, world, telemetry, identity, version, url, authenticator, authorizationServer } = options;
  const configuration = { ...defaultConfiguration, ...options.configuration };
  const objectLimits = { ...defaultObjectLimits, ...configuration.objectLimits };
  const shared = { store, world, telemetry };
  const context: RegionContext = {
    ...shared,
    caches: new Caches(shared),
    providers: new Providers(shared, options.providers),
    secrets: options.secrets ?? noSecrets,
    identity: options.identityClient,
  };

  const { createNetwork, writeLoadBalancer, writeFileStorage } = regionSagas({
    store,
    world,
    identity: options.identityClient,
  });
  const sagas = new SagaRunner({ ...shared, identity, sagas: [createNetwork, writeLoadBalancer, writeFileStorage] });

  const controllers = [
    ...regionControllers(context, configuration),
    ...regionMonitors(context, configuration),
    projectConsumer(context),
  ];
  const manager = new ControllerManager({ ...context, lease: 'region-controllers', identity, controllers });

  return {
    service: {
      name: 'region',
      contractName: 'unikorn-region-controller',
      version,
      base: '/region',
      ...defined({ url }),
      authenticator,
      authorizationServer,
      routes: [
        ...catalogueRoutes(context),
        ...imageRoutes({ ...context, objectLimits, probe: options.imageProbe ?? publicProbe(world) }),
        ...networkRoutes({ ...context, createNetwork: (input) => sagas.run(createNetwork, input) }),
        ...securityGroupRoutes({ objectLimits }),
        ...loadBalancerRoutes({ writeLoadBalancer: (input) => sagas.run(writeLoadBalancer, input) }),
        ...sshCertificateAuthorityRoutes({ ...context, objectLimits }),
        ...serverRoutes({ ...context, objectLimits }),
        ...fileStorageRoutes({ ...context, writeFileStorage: (input) => sagas.run(writeFileStorage, input) }),
        ...fileStorageClassRoutes(),
        ...(options.simulation ? simulationRoutes(options.simulation) : []),
        ...sagaRoutes(() => sagas.unfinished()),
      ],
      checks: { controllers: () => Promise.resolve(manager.ready) },
    },
    async run(signal) {
      sagas.start(signal);
      await manager.run(signal);
      await sagas.stop();
    },
  };
}
