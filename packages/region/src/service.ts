import type { Authenticator } from '@unikorn/core/access';
import { whenAborted, type Caches } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import { recordedRoutes, sagaRecorder } from '@unikorn/core/history';
import { controllerRoutes, sagaRoutes, type Service } from '@unikorn/core/http';
import { objectLimits as defaultObjectLimits } from '@unikorn/core/limits';
import { sharedPart, type Part } from '@unikorn/core/parts';
import { SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { IdentityClient } from '@unikorn/identity/client';

import { defaultConfiguration, type RegionConfiguration } from './configuration.ts';
import type { RegionContext } from './context.ts';
import { catalogueRoutes } from './handlers/catalogue/index.ts';
import { fileStorageRoutes } from './handlers/filestorage/index.ts';
import { fileStorageClassRoutes } from './handlers/filestorageclasses/index.ts';
import { imageRoutes } from './handlers/images/index.ts';
import { imageProbe, type Probe } from './handlers/images/probe.ts';
import { loadBalancerRoutes } from './handlers/loadbalancers/index.ts';
import { networkRoutes } from './handlers/networks/index.ts';
import { referenceList } from './handlers/references.ts';
import { securityGroupRoutes } from './handlers/securitygroups/index.ts';
import { serverRoutes } from './handlers/servers/index.ts';
import { simulationRoutes, type Simulation } from './handlers/simulation/index.ts';
import { sshCertificateAuthorityRoutes } from './handlers/sshcertificateauthorities/index.ts';
import {
  cloudCallRecorder,
  flushHistories,
  historyRoutes,
  imageObjects,
  imageStateRecorder,
  regionHistories,
} from './history/index.ts';
import { backgroundParts } from './parts.ts';
import { noSecrets, Providers, type ProviderFactories, type Secrets } from './regions/index.ts';
import { regionSagas } from './sagas/index.ts';

export interface RegionOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The caches of the process. */
  readonly caches: Caches;
  /** Identifies this run of the process. */
  readonly processName: string;
  readonly version: string;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** The public URL of the service, such as `https://cloud.example.com/region`. */
  readonly url?: string;
  readonly identityClient: IdentityClient;
  /** The region types that this deployment supports. */
  readonly providers: ProviderFactories;
  /** The source of region credentials; none by default. */
  readonly secrets?: Secrets;
  /** Checks image URLs before they are imported; by default it only connects to addresses that the region allows. */
  readonly imageProbe?: Probe;
  /** Functions that change simulated regions, to test how the platform handles faults; none by default. */
  readonly simulation?: Simulation;
  readonly configuration?: RegionConfiguration;
}

export interface RegionService {
  readonly service: Service;
  /** The parts of the service. A process runs all of them or some of them. */
  readonly parts: readonly Part[];
}

/**
 * Creates the service with its routes and parts.
 *
 * @example const region = createRegion({ store, world, telemetry, caches, processName, version, authenticator, authorizationServer, identityClient, providers });
 */
export function createRegion(options: RegionOptions): RegionService {
  const { store, world, telemetry, processName, version, url, authenticator, authorizationServer } = options;
  const configuration = { ...defaultConfiguration, ...options.configuration };
  const objectLimits = { ...defaultObjectLimits, ...configuration.objectLimits };
  const shared = { store, world, telemetry };
  const histories = regionHistories(shared);
  const context: RegionContext = {
    ...shared,
    caches: options.caches.scope(),
    providers: new Providers(
      shared,
      options.providers,
      configuration.providerCalls,
      imageStateRecorder(histories.images, shared),
      cloudCallRecorder(histories, world),
    ),
    secrets: options.secrets ?? noSecrets,
    identityClient: options.identityClient,
  };

  const { createNetwork, writeLoadBalancer, writeFileStorage } = regionSagas({
    store,
    world,
    identityClient: options.identityClient,
  });
  const sagas = new SagaRunner({
    ...shared,
    processName,
    sagas: [createNetwork, writeLoadBalancer, writeFileStorage],
    onEvent: sagaRecorder({
      [createNetwork.name]: histories.networks,
      [writeLoadBalancer.name]: histories.loadBalancers,
      [writeFileStorage.name]: histories.fileStorage,
    }),
  });

  const api = sharedPart({
    name: 'region/api',
    needs: ['identity/api'],
    caches: context.caches,
    run: async (signal) => {
      sagas.start(signal);
      await whenAborted(signal);
      await sagas.stop();
      await flushHistories(histories);
    },
  });

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
        ...recordedRoutes(
          imageRoutes({
            ...context,
            objectLimits,
            history: histories.images,
            probe: options.imageProbe ?? imageProbe(world),
          }),
          histories.images,
          imageObjects(context.providers),
        ),
        ...recordedRoutes(
          networkRoutes({ ...context, createNetwork: (input, id) => sagas.run(createNetwork, input, id) }),
          histories.networks,
        ),
        ...recordedRoutes(securityGroupRoutes({ ...context, objectLimits }), histories.securityGroups),
        ...recordedRoutes(
          loadBalancerRoutes({ ...context, writeLoadBalancer: (input, id) => sagas.run(writeLoadBalancer, input, id) }),
          histories.loadBalancers,
        ),
        ...recordedRoutes(
          sshCertificateAuthorityRoutes({ ...context, objectLimits }),
          histories.sshCertificateAuthorities,
        ),
        ...recordedRoutes(
          serverRoutes({ ...context, objectLimits, imageHistory: histories.images }),
          histories.servers,
        ),
        ...recordedRoutes(
          fileStorageRoutes({ ...context, writeFileStorage: (input, id) => sagas.run(writeFileStorage, input, id) }),
          histories.fileStorage,
        ),
        ...fileStorageClassRoutes(),
        referenceList,
        ...historyRoutes(histories, context.providers),
        ...(options.simulation ? simulationRoutes(options.simulation) : []),
        ...sagaRoutes(() => sagas.unfinished()),
        ...controllerRoutes(),
      ],
    },
    parts: [api, ...backgroundParts({ ...context, caches: options.caches, processName, histories }, configuration)],
  };
}
