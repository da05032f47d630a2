import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerBackup(program: Command): void {
  addSettings(program.command('backup'), ['state.directory'])
    .description('copy the state to a new folder, also while the server runs')
    .argument(
      '<folder>',
      'new folder for the backup; it must not exist. Protect it like the state itself: it contains all secrets',
    )
    .action(async (folder: string, _options: unknown, command: Command) => {
      const { state } = (await configurationOf(command)).configuration;
      const { backup } = await import('../backup.ts');
      await backup(state.directory, folder);
      process.stderr.write(`wrote ${folder}\n`);
    });
}
