import type { Command } from 'commander';

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
    .action(async (email: string, _options: unknown, command: Command) => {
      const { configuration } = await configurationOf(command);
      const { newPassword } = await import('../password.ts');
      process.stdout.write(`${await newPassword(configuration, email)}\n`);
    });
}
