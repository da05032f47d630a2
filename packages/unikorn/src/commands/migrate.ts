import { Option, type Command } from 'commander';

import type { Migration } from '../transfer/migrate.ts';
import { addSettings, configurationOf } from './settings-options.ts';

const stores = ['sqlite', 'kubernetes'];

export function registerMigrate(program: Command): void {
  addSettings(program.command('migrate'), [
    'state.directory',
    'store.namespace',
    'store.kubeconfig',
    'store.encryptionKeys',
  ])
    .description('copy an installation to another store; all its processes must be stopped')
    .addOption(new Option('--from <store>', 'the store with the installation').choices(stores).makeOptionMandatory())
    .addOption(
      new Option('--to <store>', 'an empty store; an interrupted copy is continued')
        .choices(stores)
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'check both stores and count the objects, and copy nothing', false)
    .action(async (options: Migration, command: Command) => {
      const { configuration } = await configurationOf(command);
      const [{ migrate }, { reportTo }, { keptAlive }, { keepFilesPrivate }] = await Promise.all([
        import('../transfer/migrate.ts'),
        import('../transfer/report.ts'),
        import('../keep-alive.ts'),
        import('../state-directory.ts'),
      ]);
      keepFilesPrivate();
      await keptAlive(() => migrate(configuration, options, reportTo(process.stderr)));
    });
}
