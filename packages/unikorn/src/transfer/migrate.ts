import { existsSync } from 'node:fs';

import { Problem } from '@unikorn/core/errors';
import { assertImported, assertTarget, survey, transfer } from '@unikorn/core/transfer';
import { systemWorld as world } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';
import { controlPlaneKinds } from '../serve/control-plane.ts';
import { assertKeysIn, keysIn, saveKeys, type EncryptionKeys } from '../serve/encryption-key.ts';
import { openKubernetes, openStateForCopy } from '../serve/open-store.ts';
import { keyFile, makeFolder, stateFile } from '../state-directory.ts';
import { assertStopped, installationIn, isOurs, silence, type TargetStore } from './installation.ts';
import { surveyLines, type Report } from './report.ts';

export type StoreType = Configuration['store']['type'];

export interface Migration {
  readonly from: StoreType;
  readonly to: StoreType;
  readonly dryRun: boolean;
}

type Settings = Pick<Configuration, 'state' | 'store'>;

/** Copies an installation from one store to the other. The source is not changed. */
export async function migrate(settings: Settings, { from, to, dryRun }: Migration, report: Report): Promise<void> {
  if (from === to) throw new Problem('invalid_request', '--from and --to are the same: name two different stores');
  const { directory } = settings.state;
  if (from === 'sqlite' && !existsSync(stateFile(directory)))
    throw new Problem('not_found', `there is no state in ${directory}: name its directory with --state`);
  const keys = await keysFor(settings, { from, to, dryRun });
  const source = await opened(settings, from);
  try {
    await assertImported(source);
    await assertStopped(source, world);
    const found = await survey(installationIn(source), (done) => {
      report.progress({ step: 'read', done });
    });
    for (const line of surveyLines(found)) report.line(line);
    if (found.total === 0) throw new Problem('not_found', 'the source has no objects: check its settings');
    if (dryRun && to === 'sqlite') {
      if (existsSync(stateFile(directory)))
        report.line(`${stateFile(directory)} exists: it must be an interrupted copy`);
      report.line('nothing was copied');
      return;
    }
    if (to === 'sqlite') {
      await makeFolder(directory);
      await saveKeys(directory, keys);
    }
    const target = await opened(settings, to);
    try {
      const options = { source: installationIn(source), target, kinds: controlPlaneKinds, wanted: isOurs };
      await assertTarget(options, found.digest);
      if (dryRun) report.line('the target can be used; nothing was copied');
      else {
        const { total, digest } = await transfer({ ...options, progress: report.progress });
        await assertStopped(source, world);
        report.line(`copied ${total} objects to ${to}, and compared them: digest ${digest}`);
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function opened(settings: Settings, type: StoreType): Promise<TargetStore> {
  const context = { state: settings.state.directory, world, telemetry: silence(world) };
  return type === 'sqlite' ? openStateForCopy(context) : openKubernetes(settings.store, context);
}

/**
 * Secrets are copied as they are stored: encrypted. So the target needs the keys of the source. The keys of a state are
 * in its directory; those of an installation on Kubernetes are in the file that `--encryption-keys` names.
 */
async function keysFor({ state, store }: Settings, { to }: Migration): Promise<EncryptionKeys> {
  const { encryptionKeys: file } = store;
  const own = keyFile(state.directory);
  if (to === 'kubernetes' && existsSync(own)) await assertKeysIn(file, own);
  if (file === undefined)
    throw new Problem(
      'invalid_request',
      'the keys of the installation are needed: name the file from its Secret with --encryption-keys',
    );
  return keysIn(file);
}
