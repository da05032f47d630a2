import { programOf, terminalOf } from '@unikorn/cli';

import { allOperations } from '../packages/unikorn/src/commands/index.ts';

/** The program with every command, those of the server too. */
export function wholeProgram() {
  return programOf(terminalOf(new AbortController().signal), { others: allOperations });
}
