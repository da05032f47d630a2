import { AsyncLocalStorage } from 'node:async_hooks';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { ComputeInstance } from '@unikorn/compute';
import { ReferenceRecord, referenceLabels } from '@unikorn/core/references';
import { findCondition, labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { ClusterCall } from '@unikorn/core/store/kubernetes';
import { interpose } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';

import type { Place } from '../../bench/src/compute-orders.ts';
import { flavorId, furnish, imageId } from '../../bench/src/furnish.ts';
import { serviceKinds, startServices, type Services } from '../../bench/src/services.ts';
import { inLanes } from '../../bench/src/workspace.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace, defineKinds, openStore } from './store.fixture.ts';

const patience_ms = 600_000;
/** How many instances and references of other projects are stored. Ten thousand take two minutes longer. */
const sizes = [10, 1_000, ...(process.env['UNIKORN_OBJECTS'] === 'many' ? [10_000] : [])];
const idle_ms = 20_000;

let cluster: Cluster;
let store: Store;
let services: Services;
let place: Place;
let filled = 0;
/** The requests, and the code that made them. */
const calls: (ClusterCall & { readonly by: string })[] = [];
const asking = new AsyncLocalStorage<string>();
Error.stackTraceLimit = 50;

/** The three innermost places in the code that asks the store. */
function askingCode(): string {
  const frames = (new Error().stack ?? '')
    .split('\n')
    .flatMap((line) => /packages\/(\S+:\d+):\d+/.exec(line)?.[1] ?? []);
  return frames
    .filter((frame) => !/core\/src\/(testing|store)\//.test(frame))
    .slice(0, 3)
    .map((frame) => frame.replace('/src/', ': '))
    .join(' < ');
}

beforeAll(async () => {
  cluster = await startCluster();
  await defineKinds(
    cluster,
    serviceKinds.filter(({ group }) => group !== 'coordination.k8s.io'),
  );
  const namespace = await createNamespace(cluster);
  const engine = await openStore(cluster, namespace, {
    observe: (call) => {
      calls.push({ ...call, by: asking.getStore() ?? 'a watch or a copy' });
    },
  });
  store = interpose(engine, (_call, happen) => asking.run(askingCode(), happen));
  services = await startServices(store);
  const [first] = await furnish(services, { organizations: 1, projectsEach: 1 });
  if (!first) throw new Error('there is one project');
  place = first;
}, patience_ms);
afterAll(async () => {
  await services.stop();
  await cluster.stop();
}, patience_ms);

/** Paused, so that no controller works on them. */
async function fillUpTo(count: number): Promise<void> {
  await inLanes(64, count - filled, async (offset) => {
    const name = `a0000000-0000-4000-8000-${String(filled + offset).padStart(12, '0')}`;
    const { organizationId, networkId } = place;
    const placed = {
      [labels.organization]: organizationId,
      [labels.project]: 'b0000000-0000-4000-8000-000000000000',
      [labels.network]: networkId,
      [labels.region]: 'other',
    };
    await store.create(ComputeInstance, {
      metadata: { name, labels: { [labels.name]: `other-${offset}`, ...placed } },
      spec: { flavorId, imageId, pause: true },
    });
    await store.create(ReferenceRecord, {
      metadata: { name, labels: { [referenceLabels.used]: name, [referenceLabels.user]: name } },
      spec: { used: { kind: 'things.example.com', id: name }, reference: `things.example.com/${name}` },
    });
  });
  filled = count;
  await world.sleep(3_000);
}

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) {
  const headers = { authorization: `Bearer ${services.token}` };
  const response = await services.server.inject({
    method,
    url: `/compute${path}`,
    headers,
    ...(payload && { payload }),
  });
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
  return response;
}

/** The requests to the API server in the meantime, by verb and kind, and what they sent and received. */
async function counted(work: () => Promise<unknown>) {
  calls.length = 0;
  await work();
  // Leases are renewed, and watches connect again, after some time and not because of the work.
  const made = calls
    .filter(({ method, path }) => method !== 'WATCH' && !path.includes('/leases'))
    .map((call) => ({ ...call, sort: sortOf(call) }));
  const sorts = [...new Set(made.map(({ sort }) => sort))].toSorted();
  const bytes = made.reduce((sum, { sentLength, receivedLength }) => sum + sentLength + receivedLength, 0);
  return {
    count: made.length,
    bytes,
    lists: sorts.filter((sort) => sort.startsWith('LIST')),
    writes: made.filter(({ method }) => method !== 'GET').length,
    by: Object.fromEntries(sorts.map((sort) => [sort, made.filter((call) => call.sort === sort).length])),
    requests: made.map(({ sort, by }) => `${sort}  <  ${by}`),
  };
}

function sortOf({ method, path }: ClusterCall): string {
  const [route = '', query] = path.split('?');
  const [, , , , , , plural = '', name] = route.split('/');
  // A watch that connects again, after some minutes, asks for the latest version. That is the list of one object.
  if (query === 'limit=1') return `VERSION ${plural}`;
  return method === 'GET' && name === undefined ? `LIST ${plural} ${query ?? ''}` : `${method} ${plural}`;
}

const spec = () => ({ ...place, flavorId, imageId });

async function lifeOf(name: string) {
  let id = '';
  const created = await counted(async () => {
    id = (await ask('POST', '/api/v2/instances', { metadata: { name }, spec: spec() })).json<{
      metadata: { id: string };
    }>().metadata.id;
    await vi.waitFor(
      async () => {
        const { items } = await store.list(ComputeInstance, { cached: true });
        const found = items.find(({ metadata }) => metadata.name === id);
        expect(findCondition(found?.status?.conditions, 'Available')?.status).toBe('True');
      },
      { timeout: 30_000 },
    );
    await world.sleep(2_000);
  });
  const read = await counted(() => ask('GET', `/api/v2/instances/${id}`));
  const listed = await counted(async () => {
    const { length } = (await ask('GET', `/api/v2/instances?projectID=${place.projectId}`)).json<unknown[]>();
    expect(length).toBe(1);
  });
  const updated = await counted(async () => {
    await ask('PUT', `/api/v2/instances/${id}`, {
      metadata: { name, description: 'changed' },
      spec: { flavorId, imageId },
    });
    await world.sleep(2_000);
  });
  const deleted = await counted(async () => {
    await ask('DELETE', `/api/v2/instances/${id}`);
    await vi.waitFor(
      async () => {
        const { items } = await store.list(ComputeInstance, { cached: true });
        expect(items.map(({ metadata }) => metadata.name)).not.toContain(id);
      },
      { timeout: 30_000 },
    );
    await world.sleep(2_000);
  });
  const idle = await counted(() => world.sleep(idle_ms));
  return { created, read, listed, updated, deleted, idle };
}

type Life = Awaited<ReturnType<typeof lifeOf>>;

const entriesOf = (life: Life) => Object.entries(life) as [keyof Life, Life[keyof Life]][];

/** On a slow machine the watch of a kind can be so late that a list asks the API server. Then it is counted again. */
async function countedLife(name: string): Promise<Life> {
  for (let attempt = 1; ; attempt++) {
    const life = await lifeOf(`${name}-${attempt}`);
    if (attempt === 3 || Object.values(life).every(({ lists }) => lists.length === 0)) return life;
  }
}

it(
  'an instance costs the same requests, and an idle process too, whatever the number of stored objects',
  async () => {
    // The first one fills the caches.
    await lifeOf('first');
    const lives: Life[] = [];
    for (const size of sizes) {
      await fillUpTo(size);
      lives.push(await countedLife(`with-${size}`));
    }
    for (const [name, { count, writes, requests }] of Object.entries(lives[0] ?? {}))
      console.log(`${name}: ${count} requests, ${writes} of them writes\n  ${requests.join('\n  ')}`);
    for (const [index, life] of lives.entries())
      console.log(
        sizes[index],
        entriesOf(life)
          .map(([name, { count, bytes, by }]) => JSON.stringify({ name, count, bytes, by }))
          .join('\n'),
      );
    for (const life of lives) {
      // Each read is a decision: see "A read asks the API server only where an older answer could do harm" in
      // docs/architecture.md. Conflicts of controllers cost a few more.
      expect(life.created.count - life.created.writes, 'reads of a creation').toBeLessThanOrEqual(12);
      expect(life.updated.count - life.updated.writes, 'reads of a change').toBeLessThanOrEqual(9);
      expect(life.deleted.count - life.deleted.writes, 'reads of a deletion').toBeLessThanOrEqual(25);
      for (const [name, { count, bytes, lists }] of entriesOf(life)) {
        const few = lives[0]?.[name];
        expect(lists, name).toEqual([]);
        // Entries of a history that come together are one write, so the numbers differ by a few.
        expect(count, name).toBeLessThanOrEqual(1.5 * (few?.count ?? 0) + 10);
        expect(bytes, name).toBeLessThanOrEqual(1.5 * (few?.bytes ?? 0) + 20_000);
      }
    }
  },
  2 * patience_ms,
);
