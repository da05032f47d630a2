import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerBackup(program: Command): void {
  addSettings(program.command('backup'), ['state.directory'])
    .description('copy the state to a new folder; a running server goes on meanwhile')
    .argument('<folder>', 'folder to write; it must not exist. Keep it as safe as the state itself')
    .action(async (folder: string, _options: unknown, command: Command) => {
      const { state } = (await configurationOf(command)).configuration;
      const { backup } = await import('../backup.ts');
      await backup(state.directory, folder);
      process.stderr.write(`wrote ${folder}\n`);
    });
}
