import { join } from 'node:path';

import { computeKinds, createCompute } from '@unikorn/compute';
import { localCalls } from '@unikorn/core/calls';
import { Caches } from '@unikorn/core/controller';
import { createServer } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { runParts } from '@unikorn/core/parts';
import type { Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import type { Telemetry } from '@unikorn/core/telemetry';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';
import { createIdentity, identityKinds } from '@unikorn/identity';
import { Founder, signIn, testEncryptionKey } from '@unikorn/identity/testing';
import { createRegion, regionKinds } from '@unikorn/region';
import { regionClient } from '@unikorn/region/client';
import { simulatedKinds, simulatedProvider } from '@unikorn/region/providers/simulated';

const issuer = 'https://cloud.example.com/identity';
const operator = 'operator@example.com';
const day_ms = 24 * 3600_000;

type Made = { readonly metadata: { readonly id: string } };

export interface Services {
  readonly store: Store;
  readonly server: Awaited<ReturnType<typeof createServer>>;
  /** Creates organizations and projects without requests. */
  readonly found: Founder;
  /** The token of a platform administrator. */
  readonly token: string;
  /** Sends a request without a connection. Throws if it is refused. */
  readonly ask: (method: 'POST' | 'PUT', path: string, payload: object) => Promise<Made>;
  readonly stop: () => Promise<void>;
}

/** All kinds that the services and the simulated regions store. */
export const serviceKinds: readonly Kind[] = [
  ...new Set([...identityKinds, ...regionKinds, ...simulatedKinds, ...computeKinds]),
];

/** A file with durable commits. */
export function inFile(folder: string, kinds: readonly Kind[] = []): Promise<Store> {
  return openSqliteStore({
    path: join(folder, 'state.db'),
    world,
    telemetry: silentTelemetry(),
    kinds: [...serviceKinds, ...kinds],
  });
}

/** All services in this process, with simulated regions. The store is closed when they stop. */
export async function startServices(store: Store, telemetry: Telemetry = silentTelemetry()): Promise<Services> {
  const caches = new Caches({ store, world, telemetry });
  const context = { store, world, telemetry, caches, processName: 'bench', version: '0' };
  const identity = createIdentity({
    ...context,
    issuer,
    encryptionKey: testEncryptionKey,
    configuration: { globalBindings: { [operator]: ['platform-administrator'] } },
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
  });
  const compute = createCompute({
    ...context,
    ...access,
    identityClient: identity.client('unikorn-compute'),
    regionClient: regionClient(
      localCalls({
        service: region.service,
        commonName: 'unikorn-compute',
        instance: 'bench',
        store,
        world,
        telemetry,
      }),
    ),
    // Instances that a bench stores without a request are not charged. The monitor would correct that.
    configuration: { monitorPeriod_ms: day_ms },
  });
  const services = [identity, region, compute];
  const server = await createServer({ services: services.map(({ service }) => service), store, world, telemetry });
  const stop = new AbortController();
  const parts = services.flatMap((service) => service.parts);
  const running = runParts({ world, caches }, parts, stop.signal);
  const found = new Founder(store, world);
  await found.user(operator);
  const token = await signIn({ store, world }, operator);
  return {
    store,
    server,
    found,
    token,
    ask: async (method, url, payload) => {
      const response = await server.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } });
      if (response.statusCode >= 300)
        throw new Error(`${method} ${url} answered ${response.statusCode} ${response.body}`);
      return response.json<Made>();
    },
    stop: async () => {
      stop.abort();
      await running;
      await server.close();
      await store.close();
    },
  };
}
