import type { Authenticator } from '@unikorn/core/access';
import { whenAborted, type Caches } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import { historySweeper, recordedRoutes, sagaRecorder, transitionRecorder } from '@unikorn/core/history';
import { controllerRoutes, sagaRoutes, type Service } from '@unikorn/core/http';
import { leasedPart, sharedPart, type Part, type PartName } from '@unikorn/core/parts';
import { SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { IdentityClient } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { defaultConfiguration, type ComputeConfiguration } from './configuration.ts';
import { networkConsumer } from './consumers/network.ts';
import type { ComputeContext } from './context.ts';
import { findingRoutes } from './handlers/findings.ts';
import { catalogueRoutes } from './handlers/catalogue/index.ts';
import { instanceRoutes } from './handlers/instances/index.ts';
import { historyRecovery, instanceHistory, recordedRegion } from './history/index.ts';
import { ComputeInstance, instanceHistoryStorage } from './kinds/index.ts';
import { instanceControllers } from './managers/instances.ts';
import { computeMonitors } from './monitor/index.ts';
import { computeSagas } from './sagas/index.ts';
import { included, regionWatches } from './watches.ts';

export interface ComputeOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The caches that all parts of the process share. */
  readonly caches: Caches;
  /** Identifies this run of the process. */
  readonly processName: string;
  readonly version: string;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** The public address of the service, such as `https://cloud.example.com/compute`. */
  readonly url?: string;
  readonly identityClient: IdentityClient;
  readonly regionClient: RegionClient;
  readonly configuration?: ComputeConfiguration;
}

export interface ComputeService {
  readonly service: Service;
  /** The parts of the service. A process runs all of them or some of them. */
  readonly parts: readonly Part[];
}

/** The dependencies of every part of compute on other services. */
const needs: readonly PartName[] = ['identity/api', 'region/api'];

/**
 * The service with its routes and its parts.
 *
 * @example const compute = createCompute({ store, world, telemetry, caches, processName, version, url, authenticator, authorizationServer, identityClient, regionClient });
 */
export function createCompute(options: ComputeOptions): ComputeService {
  const { store, world, telemetry, processName, version, url, authenticator, authorizationServer } = options;
  const configuration = { ...defaultConfiguration, ...options.configuration };
  const shared = { store, world, telemetry };
  const caches = options.caches.scope();
  const instances = caches.of(ComputeInstance);
  const history = instanceHistory({ ...shared, objects: instances });
  const context: ComputeContext = {
    ...shared,
    caches,
    identityClient: options.identityClient,
    regionClient: recordedRegion(options.regionClient, history),
  };

  const { writeInstance } = computeSagas(context);
  const sagas = new SagaRunner({
    ...shared,
    processName,
    sagas: [writeInstance],
    onEvent: sagaRecorder({ [writeInstance.name]: history }),
  });

  const api = sharedPart({
    name: 'compute/api',
    needs,
    caches,
    run: async (signal) => {
      sagas.start(signal);
      await whenAborted(signal);
      await sagas.stop();
      await history.flush();
    },
  });
  const process = { ...shared, caches: options.caches, processName };
  const watches = regionWatches({ ...shared, regionClient: options.regionClient });
  const watching = (own: Caches) => ({ ...context, history, caches: own, watches: included(watches, own) });
  const background = [
    leasedPart(process, {
      name: 'compute/instance-controller',
      needs,
      // The process that works on instances also records their events, and those that a killed process did not record.
      work: (own) => [
        ...instanceControllers(watching(own)),
        transitionRecorder('compute-history', own.of(ComputeInstance), history, telemetry),
        historyRecovery({ caches: own, watches, history, telemetry }),
        historySweeper({
          ...shared,
          name: 'compute-history-sweeper',
          storage: instanceHistoryStorage,
          retention_ms: configuration.historyRetention_ms,
        }),
      ],
      afterwards: () => history.flush(),
    }),
    leasedPart(process, {
      name: 'compute/monitor',
      needs,
      work: (own) => computeMonitors(watching(own), configuration),
      afterwards: () => history.flush(),
    }),
    leasedPart(process, {
      name: 'compute/network-consumer',
      needs,
      work: (own) => [networkConsumer(watching(own))],
    }),
  ];

  return {
    service: {
      name: 'compute',
      contractName: 'unikorn-compute-server',
      version,
      base: '/compute',
      ...defined({ url }),
      authenticator,
      authorizationServer,
      routes: [
        ...catalogueRoutes(context),
        ...recordedRoutes(
          instanceRoutes({ ...context, history, writeInstance: (input, id) => sagas.run(writeInstance, input, id) }),
          history,
        ),
        ...sagaRoutes(() => sagas.unfinished()),
        ...controllerRoutes(),
        ...findingRoutes(),
      ],
    },
    parts: [api, ...background],
  };
}
