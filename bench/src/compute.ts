import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { Caller } from './caller.ts';
import { instancesPerProject, otherId, type Answer, type Order, type Setting } from './compute-orders.ts';
import { percentile, type Figure, type Suite } from './report.ts';
import { many, repeats } from './scale.ts';
import { inLanes, seconds } from './workspace.ts';

const callers = 192;
const readers = 4;
/** Created before the measured ones, so that compilation is not measured. */
const warmUp = many(500);
/** Enough for some ten seconds, so that queues, batches and checkpoints are part of the result. */
const creates = many(10_000);
const reads = many(2_000);
const stored = [many(1_000, 100), many(10_000, 200), many(100_000, 400)] as const;

/** The services in their own process, and a client for them. */
export class Platform {
  readonly #child: ChildProcess;
  readonly #caller: Caller;
  readonly setting: Setting;

  constructor(child: ChildProcess, setting: Setting) {
    this.#child = child;
    this.setting = setting;
    this.#caller = new Caller(setting.url, setting.token);
  }

  /** The measurements that the process made itself. */
  async order(order: Order): Promise<readonly number[]> {
    const answered = answerOf(this.#child);
    this.#child.send(order);
    const answer = await answered;
    if (!('done' in answer)) throw new Error('failed' in answer ? answer.failed : 'it started twice');
    return typeof answer.done === 'number' ? [answer.done] : answer.done;
  }

  async value(order: Order): Promise<number> {
    return (await this.order(order))[0] ?? Number.NaN;
  }

  /** Milliseconds until the whole response had arrived. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
    return this.#caller.call(method, path, body);
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#caller.end();
    this.#child.disconnect();
    await exited;
  }
}

/** On a file, or in a namespace of a Kubernetes cluster. */
export async function startPlatform(cluster?: {
  readonly kubeconfig: string;
  readonly namespace: string;
}): Promise<Platform> {
  const child = fork(
    join(import.meta.dirname, 'compute-platform.ts'),
    cluster ? [cluster.kubeconfig, cluster.namespace] : [],
  );
  const answer = await answerOf(child);
  if (!('ready' in answer)) throw new Error('failed' in answer ? answer.failed : 'it did not report that it is ready');
  return new Platform(child, answer.ready);
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [answer] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => [{ failed: `it ended with ${code}` }]),
    ])) as [Answer];
    return answer;
  } finally {
    over.abort();
  }
}

export interface Creation {
  readonly created: number;
  readonly created_p99_ms: number;
  readonly provisioned: number;
  readonly writes: number;
}

export interface Load {
  readonly callers: number;
  readonly warmUp: number;
  readonly creates: number;
}

/** Creates instances as fast as this number of callers can, while controllers work. */
export async function measureCreates(platform: Platform, { callers, warmUp, creates }: Load): Promise<Creation> {
  const { places, flavorId, imageId } = platform.setting;
  const latencies: number[] = [];
  const create = async (number: number) => {
    const place = places[number % places.length];
    latencies.push(
      await platform.call('POST', '/compute/api/v2/instances', {
        metadata: { name: `web-${number}` },
        spec: { ...place, flavorId, imageId },
      }),
    );
  };
  await inLanes(callers, warmUp, create);
  await platform.order({ type: 'await provisioned', count: warmUp });
  latencies.length = 0;
  const before = await platform.value({ type: 'version' });
  let created = 0;
  const provisioned = await seconds(async () => {
    created = await seconds(() => inLanes(callers, creates, (number) => create(warmUp + number)));
    await platform.order({ type: 'await provisioned', count: warmUp + creates });
  });
  const writes = (await platform.value({ type: 'version' })) - before;
  return {
    created: creates / created,
    created_p99_ms: percentile(latencies, 0.99),
    provisioned: creates / provisioned,
    writes: writes / creates,
  };
}

async function creationFigures(platform: Platform, progress: (text: string) => void): Promise<readonly Figure[]> {
  progress(`${creates.toLocaleString('en')} instances`);
  const { created, created_p99_ms, provisioned, writes } = await measureCreates(platform, { callers, warmUp, creates });
  progress('plain creates and requests');
  const plain = await platform.value({ type: 'plain creates', lanes: callers, count: many(8_000) });
  const bare: number[] = [];
  await inLanes(callers, creates, async () => bare.push(await platform.call('GET', '/compute/api/version')));
  const settings = `${callers} concurrent callers, controllers at work`;
  return [
    {
      name: 'instances created',
      settings,
      value: created,
      unit: '/s',
      baseline: { name: 'plain creates', value: plain },
      goal: { text: 'at least 1,000 /s', met: created >= 1_000 },
    },
    {
      name: 'creating an instance, p99',
      settings,
      value: created_p99_ms,
      unit: 'ms',
      baseline: { name: 'reading the version', value: percentile(bare, 0.99) },
    },
    {
      name: 'instances requested and provisioned',
      settings: `${settings}, ${writes.toFixed(1)} writes each`,
      value: provisioned,
      unit: '/s',
      baseline: { name: 'plain creates', value: plain },
      goal: { text: 'at least 500 /s', met: provisioned >= 500 },
    },
  ];
}

async function reverseFigure(platform: Platform, progress: (text: string) => void): Promise<Figure> {
  progress('changes of servers');
  const delays = await platform.order({ type: 'server changes', count: many(1_000) });
  const [p99, median] = [percentile(delays, 0.99), percentile(delays, 0.5)];
  return {
    name: 'a server changes, and its instance shows it, p99',
    settings: 'one change after the other, from stored to stored',
    value: p99,
    unit: 'ms',
    baseline: { name: 'median', value: median },
    goal: { text: 'under 50 ms', met: p99 < 50 },
  };
}

interface Reads {
  readonly get: number;
  readonly list: number;
}

/** The 99th percentile in milliseconds. The lowest of several rounds, to reduce the influence of other processes. */
async function measureReads(platform: Platform): Promise<Reads> {
  const measured = async (path: (number: number) => string) => {
    const results: number[] = [];
    for (let round = 0; round < repeats; round++) {
      const latencies: number[] = [];
      await inLanes(readers, reads, async (number) => latencies.push(await platform.call('GET', path(number))));
      results.push(percentile(latencies, 0.99));
    }
    return Math.min(...results);
  };
  return {
    get: await measured((number) => `/compute/api/v2/instances/${otherId('instance', number % instancesPerProject)}`),
    list: await measured((number) => `/compute/api/v2/instances?projectID=${otherId('project', number % 10)}`),
  };
}

async function readFigures(platform: Platform, progress: (text: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const fewestStored = `${stored[0].toLocaleString('en')} stored`;
  let fewest: Reads | undefined;
  let filled = 0;
  for (const count of stored) {
    const many = count.toLocaleString('en');
    progress(`storing ${many} instances`);
    await platform.order({ type: 'fill', from: filled, to: count });
    filled = count;
    progress(`reading with ${many} instances stored`);
    const { get, list } = await measureReads(platform);
    fewest ??= { get, list };
    const settings = `${many} other instances stored, ${readers} concurrent readers`;
    figures.push(
      {
        name: 'reading an instance, p99',
        settings,
        value: get,
        unit: 'ms',
        baseline: { name: fewestStored, value: fewest.get },
      },
      {
        name: `listing the ${instancesPerProject} instances of a project, p99`,
        settings,
        value: list,
        unit: 'ms',
        baseline: { name: fewestStored, value: fewest.list },
        goal: { text: 'under 20 ms', met: list < 20 },
      },
    );
  }
  return figures;
}

export const computeSuite: Suite = {
  name: 'compute',
  async run(progress) {
    progress('starting the platform in its own process');
    const platform = await startPlatform();
    try {
      return [
        ...(await creationFigures(platform, progress)),
        await reverseFigure(platform, progress),
        ...(await readFigures(platform, progress)),
      ];
    } finally {
      await platform.end();
    }
  },
};
