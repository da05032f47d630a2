import type { Authenticator } from '@unikorn/core/access';
import { Caches, ControllerManager } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import { sagaRoutes, type Service } from '@unikorn/core/http';
import { SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { IdentityClient } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { defaultConfiguration, type ComputeConfiguration } from './configuration.ts';
import { networkConsumer } from './consumers/network.ts';
import type { ComputeContext } from './context.ts';
import { catalogueRoutes } from './handlers/catalogue/index.ts';
import { instanceRoutes } from './handlers/instances/index.ts';
import {
  History,
  historyRecovery,
  historySweeper,
  recordedIntents,
  recordedRegion,
  sagaRecorder,
  transitionRecorder,
} from './history/index.ts';
import { ComputeInstance } from './kinds/index.ts';
import { instanceControllers } from './managers/instances.ts';
import { computeMonitors } from './monitor/index.ts';
import { computeSagas } from './sagas/index.ts';

export interface ComputeOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Names this life of the process. */
  readonly identity: string;
  readonly version: string;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** Where the service is reached from outside, such as `https://cloud.example.com/compute`. */
  readonly url?: string;
  readonly identityClient: IdentityClient;
  readonly regionClient: RegionClient;
  readonly configuration?: ComputeConfiguration;
}

export interface ComputeService {
  readonly service: Service;
  /** Runs controllers, monitors, consumers and saga recovery until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The service, wired: what it serves and what it keeps doing. */
export function createCompute(options: ComputeOptions): ComputeService {
  const { store, world, telemetry, identity, version, url, authenticator, authorizationServer } = options;
  const configuration = { ...defaultConfiguration, ...options.configuration };
  const shared = { store, world, telemetry };
  const caches = new Caches(shared);
  const instances = caches.of(ComputeInstance);
  const history = new History({ ...shared, instances });
  const context: ComputeContext = {
    ...shared,
    caches,
    identity: options.identityClient,
    region: recordedRegion(options.regionClient, history),
  };

  const { writeInstance } = computeSagas(context);
  const sagas = new SagaRunner({ ...shared, identity, sagas: [writeInstance], onEvent: sagaRecorder(history) });

  const records = [
    transitionRecorder(instances, history, telemetry),
    historyRecovery({ caches, history, telemetry }),
    historySweeper({ ...shared, retention_ms: configuration.historyRetention_ms }),
  ];
  const controllers = [
    ...instanceControllers({ ...context, history }),
    ...computeMonitors({ ...context, history }, configuration),
    networkConsumer(context),
    ...records,
  ];
  const manager = new ControllerManager({ ...context, lease: 'compute-controllers', identity, controllers });

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
        ...recordedIntents(
          instanceRoutes({ ...context, history, writeInstance: (input) => sagas.run(writeInstance, input) }),
          history,
        ),
        ...sagaRoutes(() => sagas.unfinished()),
      ],
      checks: { controllers: () => Promise.resolve(manager.ready) },
    },
    async run(signal) {
      sagas.start(signal);
      await manager.run(signal);
      await sagas.stop();
      await history.flush();
    },
  };
}
