import type { Command } from 'commander';

import { addSettings, configurationOf } from './settings-options.ts';

export function registerRestore(program: Command): void {
  addSettings(program.command('restore'), [
    'state.directory',
    'store.type',
    'store.namespace',
    'store.kubeconfig',
    'store.encryptionKeys',
  ])
    .description('restore a backup of any store; the server must not be running')
    .argument('<folder>', 'folder of the backup')
    .option('--replace', 'replace the existing state directory, which is then lost', false)
    .action(async (folder: string, { replace }: { readonly replace: boolean }, command: Command) => {
      const { configuration } = await configurationOf(command);
      const [{ restore }, { reportTo }, { keptAlive }, { keepFilesPrivate }] = await Promise.all([
        import('../backup.ts'),
        import('../transfer/report.ts'),
        import('../keep-alive.ts'),
        import('../state-directory.ts'),
      ]);
      keepFilesPrivate();
      await keptAlive(() => restore(folder, configuration, { replace }, reportTo(process.stderr)));
      const { state, store } = configuration;
      process.stderr.write(`restored ${folder} to ${store.type === 'sqlite' ? state.directory : 'the namespace'}\n`);
    });
}
