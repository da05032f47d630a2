import type { Command } from 'commander';

import { yesOption, type YesOption } from '@unikorn/cli/yes-option';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerPassword(program: Command): void {
  addSettings(program.command('password'), [
    'state.directory',
    'store.type',
    'store.namespace',
    'store.kubeconfig',
    'store.encryptionKeys',
  ])
    .description('set a new password for a user and print it; works whether the server runs or not')
    .argument('<email>', 'mail address of a user')
    .option(...yesOption)
    .action(async (email: string, options: YesOption, command: Command) => {
      const { configuration } = await configurationOf(command);
      const [{ newPassword }, { demandConsent }] = await Promise.all([
        import('../password.ts'),
        import('@unikorn/cli/ask'),
      ]);
      await demandConsent(
        { stdin: process.stdin, stderr: process.stderr, signal: new AbortController().signal },
        options,
        {
          verb: 'replace',
          what: `the password of ${email}`,
          losses: ['all logins of this user'],
        },
      );
      process.stdout.write(`${await newPassword(configuration, email)}\n`);
    });
}
