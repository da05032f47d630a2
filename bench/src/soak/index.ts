import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { startExecutable, type Ready } from '../executable.ts';
import { percentile, type Figure, type Suite } from '../report.ts';
import { minutes, smoke } from '../scale.ts';
import { inTemporaryFolder } from '../workspace.ts';
import { pause } from './client.ts';
import { workOrdinarily, type Sample } from './ordinary.ts';
import type { Orders, Tally } from './orders.ts';
import { resident_MB } from './resident.ts';
import { fillTenant, prepareStage, type Tenant } from './stage.ts';

const total_s = smoke ? 6 : minutes * 60;
/** Compiling and filling caches is complete after this time. */
const warmUp_s = smoke ? 1 : Math.min(20, total_s / 10);
const alone_s = total_s / 4 - warmUp_s;
const beside_s = (total_s * 3) / 4;
/** The number of instances that the callers that list everything read each time. */
const keptInstances = smoke ? 20 : Math.round(Math.min(5_000, 250 * minutes));
const [ordinaryTenants, lanesEach] = [4, 2];
const hostileTenants = 3;
const limits = { slower: 3, resident_MB: 600 } as const;

/** The results of one part of the run. */
class Part {
  readonly samples: Sample[] = [];
  peak_MB = 0;

  get failures(): readonly string[] {
    return this.samples.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  }

  p99_ms(what?: string): number {
    return percentile(
      this.samples.filter((sample) => what === undefined || sample.what === what).map(({ took_ms }) => took_ms),
      0.99,
    );
  }
}

/** One line that is rewritten on a terminal. Elsewhere a new line is written from time to time. */
class Ticker {
  readonly #line: (text: string) => void;
  #shown_ms = 0;

  constructor(progress: (text: string) => void) {
    this.#line = progress;
  }

  show(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
    else if (performance.now() - this.#shown_ms > (smoke ? 1_000 : 30_000)) {
      this.#line(text);
      this.#shown_ms = performance.now();
    }
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }
}

/** Lets the ordinary callers work for this time, and measures the server's memory. */
async function measure(
  server: Ready,
  tenants: readonly Tenant[],
  seconds: number,
  name: string,
  ticker: Ticker,
): Promise<Part> {
  const part = new Part();
  const stop = new AbortController();
  const working = tenants.flatMap((tenant) =>
    Array.from({ length: lanesEach }, (_, lane) =>
      workOrdinarily(
        server.base,
        tenant,
        laneNumber++ * 100 + lane,
        (sample) => part.samples.push(sample),
        stop.signal,
      ),
    ),
  );
  const end = performance.now() + seconds * 1000;
  try {
    while (performance.now() < end) {
      await pause(Math.min(1_000, Math.max(1, end - performance.now())));
      const now_MB = await resident_MB(server.pid);
      part.peak_MB = Math.max(part.peak_MB, now_MB);
      const left_s = Math.max(0, Math.round((end - performance.now()) / 1000));
      ticker.show(
        `${name}: ${left_s} s left, ${part.samples.length.toLocaleString('en')} requests, p99 ${part.p99_ms().toFixed(0)} ms, ${part.failures.length} failed, resident ${now_MB.toFixed(0)} MB (at most ${part.peak_MB.toFixed(0)})`,
      );
    }
  } finally {
    stop.abort();
    await Promise.all(working);
    ticker.end();
  }
  return part;
}

/** Names of instances differ between the parts, because instances of the earlier part may still be in deletion. */
let laneNumber = 0;

/** Starts the hostile callers in their own process. */
function unleash(orders: Orders): Promise<Tally> {
  const child = fork(join(import.meta.dirname, 'hostile.ts'));
  child.send(orders);
  return Promise.race([
    once(child, 'message').then(([tally]) => {
      child.disconnect();
      return tally as Tally;
    }),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the hostile process ended with ${String(code)}`))),
  ]);
}

async function soak(folder: string, progress: (text: string) => void): Promise<readonly Figure[]> {
  const state = join(folder, 'state');
  const server = await startExecutable(folder, 'state', ['--no-demo']);
  const died = server.ended.then(() => Promise.reject(new Error('the server ended in the middle of the soak')));
  died.catch(() => undefined);
  const ticker = new Ticker(progress);
  try {
    const work = async () => {
      progress('preparing tenants');
      const names = [...numbered('ordinary', ordinaryTenants), ...numbered('hostile', hostileTenants)];
      const tenants = await prepareStage(server.base, state, names);
      const [ordinary, hostile] = [tenants.slice(0, ordinaryTenants), tenants.slice(ordinaryTenants)];
      for (const tenant of hostile.slice(1, 2)) await fillTenant(server.base, tenant, keptInstances);
      await measure(server, ordinary, warmUp_s, 'warming up', ticker);
      progress(`ordinary callers alone, for ${alone_s.toFixed(0)} s`);
      const alone = await measure(server, ordinary, alone_s, 'alone', ticker);
      progress(`beside hostile ones, for ${beside_s.toFixed(0)} s`);
      const attacking = unleash({ base: server.base, tenants: hostile, seconds: beside_s });
      attacking.catch(() => undefined);
      const beside = await measure(server, ordinary, beside_s, 'with hostile callers', ticker);
      const tally = await attacking;
      progress('afterwards');
      await pause(smoke ? 100 : 15_000);
      return figures(
        {
          alone,
          beside,
          tally,
          after_MB: await resident_MB(server.pid),
          disk_MB: (await stat(join(state, 'state.db'))).size / 1e6,
        },
        progress,
      );
    };
    return await Promise.race([work(), died]);
  } finally {
    await server.stop();
  }
}

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${name}-${number + 1}`);
}

interface Result {
  readonly alone: Part;
  readonly beside: Part;
  readonly tally: Tally;
  readonly after_MB: number;
  readonly disk_MB: number;
}

function figures(
  { alone, beside, tally, after_MB, disk_MB }: Result,
  progress: (text: string) => void,
): readonly Figure[] {
  for (const failure of [...new Set([...alone.failures, ...beside.failures])].slice(0, 10))
    progress(`an ordinary request failed: ${failure}`);
  for (const failure of tally.failures) progress(`an attack ended early: ${failure}`);
  const settings = `${ordinaryTenants * lanesEach} ordinary callers beside hostile ones, ${beside_s.toFixed(0)} s`;
  const ratio = beside.p99_ms() / alone.p99_ms();
  const peak_MB = Math.max(alone.peak_MB, beside.peak_MB);
  const each = [...new Set(beside.samples.map(({ what }) => what))].toSorted();
  return [
    {
      name: 'ordinary requests, p99',
      settings,
      value: beside.p99_ms(),
      unit: 'ms',
      baseline: { name: 'alone', value: alone.p99_ms() },
      goal: { text: `at most ${limits.slower} × of alone`, met: ratio <= limits.slower, decides: true },
    },
    {
      name: 'ordinary requests that failed',
      settings,
      value: beside.failures.length,
      unit: `of ${beside.samples.length.toLocaleString('en')}`,
      goal: { text: 'none', met: beside.failures.length === 0, decides: true },
    },
    {
      name: 'resident memory, at most',
      settings,
      value: peak_MB,
      unit: 'MB',
      baseline: { name: 'alone', value: alone.peak_MB },
      goal: { text: `under ${limits.resident_MB} MB`, met: peak_MB < limits.resident_MB, decides: true },
    },
    {
      name: 'resident memory afterwards',
      settings: 'after the hostile callers have stopped',
      value: after_MB,
      unit: 'MB',
      baseline: { name: 'alone', value: alone.peak_MB },
    },
    { name: 'state on disk', settings, value: disk_MB, unit: 'MB' },
    ...each.map((what): Figure => ({
      name: `${what}, p99`,
      settings,
      value: beside.p99_ms(what),
      unit: 'ms',
      baseline: { name: 'alone', value: alone.p99_ms(what) },
    })),
    ...Object.entries(tally.counts).map(([what, statuses]): Figure => ({
      name: `hostile: ${what}`,
      settings: answered(statuses),
      value: sum(statuses),
      unit: 'times',
    })),
  ];
}

function sum(statuses: Readonly<Record<string, number>>): number {
  return Object.values(statuses).reduce((whole, count) => whole + count, 0);
}

function answered(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status === '0' ? 'cut' : status}: ${count.toLocaleString('en')}`)
    .join(', ');
}

/** Mixed load of hostile and ordinary callers: the ordinary callers must not be affected. */
export const soakSuite: Suite = {
  name: 'soak',
  onDemand: true,
  run: (progress) => inTemporaryFolder((folder) => soak(folder, progress)),
};
