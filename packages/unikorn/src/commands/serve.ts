import type { Command } from 'commander';

import { partsHelp } from '../parts/table.ts';
import { addSettings, configurationOf } from './settings-options.ts';

export function registerServe(program: Command): void {
  addSettings(program.command('serve'))
    .description('run the control plane with its embedded store, or some parts of it')
    .addHelpText('after', partsHelp)
    .option('--accept-loss', 'start even if acknowledged changes are missing from the state; they stay lost', false)
    .action(async ({ acceptLoss }: { readonly acceptLoss: boolean }, command: Command) => {
      const loaded = await configurationOf(command);
      const { serve } = await import('../serve/serve.ts');
      await serve(loaded, { acceptLoss });
    });
}
