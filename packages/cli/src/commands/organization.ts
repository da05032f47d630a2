import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import { organization } from '../nouns/organization.ts';
import type { Terminal } from '../terminal.ts';
import { registerNoun } from './crud.ts';

export function registerOrganization(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, organization);
  const verb = command
    .command('verify')
    .argument('<name or id>', 'which organization')
    .description('verify that an organization owns its domain, or show the DNS record to publish for it');
  withExamples(verb, 'unikorn organization verify acme', 'unikorn organization verify acme -o json');
  verb.action(async (name: string) => {
    const { verifyDomainVerb } = await import('../verbs/verify-domain.ts');
    await verifyDomainVerb({ terminal, noun: organization, options: verb.optsWithGlobals<GlobalOptions>() }, name);
  });
}
