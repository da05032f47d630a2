import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerPassword(program: Command): void {
  addSettings(program.command('password'), ['state.directory'])
    .description('set a new password for a user and print it; works whether the server runs or not')
    .argument('<email>', 'mail address of a user')
    .action(async (email: string, _options: unknown, command: Command) => {
      const { state } = (await configurationOf(command)).configuration;
      const { newPassword } = await import('../password.ts');
      process.stdout.write(`${await newPassword(state.directory, email)}\n`);
    });
}
