import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import { user } from '../nouns/user.ts';
import type { Terminal } from '../terminal.ts';
import { registerNoun } from './crud.ts';

export function registerUser(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, user);
  const verb = command
    .command('invite')
    .argument('<name or id>', 'which user')
    .description('create a one-time link that lets a user set a password; it replaces the previous link');
  withExamples(verb, 'unikorn user invite dave@example.com');
  verb.action(async (name: string) => {
    const { inviteVerb } = await import('../verbs/invite.ts');
    await inviteVerb({ terminal, noun: user, options: verb.optsWithGlobals<GlobalOptions>() }, name);
  });
}
