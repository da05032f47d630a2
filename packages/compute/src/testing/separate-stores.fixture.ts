import type { FastifyInstance } from 'fastify';

import type { Authenticator } from '@unikorn/core/access';
import { httpCalls, httpChannel, localCalls, type ServiceCalls } from '@unikorn/core/calls';
import { Caches } from '@unikorn/core/controller';
import { createServer, type Service } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { runParts, withParts, type Part } from '@unikorn/core/parts';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { passing, type Carrier } from '@unikorn/core/testing/carriers';
import { createIdentity, identityKinds } from '@unikorn/identity';
import { identityClient, remoteAuthenticator, serviceRights } from '@unikorn/identity/client';
import { certificateHeaders, Founder, testEncryptionKey, type Answer, type Method } from '@unikorn/identity/testing';
import { createRegion, Region, regionKinds } from '@unikorn/region';
import { regionClient } from '@unikorn/region/client';
import { simulatedKinds, simulatedOperator, simulatedProvider } from '@unikorn/region/providers/simulated';

import { computeKinds } from '../kinds/index.ts';
import { createCompute } from '../service.ts';

export const monitorPeriod_ms = 2_000;

const issuer = 'https://cloud.example.com/identity';

type Services = 'unikorn-region' | 'unikorn-compute';

/**
 * Identity, region and compute in virtual time. Each has its own store with only its own kinds, its own caches and its
 * own server. They call each other only through clients over the given carrier.
 */
export async function startSeparately(carrier: Carrier) {
  const world = virtualWorld();
  const stop = new AbortController();
  const closing: (() => Promise<unknown>)[] = [];

  const processOf = (name: string, kinds: readonly Kind[]) => {
    const telemetry = silentTelemetry();
    const store = openMemoryStore({ world, kinds: [...new Set(kinds)] });
    return {
      store,
      world,
      telemetry,
      caches: new Caches({ store, world, telemetry }),
      processName: name,
      version: '0',
    };
  };
  type Process = ReturnType<typeof processOf>;

  /** Serves and runs a service, and returns the clients for it. */
  const run = async (
    process: Process,
    { service, parts }: { readonly service: Service; readonly parts: readonly Part[] },
  ) => {
    const { store, telemetry, caches } = process;
    const server = await createServer({
      services: [withParts(service, parts)],
      store,
      world,
      telemetry,
      contract: 'enforced',
      certificates: 'forwarded',
    });
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    const running = runParts({ world, caches }, parts, stop.signal);
    closing.unshift(async () => {
      await running;
      await server.close();
      await store.close();
    });
    const channelFor = (caller: Services) => {
      const channel = httpChannel({
        baseUrl: `${address}${service.base ?? ''}`,
        world,
        headers: certificateHeaders(caller),
      });
      closing.unshift(() => channel.close());
      return channel;
    };
    const callsFor = (caller: Services): ServiceCalls =>
      carrier === 'over HTTP'
        ? httpCalls({ service: service.name, channel: channelFor(caller), world, telemetry: silentTelemetry() })
        : localCalls({ service, commonName: caller, store, world, telemetry, instance: 'test' });
    return { store, telemetry, server, channelFor, callsFor };
  };

  const identityProcess = processOf('identity', identityKinds);
  const identity = createIdentity({ ...identityProcess, issuer, encryptionKey: testEncryptionKey });
  const identityRun = await run(identityProcess, identity);
  const authenticatorFor = (caller: Services): Authenticator =>
    carrier === 'over HTTP'
      ? remoteAuthenticator({ channel: identityRun.channelFor(caller), world, services: serviceRights() })
      : identity.authenticator;

  const regionProcess = processOf('region', [...regionKinds, ...simulatedKinds]);
  const regionRun = await run(
    regionProcess,
    createRegion({
      ...regionProcess,
      authenticator: authenticatorFor('unikorn-region'),
      authorizationServer: issuer,
      identityClient: identityClient(identityRun.callsFor('unikorn-region')),
      providers: {
        simulated: ({ metadata }) => ({
          tier: 'cloud',
          provider: simulatedProvider({ store: regionProcess.store, world, regionId: metadata.name }),
        }),
      },
      imageProbe: () => Promise.resolve({ type: 'unreachable' }),
    }),
  );

  const computeProcess = processOf('compute', computeKinds);
  const clients = {
    identityClient: identityClient(identityRun.callsFor('unikorn-compute')),
    regionClient: regionClient(regionRun.callsFor('unikorn-compute')),
  };
  const computeRun = await run(
    computeProcess,
    createCompute({
      ...computeProcess,
      authenticator: authenticatorFor('unikorn-compute'),
      authorizationServer: issuer,
      identityClient: clients.identityClient,
      regionClient: clients.regionClient,
      configuration: { monitorPeriod_ms },
    }),
  );

  const founder = new Founder(identityRun.store, world);
  const organizationId = await founder.organization();
  const robot = await founder.robot(organizationId, ['administrator']);
  const { token } = robot;
  const projectId = await founder.project(organizationId);
  const regionId = world.uuid();
  await regionRun.store.create(Region, {
    metadata: { name: regionId, labels: { [labels.name]: 'sim' } },
    spec: { provider: 'simulated' },
  });
  await simulatedOperator({ store: regionRun.store, world, regionId }).turn({ call_ms: 0, build_ms: 0, delete_ms: 0 });

  const asking =
    (server: FastifyInstance) =>
    async (method: Method, url: string, body?: object): Promise<Answer> => {
      const injected = server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      });
      const { statusCode: status, body: text, headers } = await passing(world, Promise.resolve(injected));
      return { status, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    };
  return {
    world,
    clients,
    organizationId,
    projectId,
    regionId,
    /** The service account that makes all requests. */
    robot,
    identity: { ...identityRun, request: asking(identityRun.server) },
    region: { ...regionRun, request: asking(regionRun.server) },
    compute: { ...computeRun, request: asking(computeRun.server) },
    /** Advances the clock until a condition is true. */
    async eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
      for (let looks = 0; looks < 600; looks++) {
        const seen = await look();
        if (holds(seen)) return seen;
        await world.advance(100);
      }
      throw new Error(`the condition did not become true; last seen: ${JSON.stringify(await look())}`);
    },
    async stop() {
      stop.abort();
      const closed = (async () => {
        for (const close of closing) await close();
      })();
      await passing(world, closed);
    },
  };
}
