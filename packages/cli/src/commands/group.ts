import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import { addFieldOptions } from '../fields.ts';
import { group } from '../nouns/group.ts';
import type { Terminal } from '../terminal.ts';
import type { MembersOptions } from '../verbs/members.ts';
import { yesOption } from '../yes-option.ts';
import { registerNoun } from './crud.ts';

export function registerGroup(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, group);
  const verbs = {
    add: 'add people, service accounts and roles to a group',
    remove: 'remove people, service accounts and roles from a group',
  } as const;
  for (const change of ['add', 'remove'] as const) {
    const verb = command.command(change).argument('<name or id>', 'which group').description(verbs[change]);
    addFieldOptions(verb, group, 'update');
    if (change === 'remove') verb.option(...yesOption);
    withExamples(verb, `unikorn group ${change} developers --user alice@example.com --serviceaccount deploy`);
    verb.action(async (name: string) => {
      const { membersVerb } = await import('../verbs/members.ts');
      await membersVerb({ terminal, noun: group, options: verb.optsWithGlobals<MembersOptions>() }, change, name);
    });
  }
}
