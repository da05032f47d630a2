import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

export function registerWhoAmI(program: Command, terminal: Terminal): Command {
  const command = program
    .command('whoami')
    .description('show who you are and where you have permissions; -o yaml shows the permissions');
  return withExamples(command, 'unikorn whoami', 'unikorn whoami -o yaml').action(async () => {
    const { whoAmI } = await import('../access/who-am-i.ts');
    await whoAmI(command.optsWithGlobals<GlobalOptions>(), terminal);
  });
}

export function registerPasswd(program: Command, terminal: Terminal): Command {
  const command = program
    .command('passwd')
    .description(
      'change your own password; in scripts, write the current and the new password to standard input, one per line',
    );
  return withExamples(command, 'unikorn passwd').action(async () => {
    const { changePassword } = await import('../access/passwd.ts');
    await changePassword(command.optsWithGlobals<GlobalOptions>(), terminal);
  });
}

export function registerCanI(program: Command, terminal: Terminal): Command {
  const command = program
    .command('can-i')
    .description(
      'check whether you may do something in the current organization and project; the exit code is 5 if not',
    )
    .argument('<operation>', 'create, read, update or delete')
    .argument('<endpoint>', 'such as compute:instances, or a noun such as instance');
  return withExamples(command, 'unikorn can-i create instance', 'unikorn can-i read identity:quotas').action(
    async (operation: string, endpoint: string) => {
      const { canI } = await import('../access/can-i.ts');
      await canI(operation, endpoint, command.optsWithGlobals<GlobalOptions>(), terminal);
    },
  );
}
