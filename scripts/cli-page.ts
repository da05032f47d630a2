import { programOf, terminalOf } from '@unikorn/cli';
import { cliReference } from '@unikorn/cli/reference';

import { operations } from '../packages/unikorn/src/commands/index.ts';

/** Every command, with its help text. */
export function cliPage(notice: string): string {
  return cliReference(programOf(terminalOf(new AbortController().signal), { others: operations }), notice);
}
