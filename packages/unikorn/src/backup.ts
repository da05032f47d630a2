import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Problem } from '@unikorn/core/errors';
import type { StoredObject } from '@unikorn/core/store';
import { backupFile, restoreFile } from '@unikorn/core/store/sqlite';
import { assertImported, fileSource, transfer, writeObjects, type ObjectSource } from '@unikorn/core/transfer';
import { systemWorld as world, timestamp } from '@unikorn/core/world';

import type { Configuration } from './configuration/schema.ts';
import { controlPlaneKinds } from './serve/control-plane.ts';
import { restoreCredentials } from './serve/credentials.ts';
import { assertKeysIn } from './serve/encryption-key.ts';
import { openKubernetes, openStateForCopy } from './serve/open-store.ts';
import { credentialsFile, exists, keyFile, makeFolder, objectsFile, stateFile } from './state-directory.ts';
import { installationIn, isOurs, silence } from './transfer/installation.ts';
import type { Report } from './transfer/report.ts';
import { version } from './version.ts';

type Settings = Pick<Configuration, 'state' | 'store'>;

/**
 * A backup is a folder with everything that a start needs: the objects, their encryption keys, and the credentials for
 * scripts. Protect it like the state directory: its reader has full access.
 */
export async function backup({ state, store }: Settings, target: string): Promise<void> {
  const folder = resolve(target);
  const draft = `${folder}.partial`;
  if (await exists(folder))
    throw new Problem('conflict', `${folder} already exists: choose another folder, or remove it first`);
  await rm(draft, { recursive: true, force: true });
  try {
    await makeFolder(draft).catch((cause: unknown) => {
      throw new Problem(
        'storage_unusable',
        `${folder} cannot be written: choose another folder, or change its permissions`,
        { cause },
      );
    });
    await (store.type === 'sqlite' ? copyState(state.directory, draft) : copyObjects(store, draft));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function copyState(state: string, draft: string): Promise<void> {
  await backupFile(stateFile(state), stateFile(draft));
  await copyFile(keyFile(state), keyFile(draft));
  if (await exists(credentialsFile(state))) await copyFile(credentialsFile(state), credentialsFile(draft));
}

/** All objects at one version of the API server, while the processes go on. */
async function copyObjects(settings: Settings['store'], draft: string): Promise<void> {
  const keys = settings.encryptionKeys;
  if (keys === undefined)
    throw new Problem(
      'invalid_request',
      'a backup needs the keys of the installation: name the file from its Secret with --encryption-keys',
    );
  const store = await openKubernetes(settings, { world, telemetry: silence(world) });
  try {
    await assertImported(store);
    await writeObjects(objectsFile(draft), ours(store.snapshot(controlPlaneKinds)), {
      release: version,
      time: timestamp(world.now()),
    });
    await copyFile(keys, keyFile(draft));
  } finally {
    await store.close();
  }
}

async function* ours(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  for await (const stored of objects) if (isOurs(stored)) yield stored;
}

interface RestoreOptions {
  /** Allows an existing state to be replaced; its contents are lost. */
  readonly replace: boolean;
}

/** Restores a backup of either store to either store. */
export async function restore(
  source: string,
  { state, store }: Settings,
  options: RestoreOptions,
  report: Report,
): Promise<void> {
  const folder = resolve(source);
  if (!(await exists(keyFile(folder))))
    throw new Problem('storage_unusable', `${folder} is not a backup: it has no ${keyFile('.')}`);
  if (store.type === 'sqlite') await restoreState(folder, state.directory, options, report);
  else await restoreCluster(folder, store, options, report);
}

/**
 * The store is restored first. It refuses if a state already exists or is in use, and then nothing is changed. If the
 * process stops after that, the same command completes the restore.
 */
async function restoreState(folder: string, state: string, options: RestoreOptions, report: Report): Promise<void> {
  await makeFolder(state);
  if (!options.replace && (await exists(stateFile(state))))
    throw new Problem(
      'conflict',
      `there is already a state in ${state}: use --replace to replace it; its data is then lost`,
    );
  if (await exists(objectsFile(folder))) {
    const draft = join(state, 'restoring');
    await rm(draft, { recursive: true, force: true });
    try {
      await makeFolder(draft);
      await importObjects(fileSource(objectsFile(folder), controlPlaneKinds), draft, report);
      restoreFile(stateFile(draft), stateFile(state), options);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } else restoreFile(stateFile(folder), stateFile(state), options);
  await replaceFile(keyFile(folder), keyFile(state));
  await restoreCredentials(folder, state);
}

async function importObjects(source: ObjectSource, state: string, report: Report): Promise<void> {
  const target = await openStateForCopy({ state, world, telemetry: silence(world) });
  try {
    await transfer({ source, target, kinds: controlPlaneKinds, wanted: isOurs, progress: report.progress });
  } finally {
    await target.close();
  }
}

async function restoreCluster(
  folder: string,
  settings: Settings['store'],
  { replace }: RestoreOptions,
  report: Report,
): Promise<void> {
  if (replace)
    throw new Problem(
      'invalid_request',
      '--replace is only possible with a state directory: delete the namespace, or restore to another one',
    );
  await assertKeysIn(settings.encryptionKeys, keyFile(folder));
  const target = await openKubernetes(settings, { world, telemetry: silence(world) });
  try {
    const into = (source: ObjectSource) =>
      transfer({ source, target, kinds: controlPlaneKinds, wanted: isOurs, progress: report.progress });
    if (await exists(objectsFile(folder))) await into(fileSource(objectsFile(folder), controlPlaneKinds));
    else await withState(folder, into);
  } finally {
    await target.close();
  }
}

/** A backup is not opened itself, because an open state is written. */
async function withState(folder: string, use: (source: ObjectSource) => Promise<unknown>): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'unikorn-restore-'));
  try {
    restoreFile(stateFile(folder), stateFile(copy));
    const store = await openStateForCopy({ state: copy, world, telemetry: silence(world) });
    try {
      await use(installationIn(store));
    } finally {
      await store.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function replaceFile(source: string, target: string): Promise<void> {
  await copyFile(source, `${target}.new`);
  await rename(`${target}.new`, target);
}
