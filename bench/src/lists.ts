import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { startPlatform, type Platform } from './compute.ts';
import { percentile, type Figure, type Suite } from './report.ts';
import { many, smoke } from './scale.ts';

const instances = many(20_000, 200);
const listers = 8;
const measured_ms = smoke ? 500 : 15_000;
const idle_ms = smoke ? 500 : 5_000;
/** The pause between two probes, so that they measure waiting and are not the load. */
const pause_ms = 5;

interface Client {
  readonly agent: Agent;
  readonly url: string;
  readonly token: string;
}

/** Reads a response to its end, and only counts its length. */
async function read({ agent, url, token }: Client, path: string): Promise<number> {
  const [response] = (await once(
    get(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }),
    'response',
  )) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return bytes;
}

/** The milliseconds of each probe, until the time is over. */
async function probe(client: Client, duration_ms: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const end = performance.now() + duration_ms;
  while (performance.now() < end) {
    await sleep(pause_ms);
    const begun = performance.now();
    await read(client, '/compute/healthz');
    latencies.push(performance.now() - begun);
  }
  return latencies;
}

interface Loaded {
  readonly latencies: readonly number[];
  readonly listed: number;
  readonly seconds: number;
}

/** Probes while this many clients list everything repeatedly. */
async function probeWhileListing(client: Client): Promise<Loaded> {
  let over = false;
  let listed = 0;
  const lister = async () => {
    while (!over) {
      await read(client, '/compute/api/v2/instances');
      listed += 1;
    }
  };
  const begun = performance.now();
  const listing = Array.from({ length: listers }, lister);
  const latencies = await probe(client, measured_ms);
  const seconds = (performance.now() - begun) / 1000;
  over = true;
  const within = listed;
  await Promise.all(listing);
  return { latencies, listed: within, seconds };
}

async function figures(platform: Platform, progress: (text: string) => void): Promise<readonly Figure[]> {
  const { url, token } = platform.setting;
  const client = { agent: new Agent({ keepAlive: true }), url, token };
  try {
    progress(`storing ${instances.toLocaleString('en')} instances`);
    await platform.order({ type: 'fill', from: 0, to: instances });
    await read(client, '/compute/api/v2/instances');
    progress('probing without other load');
    const idle = percentile(await probe(client, idle_ms), 0.99);
    const before = await platform.value({ type: 'resident' });
    progress(`probing while ${listers} clients list`);
    const { latencies, listed, seconds } = await probeWhileListing(client);
    const after = await platform.value({ type: 'resident' });
    const p99 = percentile(latencies, 0.99);
    const settings = `${instances.toLocaleString('en')} instances, ${listers} clients`;
    return [
      {
        name: '/healthz while clients list all instances, p99',
        settings,
        value: p99,
        unit: 'ms',
        baseline: { name: 'nobody lists', value: idle },
        goal: { text: 'under 50 ms', met: p99 < 50 },
      },
      { name: 'instances listed', settings, value: (listed * instances) / seconds, unit: '/s' },
      {
        name: 'resident memory after that',
        settings,
        value: after,
        unit: 'MB',
        baseline: { name: 'before', value: before },
        goal: { text: 'at most 1.5 times', met: after <= 1.5 * before },
      },
    ];
  } finally {
    client.agent.destroy();
  }
}

export const listsSuite: Suite = {
  name: 'lists',
  async run(progress) {
    progress('starting the platform in its own process');
    const platform = await startPlatform();
    try {
      return await figures(platform, progress);
    } finally {
      await platform.end();
    }
  },
};
