import { dataOf } from '@unikorn/sdk';

import { find } from '../finding.ts';
import { nameOf } from '../resources.ts';
import { printMade } from './create.ts';
import { opened, type Call } from './verb.ts';

/** Creates a new token for a service account. */
export async function rotateVerb(call: Call, name: string): Promise<void> {
  const { terminal, noun } = call;
  const { session, printing } = await opened(call);
  const account = await find(session, noun, name);
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
export async function rotateSecretVerb(call: Call, name: string): Promise<void> {
  const { terminal, noun } = call;
  const { session, printing } = await opened(call);
  const client = await find(session, noun, name);
  const path = { oauth2ClientID: client.metadata.id };
  const rotated = await dataOf(
    session.unikorn.identity.POST('/api/v1/oauth2clients/{oauth2ClientID}/rotate', { params: { path } }),
  );
  terminal.stderr.write(`${noun.name} ${nameOf(noun, client)} has a new secret\n`);
  await printMade(noun, rotated, printing);
}
