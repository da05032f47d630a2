import { cliReference } from '@unikorn/cli/reference';

import { wholeProgram } from './program.ts';

/** Every command, with its help text. */
export async function cliPage(notice: string): Promise<string> {
  return cliReference(await wholeProgram(), notice);
}
