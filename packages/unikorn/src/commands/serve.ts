import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerServe(program: Command): void {
  addSettings(program.command('serve'))
    .description('run the control plane on its embedded store')
    .option(
      '--accept-loss',
      'start although changes that were acknowledged are missing from the state; they stay lost',
      false,
    )
    .action(async ({ acceptLoss }: { readonly acceptLoss: boolean }, command: Command) => {
      const loaded = await configurationOf(command);
      const { serve } = await import('../serve/serve.ts');
      await serve(loaded, { acceptLoss });
    });
}
