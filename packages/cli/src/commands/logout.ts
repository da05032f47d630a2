import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';
import type { YesOption } from '../yes-option.ts';

export function registerLogout(program: Command, terminal: Terminal): Command {
  const logout = program
    .command('logout')
    .description('end a login and delete its context')
    .argument('[context]', 'the current context by default')
    .option('--yes', 'do not ask for confirmation before a token is lost');
  return withExamples(logout, 'unikorn logout', 'unikorn logout cloud.example.com').action(
    async (context: string | undefined) => {
      const { logOut } = await import('../login/log-out.ts');
      const options = logout.optsWithGlobals<GlobalOptions & YesOption>();
      await logOut(context ?? options.context, options, terminal);
    },
  );
}
