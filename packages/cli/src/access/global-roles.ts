import { dataOf } from '@unikorn/sdk';

import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import { renderTable, widthOf } from '../output/table.ts';
import { isId } from '../resources.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

export async function listGlobalRoles(options: GlobalOptions, terminal: Terminal): Promise<void> {
  const session = await openSession(terminal, options);
  const holders = await dataOf(session.unikorn.identity.GET('/api/v1/globalroles'));
  const { stdout, env } = terminal;
  if (options.output === 'json' || options.output === 'yaml') stdout.write(await documentText(options.output, holders));
  else if (options.output === 'name') stdout.write(holders.map(({ subject }) => `${subject}\n`).join(''));
  else
    stdout.write(
      renderTable(
        ['SUBJECT', 'ROLES', 'SOURCE'],
        holders.map(({ subject, roles, source }) => [subject, roles.join(','), source]),
        { width: widthOf(stdout), paintHeader: coloursFor(stdout, env).dim },
      ),
    );
}

/** Replaces the roles that were granted before. */
export async function grantGlobalRoles(
  who: string,
  roles: readonly string[],
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const session = await openSession(terminal, options);
  const subject = await subjectOf(session, who);
  const granted = await dataOf(
    session.unikorn.identity.PUT('/api/v1/globalroles/{subject}', {
      params: { path: { subject } },
      body: { roles: [...roles] },
    }),
  );
  terminal.stderr.write(`${granted.subject} has ${granted.roles.join(', ')} everywhere\n`);
}

export async function revokeGlobalRoles(who: string, options: GlobalOptions, terminal: Terminal): Promise<void> {
  const session = await openSession(terminal, options);
  const subject = await subjectOf(session, who);
  await session.unikorn.identity.untyped.send('DELETE', '/api/v1/globalroles/{subject}', {
    params: { path: { subject } },
  });
  terminal.stderr.write(`${subject} no longer has granted platform-wide roles\n`);
}

/** A mail address identifies a user. Any other text is a service account of the current organization. */
async function subjectOf(session: Session, who: string): Promise<string> {
  return who.includes('@') || isId(who) ? who : (await find(session, serviceaccount, who)).metadata.id;
}
