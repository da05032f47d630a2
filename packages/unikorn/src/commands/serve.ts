import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerServe(program: Command): void {
  addSettings(program.command('serve'))
    .description('run the control plane on its embedded store')
    .action(async (_options: unknown, command: Command) => {
      const loaded = await configurationOf(command);
      const { serve } = await import('../serve/serve.ts');
      await serve(loaded);
    });
}
