import { copyFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { Problem } from '@unikorn/core/errors';
import { backupFile, restoreFile } from '@unikorn/core/store/sqlite';

import { restoreCredentials } from './serve/credentials.ts';
import { credentialsFile, exists, keyFile, makeFolder, stateFile } from './state-directory.ts';

/**
 * A backup is a folder with everything that a start needs: the state, its encryption key, and the credentials for
 * scripts. Protect it like the state directory: its reader has full access.
 */
export async function backup(state: string, target: string): Promise<void> {
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
    await backupFile(stateFile(state), stateFile(draft));
    await copyFile(keyFile(state), keyFile(draft));
    if (await exists(credentialsFile(state))) await copyFile(credentialsFile(state), credentialsFile(draft));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * The store is restored first. It refuses if a state already exists or is in use, and then nothing is changed. If the
 * process stops after that, the same command completes the restore.
 */
export async function restore(source: string, state: string, options: { readonly replace: boolean }): Promise<void> {
  const folder = resolve(source);
  if (!(await exists(keyFile(folder))))
    throw new Problem('storage_unusable', `${folder} is not a backup: it has no ${keyFile('.')}`);
  await makeFolder(state);
  if (!options.replace && (await exists(stateFile(state))))
    throw new Problem(
      'conflict',
      `there is already a state in ${state}: use --replace to replace it; its data is then lost`,
    );
  restoreFile(stateFile(folder), stateFile(state), options);
  await replaceFile(keyFile(folder), keyFile(state));
  await restoreCredentials(folder, state);
}

async function replaceFile(source: string, target: string): Promise<void> {
  await copyFile(source, `${target}.new`);
  await rename(`${target}.new`, target);
}
