import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import { integer } from '../fields.ts';
import type { Terminal } from '../terminal.ts';
import type { ActivityOptions } from '../verbs/activity.ts';

/** The activity is not a resource. It lists what was done to resources. */
export function registerActivity(program: Command, terminal: Terminal): Command {
  const command = program
    .command('activity')
    .description('list who did what to which resource, newest first; deleted resources are included')
    .option('--limit <number>', 'at most this many entries; 50 by default', integer)
    .option('--follow', 'show the latest entry last, and print each new one as it is written, until Ctrl-C');
  return withExamples(
    command,
    'unikorn activity',
    'unikorn activity --project web --limit 10',
    'unikorn activity --follow',
    'unikorn activity --organization acme --all-projects -o json',
  ).action(async () => {
    const { activityVerb } = await import('../verbs/activity.ts');
    await activityVerb(terminal, command.optsWithGlobals<ActivityOptions>());
  });
}
