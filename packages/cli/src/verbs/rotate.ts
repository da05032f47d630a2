import { dataOf } from '@unikorn/sdk';

import { demandConsent } from '../ask.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nameOf } from '../resources.ts';
import type { YesOption } from '../yes-option.ts';
import { printMade } from './create.ts';
import { opened, type Call } from './verb.ts';

/** Creates a new token for a service account. */
export async function rotateVerb(call: Call<GlobalOptions & YesOption>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session, printing } = await opened(call);
  const account = await find(session, noun, name);
  await demandConsent(terminal, options, {
    verb: 'replace',
    what: `the token of ${noun.name} ${nameOf(noun, account)}`,
    losses: ['the access of the programs that use the current one'],
  });
  const path = { organizationID: await session.idOf('organization'), serviceAccountID: account.metadata.id };
  const rotated = await dataOf(
    session.unikorn.identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts/{serviceAccountID}/rotate', {
      params: { path },
    }),
  );
  terminal.stderr.write(`${noun.name} ${nameOf(noun, account)} has a new token\n`);
  await printMade(noun, rotated, printing);
}

/** Creates a new secret for an application. */
export async function rotateSecretVerb(call: Call<GlobalOptions & YesOption>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session, printing } = await opened(call);
  const client = await find(session, noun, name);
  await demandConsent(terminal, options, {
    verb: 'replace',
    what: `the secret of ${noun.name} ${nameOf(noun, client)}`,
    losses: ['the login of its users until the application has the new one'],
  });
  const path = { oauth2ClientID: client.metadata.id };
  const rotated = await dataOf(
    session.unikorn.identity.POST('/api/v1/oauth2clients/{oauth2ClientID}/rotate', { params: { path } }),
  );
  terminal.stderr.write(`${noun.name} ${nameOf(noun, client)} has a new secret\n`);
  await printMade(noun, rotated, printing);
}
