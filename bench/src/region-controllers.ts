import { join } from 'node:path';

import { Caches } from '@unikorn/core/controller';
import { createServer } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { findCondition, labels, type Condition } from '@unikorn/core/resource';
import { runParts } from '@unikorn/core/parts';
import type { Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { createIdentity, identityKinds } from '@unikorn/identity';
import { Founder, signIn, testEncryptionKey } from '@unikorn/identity/testing';
import { createRegion, Region, regionKinds } from '@unikorn/region';
import { Network, Server } from '@unikorn/region/kinds';
import {
  defaultCatalogue,
  simulatedKinds,
  simulatedOperator,
  simulatedProvider,
} from '@unikorn/region/providers/simulated';

import { Thing, thing } from './objects.ts';
import type { Figure } from './report.ts';
import { many } from './scale.ts';
import { inLanes, inTemporaryFolder, seconds } from './workspace.ts';

const world = systemWorld;
const issuer = 'https://cloud.example.com/identity';
const operator = 'operator@example.com';
const callers = 64;
/** A project then has some ten networks, which is more than most are allowed. */
const projects = many(128, 8);
const [{ id: flavorId } = { id: '' }] = defaultCatalogue.flavors;
const [{ id: imageId } = { id: '' }] = defaultCatalogue.images;

interface Platform {
  readonly store: Store;
  readonly organizationId: string;
  readonly projectIds: readonly string[];
  readonly regionId: string;
  /** The id of the created object. */
  readonly post: (path: string, body: object) => Promise<string>;
}

/** Identity and region, on a file with durable commits, with a simulated region without delays. */
function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const telemetry = silentTelemetry();
    const store = await openSqliteStore({
      path: join(folder, 'state.db'),
      world,
      telemetry,
      kinds: [...new Set([...identityKinds, ...regionKinds, ...simulatedKinds, Thing])],
    });
    const caches = new Caches({ store, world, telemetry });
    const context = { store, world, telemetry, caches, processName: 'bench', version: '0' };
    const identity = createIdentity({
      ...context,
      issuer,
      encryptionKey: testEncryptionKey,
      configuration: { globalBindings: { [operator]: ['platform-administrator'] } },
    });
    const region = createRegion({
      ...context,
      authenticator: identity.authenticator,
      authorizationServer: issuer,
      identityClient: identity.client('unikorn-region'),
      providers: {
        simulated: ({ metadata }) => ({
          tier: 'cloud',
          provider: simulatedProvider({ store, world, regionId: metadata.name }),
        }),
      },
    });
    const server = await createServer({ services: [identity.service, region.service], store, world, telemetry });
    const stop = new AbortController();
    const running = runParts({ world, caches }, [...identity.parts, ...region.parts], stop.signal);
    const ask = async (
      method: 'POST' | 'PUT',
      url: string,
      payload: object,
    ): Promise<{ readonly metadata: { readonly id: string } }> => {
      const response = await server.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } });
      if (response.statusCode >= 300)
        throw new Error(`${method} ${url} answered ${response.statusCode} ${response.body}`);
      return response.json();
    };
    const found = new Founder(store, world);
    await found.user(operator);
    const token = await signIn({ store, world }, operator);
    const organizationId = await found.organization();
    const projectIds = await Promise.all(Array.from({ length: projects }, () => found.project(organizationId)));
    await ask('PUT', `/identity/api/v1/organizations/${organizationId}/quotas`, {
      quotas: [{ kind: 'networks', quantity: 100_000 }],
    });
    const regionId = world.uuid();
    await store.create(Region, {
      metadata: { name: regionId, labels: { [labels.name]: 'bench' } },
      spec: { provider: 'simulated' },
    });
    await simulatedOperator({ store, world, regionId }).turn({
      call_ms: 0,
      build_ms: 0,
      places: { [flavorId]: 10_000_000 },
    });
    try {
      return await work({
        store,
        organizationId,
        projectIds,
        regionId,
        post: async (path, body) => (await ask('POST', `/region${path}`, body)).metadata.id,
      });
    } finally {
      stop.abort();
      await running;
      await server.close();
      await store.close();
    }
  });
}

/** Resolves when this many more objects of the kind are provisioned. */
async function provisioned(store: Store, kind: Kind, count: number, asked: () => Promise<unknown>): Promise<void> {
  const { resourceVersion: from } = await store.list(kind, { limit: 1 });
  const stop = new AbortController();
  const ready = new Set<string>();
  const watching = (async () => {
    for await (const event of store.watch(kind, { from, signal: stop.signal })) {
      if (event.type !== 'bookmark' && isProvisioned(event.object)) ready.add(event.object.metadata.name);
      if (ready.size >= count) stop.abort();
    }
  })();
  await Promise.all([asked(), watching]);
}

function isProvisioned({ status }: { readonly status?: { readonly conditions?: readonly Condition[] } }): boolean {
  return findCondition(status?.conditions, 'Available')?.status === 'True';
}

interface Measured {
  readonly rate: number;
  /** Number of store writes for each object, including the records of the simulated cloud. */
  readonly writes: number;
}

/** Number of objects that are created before the measured ones, so that compilation is not measured. */
const warmUp = many(300);

async function measure(
  store: Store,
  kind: Kind,
  count: number,
  create: (number: number) => Promise<unknown>,
): Promise<Measured> {
  const version = async () => Number((await store.list(kind, { limit: 1 })).resourceVersion);
  await provisioned(store, kind, warmUp, () => inLanes(callers, warmUp, create));
  const before = await version();
  const elapsed = await seconds(() =>
    provisioned(store, kind, count, () => inLanes(callers, count, (number) => create(warmUp + number))),
  );
  return { rate: count / elapsed, writes: ((await version()) - before) / count };
}

/** From the first request until the last object is provisioned, including the requests. */
export function provisioningFigures(progress: (text: string) => void): Promise<readonly Figure[]> {
  const [networks, servers] = [many(1_000), many(2_000)];
  return withPlatform(async ({ store, organizationId, projectIds, regionId, post }) => {
    progress(`${networks.toLocaleString('en')} networks`);
    const ids: string[] = [];
    const network = async (number: number) => {
      const place = { organizationId, projectId: projectIds[number % projects], regionId };
      ids.push(
        await post('/api/v2/networks', {
          metadata: { name: `network-${number}` },
          spec: { ...place, prefix: '10.0.0.0/16', dnsNameservers: [] },
        }),
      );
    };
    const ofNetworks = await measure(store, Network, networks, network);
    progress(`${servers.toLocaleString('en')} servers`);
    const server = (number: number) =>
      post('/api/v2/servers', {
        metadata: { name: `server-${number}` },
        spec: { networkId: ids[number % ids.length], flavorId, imageId },
      });
    const ofServers = await measure(store, Server, servers, server);
    progress('plain creates');
    const creates = many(4_000);
    const plain =
      creates / (await seconds(() => inLanes(callers, creates, (number) => store.create(Thing, thing(number)))));
    const figure = (name: string, { rate, writes }: Measured): Figure => ({
      name,
      settings: `${callers} concurrent callers, ${writes.toFixed(1)} writes each`,
      value: rate,
      unit: '/s',
      baseline: { name: 'plain creates', value: plain },
    });
    return [
      figure('networks requested and provisioned', ofNetworks),
      figure('servers requested and provisioned', ofServers),
    ];
  });
}
