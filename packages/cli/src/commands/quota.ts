import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

/** Quotas are not resources of their own: an organization has one of each kind. */
export function registerQuota(program: Command, terminal: Terminal): void {
  const command = program.command('quota').alias('quotas').description('limits and usage of an organization');
  const list = command.command('list', { isDefault: true }).alias('ls').description('list the usage and the limits');
  withExamples(list, 'unikorn quota list', 'unikorn quota list -o json');
  list.action(async () => {
    const { listQuotas } = await import('../verbs/quota.ts');
    await listQuotas(terminal, list.optsWithGlobals<GlobalOptions>());
  });
  const get = command
    .command('get')
    .alias('show')
    .argument('<kind>', 'such as servers')
    .description('show a quota, and the resources that it is used for');
  withExamples(get, 'unikorn quota get servers');
  get.action(async (kind: string) => {
    const { getQuota } = await import('../verbs/quota.ts');
    await getQuota(terminal, get.optsWithGlobals<GlobalOptions>(), kind);
  });
  const update = command
    .command('update')
    .argument('<kind=quantity...>', 'such as servers=20')
    .description('change limits; only for platform administrators');
  withExamples(update, 'unikorn quota update servers=20 gpus=8', 'unikorn quota update filestorage=2TiB');
  update.action(async (wanted: readonly string[]) => {
    const { updateQuotas } = await import('../verbs/quota.ts');
    await updateQuotas(terminal, update.optsWithGlobals<GlobalOptions>(), wanted);
  });
}
