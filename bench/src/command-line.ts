import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

import { startExecutable } from './executable.ts';
import type { Figure, Suite } from './report.ts';
import { repeats } from './scale.ts';
import { inTemporaryFolder } from './workspace.ts';

const launcher = join(import.meta.dirname, '../../packages/unikorn/bin/unikorn.mjs');

/**
 * The processor time of a command with all its processes, in seconds. It is measured by a process that runs only this
 * command, because a process knows the time of its children only as a sum.
 */
async function cpuSeconds(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const measure = [
    "const { spawnSync } = require('node:child_process');",
    "const { readFileSync } = require('node:fs');",
    'const { status } = spawnSync(process.argv[1], process.argv.slice(2), { stdio: "ignore" });',
    "const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');",
    // The user and system time of ended children, in hundredths of a second.
    'console.log(JSON.stringify({ status, seconds: (Number(fields[13]) + Number(fields[14])) / 100 }));',
  ].join('\n');
  const child = spawn(process.execPath, ['-e', measure, process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  const [, status, time] = /"status":(\d+),"seconds":([\d.]+)/.exec(output) ?? [];
  if (status !== '0') throw new Error(`${args.join(' ')} ended with ${status ?? 'nothing'}`);
  return Number(time);
}

/** The lowest of several rounds, to reduce the influence of other processes. */
async function least(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round <= repeats; round++) values.push(await measure());
  return Math.min(...values);
}

/** What a command costs before it does its work. Linux only, because it reads the processor time of children there. */
export const commandLineSuite: Suite = {
  name: 'cli',
  run: (progress) =>
    inTemporaryFolder(async (folder) => {
      progress('starting a server');
      const server = await startExecutable(folder, 'state');
      try {
        const env = { ...process.env, UNIKORN_STATE: join(folder, 'state'), HOME: dirname(folder) };
        progress('commands');
        const bare = await least(() => cpuSeconds(['-e', '0'], env));
        const figure = (command: string, value: number): Figure => ({
          name: `processor time of unikorn ${command}`,
          settings: 'on Node 24, compiled before',
          value,
          unit: 's',
          baseline: { name: 'node -e 0', value: bare },
          goal: { text: 'under 0.25 s', met: value < 0.25 },
        });
        const commands = ['--help', 'instance list'];
        const values: Figure[] = [];
        for (const command of commands)
          values.push(figure(command, await least(() => cpuSeconds([launcher, ...command.split(' ')], env))));
        return values;
      } finally {
        await server.stop();
      }
    }),
};
