import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerConfig(program: Command): void {
  addSettings(program.command('config'))
    .description('show the effective configuration, and the source of each value: file, environment or flag')
    .action(async (_options: unknown, command: Command) => {
      const loaded = await configurationOf(command);
      const { showConfiguration } = await import('../configuration/show.ts');
      process.stdout.write(showConfiguration(loaded));
    });
}
