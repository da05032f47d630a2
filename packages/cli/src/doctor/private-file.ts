import { stat } from 'node:fs/promises';

import { good, type Check } from './check.ts';
import { judgeMode } from './judgements.ts';

/** Whether a file that lets its reader in is for its owner alone; what Windows calls a mode says nothing about that. */
export async function checkPrivate(name: string, file: string): Promise<Check> {
  const { mode } = await stat(file);
  return process.platform === 'win32' ? good(name, file) : judgeMode(name, file, mode);
}
