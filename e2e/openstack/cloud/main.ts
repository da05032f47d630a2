import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackages, obstacle } from './packages.ts';
import { stopAll } from './processes.ts';
import { progressTo } from './progress.ts';
import { extras, firstPort, siteIn, type Site } from './site.ts';
import { startCloud } from './start.ts';

const usage = `usage: node scripts/run.mjs e2e/openstack/cloud/main.ts <command> [folder] [--port 23500] [--with cinder,ironic]
  possible  prints why a cloud cannot be started on this machine, or nothing
  install   installs what is missing, with the lowest priority; without a folder
  up        installs what is missing, and starts a cloud whose state is in the folder
  down      ends the processes of the cloud; the folder stays
  wipe      ends the processes of the cloud and removes the folder
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: String(firstPort) }, with: { type: 'string', default: '' } },
});
const [command, folder] = positionals;
const progress = progressTo();
const wanted = values.with.split(',').filter((name) => name !== '');
const chosen = extras.filter((extra) => wanted.includes(extra));

function fail(message: string, code: number): never {
  process.stderr.write(message);
  process.exit(code);
}

async function assertPossible(): Promise<void> {
  const reason = await obstacle(chosen);
  if (reason !== undefined) fail(`${reason}\n`, 1);
}

/** While other work runs on this machine. */
async function install(): Promise<void> {
  await assertPossible();
  setPriority(constants.priority.PRIORITY_LOW);
  const log = join(await mkdtemp(join(tmpdir(), 'unikorn-install-')), 'apt.log');
  await installPackages({ extras: chosen, log }, progress);
  await rm(dirname(log), { recursive: true });
}

async function up(site: Site): Promise<void> {
  await assertPossible();
  await mkdir(site.path('logs'), { recursive: true });
  await installPackages({ extras: chosen, log: site.path('logs', 'apt.log') }, progress);
  try {
    await startCloud(site, progress);
  } catch (error) {
    await stopAll(site);
    throw error;
  }
  progress.done(`ready: ${site.url('keystone', '/v3')}, ${site.path('openrc')}`);
}

async function down(site: Site, isWiped: boolean): Promise<void> {
  const ended = await stopAll(site, { atOnce: isWiped });
  progress.done(`ended ${ended.length} processes`);
  if (isWiped) await rm(site.folder, { recursive: true, force: true });
}

if (chosen.length < wanted.length) fail(usage, 2);
if (command === 'possible') process.stdout.write((await obstacle(chosen)) ?? '');
else if (command === 'install' && folder === undefined) await install();
else if (folder === undefined) fail(usage, 2);
else {
  const site = siteIn(resolve(folder), { first: Number(values.port), with: chosen });
  if (command === 'up') await up(site);
  else if (command === 'down' || command === 'wipe') await down(site, command === 'wipe');
  else fail(usage, 2);
}
