import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { startExecutable } from './executable.ts';
import type { Figure, Suite } from './report.ts';
import { repeats } from './scale.ts';
import { inTemporaryFolder } from './workspace.ts';

const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'packages/unikorn/bin/unikorn.mjs');

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/**
 * The processor time of a command with all its processes, in seconds. It is measured by a process that runs only this
 * command, because a process knows the time of its children only as a sum.
 */
async function cpuSeconds(command: readonly string[], { env, cwd = root }: Place): Promise<number> {
  const measure = [
    "const { spawnSync } = require('node:child_process');",
    "const { readFileSync } = require('node:fs');",
    'const { status } = spawnSync(process.argv[1], process.argv.slice(2), { stdio: "ignore" });',
    "const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');",
    // The user and system time of ended children, in hundredths of a second.
    'console.log(JSON.stringify({ status, seconds: (Number(fields[13]) + Number(fields[14])) / 100 }));',
  ].join('\n');
  const child = spawn(process.execPath, ['-e', measure, ...command], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  const [, status, time] = /"status":(\d+),"seconds":([\d.]+)/.exec(output) ?? [];
  if (status !== '0') throw new Error(`${command.join(' ')} ended with ${status ?? 'nothing'}`);
  return Number(time);
}

/** The lowest of several rounds, to reduce the influence of other processes. */
async function least(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round <= repeats; round++) values.push(await measure());
  return Math.min(...values);
}

const settings = 'on Node 24, compiled before';

/** A project with a program that does nothing, to measure npx alone. */
async function emptyProject(folder: string): Promise<string> {
  const project = join(folder, 'empty');
  const programs = join(project, 'node_modules/.bin');
  await mkdir(programs, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await writeFile(join(programs, 'empty'), '#!/bin/sh\n', { mode: 0o755 });
  return project;
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
        const node = [process.execPath];
        const bare = { name: 'node -e 0', value: await least(() => cpuSeconds([...node, '-e', '0'], { env })) };
        const figure = async (name: string, command: readonly string[]): Promise<Figure> => {
          const value = await least(() => cpuSeconds(command, { env }));
          const goal = { text: 'under 0.25 s', met: value < 0.25 };
          return { name: `processor time of ${name}`, settings, value, unit: 's', baseline: bare, goal };
        };
        const list = ['instance', 'list'];
        const own = [
          await figure('unikorn --version', [...node, launcher, '--version']),
          await figure('unikorn --help', [...node, launcher, '--help']),
          await figure('unikorn instance list', [...node, launcher, ...list]),
          await figure('./unikorn instance list', [join(root, 'unikorn'), ...list]),
        ];
        const empty = await emptyProject(folder);
        const floor = await least(() => cpuSeconds(['npx', '--no', 'empty'], { env, cwd: empty }));
        const npx = await figure('npx unikorn --version', ['npx', 'unikorn', '--version']);
        return [...own, { ...npx, baseline: { name: 'npx of an empty program', value: floor } }];
      } finally {
        await server.stop();
      }
    }),
};
