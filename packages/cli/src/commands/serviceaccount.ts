import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import type { Terminal } from '../terminal.ts';
import { yesOption, type YesOption } from '../yes-option.ts';
import { registerNoun } from './crud.ts';

export function registerServiceAccount(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, serviceaccount);
  const verb = command
    .command('rotate')
    .argument('<name or id>', 'which serviceaccount')
    .description('create a new token for a serviceaccount; the old one becomes invalid')
    .option(...yesOption);
  withExamples(verb, 'unikorn serviceaccount rotate deploy > token');
  verb.action(async (name: string) => {
    const { rotateVerb } = await import('../verbs/rotate.ts');
    await rotateVerb(
      { terminal, noun: serviceaccount, options: verb.optsWithGlobals<GlobalOptions & YesOption>() },
      name,
    );
  });
}
