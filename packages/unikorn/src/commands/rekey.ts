import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerRekey(program: Command): void {
  addSettings(program.command('rekey'), [
    'state.directory',
    'store.type',
    'store.namespace',
    'store.kubeconfig',
    'store.encryptionKeys',
  ])
    .description('encrypt all secrets again with the first key, so that the other keys can be removed')
    .action(async (_options: unknown, command: Command) => {
      const { configuration } = await configurationOf(command);
      const [{ rekey }, { keptAlive }] = await Promise.all([import('../rekey.ts'), import('../keep-alive.ts')]);
      const { changed, sagas } = await keptAlive(() => rekey(configuration));
      process.stderr.write(`encrypted the secrets of ${changed} objects with the first key\n`);
      process.stderr.write(
        sagas === 0
          ? 'the other keys are not needed any more: remove their lines, and restart the processes\n'
          : `${sagas} unfinished sagas still need another key: run this again when they are finished\n`,
      );
    });
}
