import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Agent } from 'undici';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';
import {
  OpenstackIdentity,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '@unikorn/region/providers/openstack';

import { openstackMonitorFigures } from './openstack-monitor.ts';
import { openstackServerFigures } from './openstack-servers.ts';
import type { Figure, Suite } from './report.ts';
import { many, repeats } from './scale.ts';
import { inLanes, seconds } from './workspace.ts';

/** The typical number for a network of a busy project. */
const serversPerIdentity = 50;
/** As many identities as the monitor looks at at once. */
const concurrency = 8;
/** A look takes about a second, and other processes disturb it: the best of several counts. */
const rounds = 3 * repeats;

/** A cloud with recorded answers, in a thread of its own. */
async function withCloud<T>(work: (origin: string) => Promise<T>): Promise<T> {
  const worker = new Worker(new URL('./openstack-cloud.ts', import.meta.url), {
    workerData: { servers: serversPerIdentity },
  });
  try {
    const [port] = (await once(worker, 'message')) as [number];
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    await worker.terminate();
  }
}

interface Looks {
  /** Seconds of a look at the servers of all identities. */
  readonly ours: number;
  readonly calls: number;
  /** Seconds of as many bare calls, whose answers are only parsed. */
  readonly bare: number;
}

function measure(identities: number): Promise<Looks> {
  return withCloud(async (origin) => {
    const store = openMemoryStore({ world, kinds: openstackKinds });
    let calls = 0;
    const region = new OpenstackRegion({
      regionId: world.uuid(),
      store,
      world,
      telemetry: silentTelemetry(),
      settings: { endpoint: `${origin}/identity` },
      secret: () => Promise.resolve({ 'domain-id': 'd', 'project-id': 'p', 'user-id': 'u', password: 'p' }),
      onCall: () => (calls += 1),
    });
    const { servers } = openstackProvider(region);
    const ids = Array.from({ length: identities }, () => world.uuid());
    for (const id of ids)
      await store.create(OpenstackIdentity, {
        metadata: { name: id },
        spec: { projectID: `project-${id}`, userID: id, password: 'p', sshKeyName: 'key' },
      });
    const look = () =>
      seconds(() =>
        inLanes(concurrency, identities, (number) =>
          servers.list({ id: ids[number] ?? '', organizationId: 'o', projectId: 'p' }),
        ),
      );
    const bareLook = bareCalls(origin, identities);
    // The first look asks for a token for each identity, and compiles.
    await look();
    await bareLook.look();
    calls = 0;
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(await look());
      bare.push(await bareLook.look());
    }
    await bareLook.close();
    await region.close();
    await store.close();
    return { ours: Math.min(...ours), calls: calls / rounds, bare: Math.min(...bare) };
  });
}

/** The same calls with the same library, without anything else. */
function bareCalls(origin: string, identities: number) {
  const agent = new Agent({ connections: 64 });
  const get = async (path: string): Promise<unknown> => {
    const { body } = await agent.request({ origin, path, method: 'GET', headers: { 'x-auth-token': 'token' } });
    return JSON.parse(await body.text()) as unknown;
  };
  return {
    look: () =>
      seconds(() =>
        inLanes(concurrency, identities, async () => {
          await get('/compute/v2.1/servers/detail?limit=1000');
          await get('/network/v2.0/floatingips?limit=1000');
        }),
      ),
    close: () => agent.close(),
  };
}

/** What it costs to look at all servers of a cloud, as the monitor does each minute. */
export const openstackSuite: Suite = {
  name: 'openstack',
  run: async (progress) => {
    const servers = many(10_000);
    const identities = servers / serversPerIdentity;
    progress(`looking at ${servers.toLocaleString('en')} servers of a recorded cloud`);
    const { ours, calls, bare } = await measure(identities);
    const settings = `${servers.toLocaleString('en')} servers, ${serversPerIdentity} to an identity`;
    const figures: Figure[] = [
      {
        name: 'a look at all servers, for each server',
        settings,
        value: (1e6 * ours) / servers,
        unit: 'µs',
        baseline: { name: 'the same calls bare, and parsed', value: (1e6 * bare) / servers },
        goal: { text: 'at most 1.1 × the bare calls', met: ours / bare <= 1.1 },
      },
      {
        name: 'calls of the cloud for that',
        settings,
        value: calls,
        unit: 'calls',
        baseline: { name: 'one for each server', value: servers },
        goal: { text: 'two for each identity', met: calls <= 2 * identities },
      },
    ];
    return [...figures, ...(await openstackMonitorFigures(progress)), ...(await openstackServerFigures(progress))];
  },
};
