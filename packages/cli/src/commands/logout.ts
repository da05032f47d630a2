import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

export function registerLogout(program: Command, terminal: Terminal): Command {
  const logout = program
    .command('logout')
    .description('end a login and delete its context')
    .argument('[context]', 'the current context by default');
  return withExamples(logout, 'unikorn logout', 'unikorn logout cloud.example.com').action(
    async (context: string | undefined) => {
      const { logOut } = await import('../login/log-out.ts');
      await logOut(context ?? logout.optsWithGlobals<GlobalOptions>().context, terminal);
    },
  );
}
