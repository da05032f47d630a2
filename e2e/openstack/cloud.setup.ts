import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { installPackages, obstacle } from './cloud/packages.ts';
import { stopAll } from './cloud/processes.ts';
import { progressTo } from './cloud/progress.ts';
import { siteIn } from './cloud/site.ts';
import { startCloud } from './cloud/start.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cloud, with `cloud.json` in it. */
    readonly cloudFolder: string;
    /** Whether the cloud lives on after the tests, so that they must remove what they made. */
    readonly cloudIsShared: boolean;
  }
}

/** Starts a cloud for the tests, or uses the one whose folder is in `UNIKORN_OPENSTACK`. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const folder = process.env['UNIKORN_OPENSTACK'];
  provide('cloudIsShared', folder !== undefined);
  if (folder !== undefined) {
    provide('cloudFolder', folder);
    return undefined;
  }
  const reason = await obstacle();
  if (reason !== undefined) throw new Error(reason);
  const site = siteIn(await mkdtemp(join(tmpdir(), 'unikorn-openstack-')));
  provide('cloudFolder', site.folder);
  const stop = async () => {
    await stopAll(site);
    await rm(site.folder, { recursive: true, force: true });
  };
  try {
    const progress = progressTo();
    await mkdir(site.path('logs'), { recursive: true });
    await installPackages(site, progress);
    await startCloud(site, progress);
  } catch (error) {
    await stopAll(site);
    throw error;
  }
  return stop;
}
