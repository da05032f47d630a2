import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerRestore(program: Command): void {
  addSettings(program.command('restore'), ['state.directory'])
    .description('restore the state from a backup; the server must not be running')
    .argument('<folder>', 'folder of the backup')
    .option('--replace', 'replace the existing state, which is then lost', false)
    .action(async (folder: string, { replace }: { readonly replace: boolean }, command: Command) => {
      const { state } = (await configurationOf(command)).configuration;
      const { restore } = await import('../backup.ts');
      await restore(folder, state.directory, { replace });
      process.stderr.write(`restored ${folder} to ${state.directory}\n`);
    });
}
