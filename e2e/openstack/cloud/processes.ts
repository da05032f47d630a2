import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, open, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { host, type Site } from './site.ts';

export type Environment = Readonly<Record<string, string>>;

interface Started {
  readonly pid: number;
  /** From the kernel: together with the pid it names one process for ever, also after the pid was used again. */
  readonly startTime: string;
  readonly name: string;
}

/** How long a service may take to start. The machine may be busy. */
const patience_ms = 300_000;

/** How long a service may take to end by itself. */
const grace_ms = 10_000;

/** What the others need, so it ends last. */
const foundations = new Set(['database', 'cache', 'queue-names', 'queue', 'northbound', 'southbound', 'northd']);

/** Starts a process in a session of its own, which goes on when this program ends, and writes down its pid. */
export async function start(
  site: Site,
  name: string,
  command: readonly string[],
  environment: Environment = {},
): Promise<void> {
  const log = await open(logOf(site, name), 'a');
  try {
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      env: environmentOf(site, environment),
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    const pid = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('spawn', () => {
        resolve(child.pid ?? 0);
      });
    });
    child.unref();
    await appendFile(site.path('pids'), `${pid} ${(await startTimeOf(pid)) ?? '0'} ${name}\n`);
  } finally {
    await log.close();
  }
}

/** Runs a command to its end. Its output is in its log. */
export async function runToEnd(
  site: Site,
  name: string,
  command: readonly string[],
  environment: Environment = {},
): Promise<void> {
  const log = await open(logOf(site, name), 'a');
  try {
    const [program = '', ...args] = command;
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(program, args, {
        env: environmentOf(site, environment),
        stdio: ['ignore', log.fd, log.fd],
      });
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (code !== 0) throw new Error(await withLog(site, name, `${name} ended with exit code ${String(code)}`));
  } finally {
    await log.close();
  }
}

/** Nothing of the caller's own: another Python that comes first in its path misleads the services. */
function environmentOf(site: Site, environment: Environment): Environment {
  return {
    ...environment,
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    HOME: site.path('run'),
    // Compiled files would be written beside the sources.
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** Waits until a service is ready, as long as it runs. */
export async function ready(site: Site, name: string, isReady: () => Promise<boolean>): Promise<void> {
  for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += 200) {
    if (await isReady()) return;
    const process = (await startedIn(site)).find((other) => other.name === name);
    if (!process || !(await isAlive(process))) throw new Error(await withLog(site, name, `${name} ended`));
    await sleep(200);
  }
  throw new Error(await withLog(site, name, `${name} is not ready after ${patience_ms / 1000} seconds`));
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

/** The processes of a cloud that still run. */
export async function running(site: Site): Promise<readonly Started[]> {
  const alive: Started[] = [];
  for (const process of await startedIn(site)) if (await isAlive(process)) alive.push(process);
  return alive;
}

/**
 * Ends what was started, by the pids that were written down, and nothing else. At once, if nobody needs the state any
 * more: services take up to ten seconds to end by themselves.
 */
export async function stopAll(
  site: Site,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<readonly string[]> {
  const processes = (await running(site)).toReversed();
  if (atOnce) for (const process of processes) signal(process, 'SIGKILL');
  await stopTogether(processes.filter(({ name }) => !foundations.has(name)));
  await stopTogether(processes.filter(({ name }) => foundations.has(name)));
  await rm(site.path('pids'), { force: true });
  return processes.map(({ name }) => name);
}

async function stopTogether(processes: readonly Started[]): Promise<void> {
  for (const process of processes) signal(process, 'SIGTERM');
  for (let waited_ms = 0; waited_ms < grace_ms; waited_ms += 100) {
    if (processes.every((process) => !signal(process, 0))) return;
    await sleep(100);
  }
  for (const process of processes) signal(process, 'SIGKILL');
}

/** Signals the process and what it started; false when there is none of them left. */
function signal({ pid }: Started, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}

async function startedIn(site: Site): Promise<readonly Started[]> {
  if (!existsSync(site.path('pids'))) return [];
  const lines = (await readFile(site.path('pids'), 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [pid = '', startTime = '', name = ''] = line.split(' ');
    return { pid: Number(pid), startTime, name };
  });
}

async function isAlive({ pid, startTime }: Started): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program stands in parentheses and may hold anything; the fields after it count from the third.
  const [state, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === 'Z' ? undefined : rest[18];
}

function logOf(site: Site, name: string): string {
  return site.path('logs', `${name}.log`);
}

async function withLog(site: Site, name: string, message: string): Promise<string> {
  const lines = (await readFile(logOf(site, name), 'utf8').catch(() => '')).trimEnd().split('\n');
  return [`${message}. The end of ${logOf(site, name)}:`, ...lines.slice(-20)].join('\n');
}
