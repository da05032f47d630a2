import { programOf, terminalOf } from '@unikorn/cli';
import { cliReference } from '@unikorn/cli/reference';

import { allOperations } from '../packages/unikorn/src/commands/index.ts';

/** Every command, with its help text. */
export async function cliPage(notice: string): Promise<string> {
  return cliReference(await programOf(terminalOf(new AbortController().signal), { others: allOperations }), notice);
}
