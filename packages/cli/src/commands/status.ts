import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

export function registerStatus(program: Command, terminal: Terminal): Command {
  const status = program
    .command('status')
    .description('show your login and context, quota usage, and resources with problems');
  return withExamples(status, 'unikorn status', 'unikorn status -o json').action(async () => {
    const { showStatus } = await import('../status/action.ts');
    await showStatus(status.optsWithGlobals<GlobalOptions>(), terminal);
  });
}
