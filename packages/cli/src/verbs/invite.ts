import { dataOf } from '@unikorn/sdk';

import { find } from '../finding.ts';
import { documentText } from '../output/print.ts';
import { nameOf } from '../resources.ts';
import { opened, type Call } from './verb.ts';

/** Creates a link with which a user sets a password. Only the link is printed, so that it can be passed on. */
export async function inviteVerb(call: Call, name: string): Promise<void> {
  const {
    terminal,
    noun,
    options: { output },
  } = call;
  const { session } = await opened(call);
  const user = await find(session, noun, name);
  const path = { organizationID: await session.idOf('organization'), userID: user.metadata.id };
  const invitation = await dataOf(
    session.unikorn.identity.POST('/api/v1/organizations/{organizationID}/users/{userID}/invitation', {
      params: { path },
    }),
  );
  terminal.stderr.write(`give this link to ${nameOf(noun, user)}: it works once, until ${invitation.expiry}\n`);
  terminal.stdout.write(
    output === 'json' || output === 'yaml' ? await documentText(output, invitation) : `${invitation.link}\n`,
  );
}
