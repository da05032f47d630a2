import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerBackup(program: Command): void {
  addSettings(program.command('backup'), [
    'state.directory',
    'store.type',
    'store.namespace',
    'store.kubeconfig',
    'store.encryptionKeys',
  ])
    .description('copy all objects to a new folder, also while the server runs')
    .argument(
      '<folder>',
      'new folder for the backup; it must not exist. Protect it like the state itself: it contains all secrets',
    )
    .action(async (folder: string, _options: unknown, command: Command) => {
      const { configuration } = await configurationOf(command);
      const [{ backup }, { keptAlive }, { keepFilesPrivate }] = await Promise.all([
        import('../backup.ts'),
        import('../keep-alive.ts'),
        import('../state-directory.ts'),
      ]);
      keepFilesPrivate();
      await keptAlive(() => backup(configuration, folder));
      process.stderr.write(`wrote ${folder}\n`);
    });
}
