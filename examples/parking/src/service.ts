import type { Authenticator } from '@unikorn/core/access';
import { Caches, Controller, ControllerManager, Lease, related } from '@unikorn/core/controller';
import { IdempotencyRecord, sagaRoutes, type Service } from '@unikorn/core/http';
import { bind, Saga, SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { lotRoutes } from './handlers/lots.ts';
import { permitRoutes } from './handlers/permits.ts';
import { Lot, Permit } from './kinds/index.ts';
import type { Gate } from './provisioners/gate.ts';
import { permitProvisioner } from './provisioners/permit.ts';
import { createPermitSaga } from './sagas/create-permit.ts';

/** Every kind the service stores, those it uses of core included. */
export const parkingKinds = [Lot, Permit, Saga, Lease, IdempotencyRecord] as const;

export interface ParkingOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** Where the service is reached from outside, such as `https://cloud.example.com/parking`. */
  readonly url?: string;
  /** Names this life of the process. */
  readonly identity: string;
  readonly gate: Gate;
}

export interface Parking {
  readonly service: Service;
  /** Runs controllers and saga recovery until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The service, wired: what it serves and what it keeps doing. */
export function createParking(options: ParkingOptions): Parking {
  const { store, world, telemetry, identity, gate, authenticator, authorizationServer, url } = options;
  const context = { store, world, telemetry };

  const createPermit = bind(createPermitSaga, { store });
  const sagas = new SagaRunner({ ...context, identity, sagas: [createPermit] });

  const caches = new Caches(context);
  const byLot = caches.of(Permit).index((permit) => [permit.spec.lotId]);
  const permits = new Controller(
    {
      name: 'permits',
      kind: Permit,
      provisioner: permitProvisioner({ store, world, gate }),
      related: [related(Lot, (lot) => byLot.names(lot.metadata.name))],
    },
    { ...context, caches },
  );
  const manager = new ControllerManager({
    ...context,
    caches,
    lease: 'parking-controllers',
    identity,
    controllers: [permits],
  });

  return {
    service: {
      name: 'parking',
      version: '0.1.0',
      base: '/parking',
      ...(url === undefined ? {} : { url }),
      authenticator,
      authorizationServer,
      routes: [
        ...lotRoutes,
        ...permitRoutes((input) => sagas.run(createPermit, input)),
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
