import { rm, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackages, obstacle } from './packages.ts';
import { stopAll } from './processes.ts';
import { progressTo } from './progress.ts';
import { firstPort, siteIn } from './site.ts';
import { startCloud } from './start.ts';

const usage = `usage: node scripts/run.mjs e2e/openstack/cloud/main.ts <command> [folder] [--port 23500]
  possible  prints why a cloud cannot be started on this machine, or nothing
  up        installs what is missing, and starts a cloud whose state is in the folder
  down      ends the processes of the cloud; the folder stays
  wipe      ends the processes of the cloud and removes the folder
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: String(firstPort) } },
});
const [command, folder] = positionals;
const progress = progressTo();

if (command === 'possible') {
  process.stdout.write((await obstacle()) ?? '');
  process.exit();
}
if (folder === undefined || (command !== 'up' && command !== 'down' && command !== 'wipe')) {
  process.stderr.write(usage);
  process.exit(2);
}
const site = siteIn(resolve(folder), Number(values.port));
if (command === 'up') {
  const reason = await obstacle();
  if (reason !== undefined) {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
  await mkdir(site.path('logs'), { recursive: true });
  await installPackages(site, progress);
  try {
    await startCloud(site, progress);
  } catch (error) {
    await stopAll(site);
    throw error;
  }
  progress.done(`ready: ${site.url('keystone', '/v3')}, ${site.path('openrc')}`);
} else {
  const ended = await stopAll(site);
  progress.done(`ended ${ended.length} processes`);
  if (command === 'wipe') await rm(site.folder, { recursive: true, force: true });
}
