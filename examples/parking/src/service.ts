import type { Authenticator } from '@unikorn/core/access';
import {
  Controller,
  Lease,
  related,
  whenAborted,
  type Caches,
  type ControllerContext,
  type Runnable,
} from '@unikorn/core/controller';
import { IdempotencyRecord, sagaRoutes, type Service } from '@unikorn/core/http';
import { leasedPart, sharedPart, type Part } from '@unikorn/core/parts';
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

/** Every kind that the service stores, including those of core. */
export const parkingKinds = [Lot, Permit, Saga, Lease, IdempotencyRecord] as const;

export interface ParkingOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The caches of the process. */
  readonly caches: Caches;
  readonly authenticator: Authenticator;
  readonly authorizationServer: string;
  /** The public URL of the service, such as `https://cloud.example.com/parking`. */
  readonly url?: string;
  /** Identifies this run of the process. */
  readonly processName: string;
  readonly gate: Gate;
}

export interface Parking {
  readonly service: Service;
  /** The parts of the service. A process runs all of them or some of them. */
  readonly parts: readonly Part[];
}

/** Creates the service with its routes and parts. */
export function createParking(options: ParkingOptions): Parking {
  const { store, world, telemetry, processName, gate, authenticator, authorizationServer, url } = options;
  const context = { store, world, telemetry };

  const createPermit = bind(createPermitSaga, { store });
  const sagas = new SagaRunner({ ...context, processName, sagas: [createPermit] });

  const api = sharedPart({
    name: 'parking/api',
    caches: options.caches.scope(),
    run: async (signal) => {
      sagas.start(signal);
      await whenAborted(signal);
      await sagas.stop();
    },
  });
  const permits = leasedPart(
    { ...context, caches: options.caches, processName },
    { name: 'parking/permit-controller', work: (caches) => [permitController({ ...context, caches }, gate)] },
  );

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
    },
    parts: [api, permits],
  };
}

function permitController(context: ControllerContext, gate: Gate): Runnable {
  const byLot = context.caches.of(Permit).index((permit) => [permit.spec.lotId]);
  return new Controller(
    {
      name: 'permits',
      kind: Permit,
      provisioner: permitProvisioner({ ...context, gate }),
      related: [related(Lot, (lot) => byLot.names(lot.metadata.name))],
    },
    context,
  );
}
