import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Figure, Suite } from './report.ts';
import { repeats, smoke } from './scale.ts';
import { inTemporaryFolder, seconds } from './workspace.ts';

const main = join(import.meta.dirname, '../../packages/unikorn/src/main.ts');
/** By then the demo has come up, and nothing is left to do. */
const idle_ms = smoke ? 500 : 10_000;

interface Ready {
  readonly base: string;
  readonly seconds: number;
  stop(): Promise<void>;
}

/** The executable, as it is started by whoever started us: with the same flags and the same cache of what was compiled. */
async function start(folder: string, state: string, args: readonly string[] = []): Promise<Ready> {
  // It ends with this process, and not with the parent of this one, which is what we were told.
  const env = { ...process.env, UNIKORN_PARENT: String(process.pid), NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled') };
  const begun = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, main, 'serve', '--port', '0', '--state', join(folder, state), '--log-level', 'silent', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await announced(child);
  return {
    base,
    seconds: (performance.now() - begun) / 1000,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function announced({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    const base = /is ready at (\S+)/.exec(output)?.[1];
    if (base !== undefined) return base;
  }
  throw new Error(`it ended before it was ready: ${output}`);
}

/** What the server says of its own memory once it has nothing to do. */
async function resident_MB({ base }: Ready): Promise<number> {
  await sleep(idle_ms);
  const metrics = await (await fetch(`${base}/identity/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6;
}

/** The least of several: what the machine can do, with the least of what else it was doing. */
async function least(measure: (round: number) => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < repeats; round++) values.push(await measure(round));
  return Math.min(...values);
}

async function startedIn(folder: string, state: string, args?: readonly string[]): Promise<number> {
  const ready = await start(folder, state, args);
  await ready.stop();
  return ready.seconds;
}

async function measureMemory(folder: string, state: string): Promise<number> {
  const ready = await start(folder, state);
  try {
    return await resident_MB(ready);
  } finally {
    await ready.stop();
  }
}

async function bareNode(): Promise<{ readonly seconds: number; readonly resident_MB: number }> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['-p', 'process.memoryUsage.rss()']);
  return { seconds: await least(() => seconds(() => run(process.execPath, ['-e', '0']))), resident_MB: Number(stdout) / 1e6 };
}

export const startSuite: Suite = {
  name: 'start',
  run: (progress) =>
    inTemporaryFolder(async (folder) => {
      progress('a first start, so that everything is compiled');
      await startedIn(folder, 'warm-up');
      progress('starting');
      const empty = await least((round) => startedIn(folder, `empty-${round}`, ['--no-demo']));
      const demo = await least((round) => startedIn(folder, `demo-${round}`));
      const resumed = await least((round) => startedIn(folder, `demo-${round}`));
      progress('idle');
      const [first, later] = [await measureMemory(folder, 'idle'), await measureMemory(folder, 'idle')];
      const bare = await bareNode();

      const ready = (settings: string, value: number): Figure => ({ name: 'from start to ready', settings, value, unit: 's', baseline: { name: 'node -e 0', value: bare.seconds }, goal: { text: 'under 2 s', met: value < 2 } });
      const resident = (settings: string, value: number): Figure => ({ name: 'resident memory, idle', settings, value, unit: 'MB', baseline: { name: 'node -e 0', value: bare.resident_MB }, goal: { text: 'under 200 MB', met: value < 200 } });
      return [
        ready('an empty state', empty),
        ready('an empty state, demo data made', demo),
        ready('a state with demo data', resumed),
        resident(`${idle_ms / 1000} s after the first start, with demo data`, first),
        resident(`${idle_ms / 1000} s after a later start, with demo data`, later),
      ];
    }),
};
