import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, open, rm, writeFile } from 'node:fs/promises';

import type { Progress } from './progress.ts';
import type { Extra } from './site.ts';

/**
 * Libraries and programs only. The packages of the services (keystone, nova-api, mariadb-server) would ask questions,
 * write to /etc and start daemons.
 */
const needed = [
  'curl',
  'mariadb-client-core',
  'mariadb-server-core',
  'memcached',
  'novnc',
  'openssl',
  'ovn-central',
  'python3-glance',
  'python3-keystone',
  'python3-memcache',
  'python3-neutron',
  'python3-nova',
  'python3-octavia',
  'python3-openstackclient',
  'python3-ovn-octavia-provider',
  'python3-placement',
  'python3-pymysql',
  'rabbitmq-server',
  'uwsgi-core',
  'uwsgi-plugin-python3',
];

const neededBy: Readonly<Record<Extra, readonly string[]>> = {
  cinder: ['python3-cinder'],
  ironic: ['python3-ironic'],
};

/** Debian asks this program whether a package may start its daemons while it is installed. */
const daemonPolicy = '/usr/sbin/policy-rc.d';

/** Why the cloud cannot run on this machine, in one sentence; undefined where it can. */
export async function obstacle(extras: Iterable<Extra> = []): Promise<string | undefined> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID=debian$/m.test(system) || !/^VERSION_ID="12"$/m.test(system))
    return 'The OpenStack for these tests is made of packages of Debian 12, and this machine runs another system.';
  const missing = await missingPackages(extras);
  if (missing.length > 0 && process.getuid?.() !== 0)
    return `The OpenStack for these tests needs root once, to install packages: ${missing.join(' ')}`;
  return undefined;
}

export interface Installation {
  readonly extras: Iterable<Extra>;
  /** The file with the output of `apt-get`. */
  readonly log: string;
}

export async function installPackages({ extras, log }: Installation, progress: Progress): Promise<void> {
  const missing = await missingPackages(extras);
  if (missing.length === 0) return;
  progress.doing(`installing ${missing.length} packages and what they need, which takes minutes, once`);
  const keepsDaemonsDown = !existsSync(daemonPolicy);
  if (keepsDaemonsDown) await writeFile(daemonPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await apt(log, ['update']);
    await apt(log, ['install', '--no-install-recommends', ...missing]);
  } finally {
    if (keepsDaemonsDown) await rm(daemonPolicy, { force: true });
  }
  progress.done(`installed ${missing.length} packages`);
}

async function missingPackages(extras: Iterable<Extra>): Promise<readonly string[]> {
  const installed = new Set<string>();
  const { output } = await run('dpkg-query', ['--show', '--showformat', '${db:Status-Abbrev} ${Package}\n']);
  for (const line of output.split('\n')) {
    const [state, name] = line.trim().split(/\s+/);
    if (state === 'ii' && name !== undefined) installed.add(name);
  }
  return [...needed, ...[...extras].flatMap((extra) => neededBy[extra])].filter((name) => !installed.has(name));
}

const aptOptions = [
  '--quiet',
  '--yes',
  '-oDPkg::Lock::Timeout=900',
  '-oDpkg::Options::=--force-confold',
  '-oDpkg::Options::=--force-unsafe-io',
  '-oAcquire::Retries=3',
];

async function apt(log: string, args: readonly string[]): Promise<void> {
  const file = await open(log, 'a');
  try {
    const { code } = await run('apt-get', [...aptOptions, ...args], file.fd);
    if (code !== 0) throw new Error(`apt-get ${args[0] ?? ''} failed: see ${log}`);
  } finally {
    await file.close();
  }
}

function run(command: string, args: readonly string[], log?: number) {
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', log ?? 'pipe', log ?? 'ignore'],
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}
