import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { installPackages, obstacle } from './cloud/packages.ts';
import { stopAll } from './cloud/processes.ts';
import { progressTo } from './cloud/progress.ts';
import { extras, siteIn, type Site } from './cloud/site.ts';
import { startCloud } from './cloud/start.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cloud, with `cloud.json` in it. */
    readonly cloudFolder: string;
    /** Whether the cloud lives on after the tests, so that they must remove what they made. */
    readonly cloudIsShared: boolean;
  }
}

/**
 * Starts a cloud for the tests, or uses the one whose folder is in `UNIKORN_OPENSTACK`. `UNIKORN_OPENSTACK_LEFT=wiped`
 * says that it is removed afterwards, so that nothing has to be removed from it.
 */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const folder = process.env['UNIKORN_OPENSTACK'];
  provide('cloudIsShared', folder !== undefined && process.env['UNIKORN_OPENSTACK_LEFT'] !== 'wiped');
  if (folder !== undefined) {
    provide('cloudFolder', folder);
    return undefined;
  }
  const reason = await obstacle(extras);
  if (reason !== undefined) throw new Error(reason);
  const site = siteIn(join(tmpdir(), 'unikorn-openstack'), { with: extras });
  provide('cloudFolder', site.folder);
  await takeOver(site);
  const stop = async () => {
    await stopAll(site, { atOnce: true });
    await rm(site.folder, { recursive: true, force: true });
  };
  try {
    const progress = progressTo();
    await mkdir(site.path('logs'), { recursive: true });
    await installPackages({ extras, log: site.path('logs', 'apt.log') }, progress);
    await startCloud(site, progress);
  } catch (error) {
    // The logs stay.
    await stopAll(site);
    throw error;
  }
  return stop;
}

/** Makes the folder ours. A run that was killed may have left a cloud in it, which is stopped. */
async function takeOver(site: Site): Promise<void> {
  const owner = Number(await readFile(site.path('owner'), 'utf8').catch(() => '0'));
  if (owner !== 0 && isAlive(owner))
    throw new Error(
      `Another run of these tests has the cloud in ${site.folder}: its pid is ${owner}. Wait for its end.`,
    );
  await stopAll(site);
  await rm(site.folder, { recursive: true, force: true });
  await mkdir(site.folder, { recursive: true });
  await writeFile(site.path('owner'), String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
