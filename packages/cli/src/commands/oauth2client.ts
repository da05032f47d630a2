import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import { oauth2client } from '../nouns/oauth2client.ts';
import type { Terminal } from '../terminal.ts';
import { yesOption, type YesOption } from '../yes-option.ts';
import { registerNoun } from './crud.ts';

export function registerOAuth2Client(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, oauth2client);
  const verb = command
    .command('rotate-secret')
    .argument('<name or id>', 'which oauth2client')
    .description('create a new secret for an oauth2client; the old one becomes invalid')
    .option(...yesOption);
  withExamples(verb, 'unikorn oauth2client rotate-secret console > secret');
  verb.action(async (name: string) => {
    const { rotateSecretVerb } = await import('../verbs/rotate.ts');
    await rotateSecretVerb(
      { terminal, noun: oauth2client, options: verb.optsWithGlobals<GlobalOptions & YesOption>() },
      name,
    );
  });
}
