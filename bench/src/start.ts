import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { startExecutable, type Ready } from './executable.ts';
import type { Figure, Suite } from './report.ts';
import { repeats, smoke } from './scale.ts';
import { inTemporaryFolder, seconds } from './workspace.ts';

/** After this time the demo is complete, and the server is idle. */
const idle_ms = smoke ? 500 : 10_000;

/** The memory that the idle server reports. */
async function resident_MB({ base }: Pick<Ready, 'base'>): Promise<number> {
  await sleep(idle_ms);
  const metrics = await (await fetch(`${base}/identity/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6;
}

/** The lowest of several rounds, to reduce the influence of other processes. */
async function least(measure: (round: number) => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < repeats; round++) values.push(await measure(round));
  return Math.min(...values);
}

async function startedIn(folder: string, state: string, args?: readonly string[]): Promise<number> {
  const ready = await startExecutable(folder, state, args);
  await ready.stop();
  return ready.seconds;
}

async function measureMemory(folder: string, state: string): Promise<number> {
  const ready = await startExecutable(folder, state);
  try {
    return await resident_MB(ready);
  } finally {
    await ready.stop();
  }
}

async function bareNode(): Promise<{ readonly seconds: number; readonly resident_MB: number }> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['-p', 'process.memoryUsage.rss()']);
  return {
    seconds: await least(() => seconds(() => run(process.execPath, ['-e', '0']))),
    resident_MB: Number(stdout) / 1e6,
  };
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

      const ready = (settings: string, value: number): Figure => ({
        name: 'from start to ready',
        settings,
        value,
        unit: 's',
        baseline: { name: 'node -e 0', value: bare.seconds },
        goal: { text: 'under 2 s', met: value < 2 },
      });
      const resident = (settings: string, value: number): Figure => ({
        name: 'resident memory, idle',
        settings,
        value,
        unit: 'MB',
        baseline: { name: 'node -e 0', value: bare.resident_MB },
        goal: { text: 'under 200 MB', met: value < 200 },
      });
      return [
        ready('an empty state', empty),
        ready('an empty state, demo data created', demo),
        ready('a state with demo data', resumed),
        resident(`${idle_ms / 1000} s after the first start, with demo data`, first),
        resident(`${idle_ms / 1000} s after a later start, with demo data`, later),
      ];
    }),
};
