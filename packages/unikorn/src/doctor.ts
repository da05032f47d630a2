import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

import type { Check } from '@unikorn/cli';
import { startCommand } from '@unikorn/cli/executable';
import { checkPrivate } from '@unikorn/cli/private-file';
import { examineState } from '@unikorn/core/store/sqlite';

import { limits } from './limits.ts';
import { credentialsFile, keyFile, stateFile } from './state-directory.ts';

/** The checks of `unikorn doctor` for the state directory of a server on this machine. */
export async function inspectState(directory: string): Promise<readonly Check[]> {
  if (!existsSync(stateFile(directory)))
    return [
      {
        name: 'state',
        verdict: 'warning',
        found: `there is no state in ${directory}`,
        remedy: `${startCommand()} creates one`,
      },
    ];
  const others = await Promise.all([
    checkSecret(
      'encryption key',
      keyFile(directory),
      'restore the file that belongs to this state, for example from a backup',
    ),
    checkSecret('credentials', credentialsFile(directory), 'the server writes it at its next start'),
    checkSpace(directory),
  ]);
  return [checkStore(directory), ...others];
}

function checkStore(directory: string): Check {
  const { inUse, damage, loss } = examineState(stateFile(directory));
  if (damage !== undefined)
    return {
      name: 'state',
      verdict: 'bad',
      found: damage,
      remedy: 'stop the server, and restore a backup: unikorn restore <folder> --replace',
    };
  if (loss !== undefined)
    return {
      name: 'state',
      verdict: 'bad',
      found: loss,
      remedy:
        'restore a backup: unikorn restore <folder> --replace; or continue without the lost changes: unikorn serve --accept-loss',
    };
  return inUse
    ? { name: 'state', verdict: 'good', found: `${directory} is intact, and a server uses it` }
    : {
        name: 'state',
        verdict: 'warning',
        found: `${directory} is intact, but no server uses it`,
        remedy: `${startCommand()} starts one`,
      };
}

async function checkSecret(name: string, file: string, remedy: string): Promise<Check> {
  return existsSync(file) ? checkPrivate(name, file) : { name, verdict: 'bad', found: `${file} is missing`, remedy };
}

async function checkSpace(directory: string): Promise<Check> {
  const { bavail, bsize } = await statfs(directory);
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free`;
  return bavail * bsize < limits.scarce_bytes
    ? { name: 'disk', verdict: 'bad', found: `only ${free}`, remedy: `free space on the disk of ${directory}` }
    : { name: 'disk', verdict: 'good', found: free };
}
