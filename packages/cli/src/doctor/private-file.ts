import { stat } from 'node:fs/promises';

import { good, type Check } from './check.ts';
import { judgeMode } from './judgements.ts';

/**
 * Whether only the owner can read a file with credentials. On Windows, the mode does not show this.
 *
 * @example const check = await checkPrivate('encryption key', join(directory, 'encryption.key'));
 */
export async function checkPrivate(name: string, file: string): Promise<Check> {
  const { mode } = await stat(file);
  return process.platform === 'win32' ? good(name, file) : judgeMode(name, file, mode);
}
