import { ApiError, dataOf } from '@unikorn/sdk';

import { demandConsent } from '../ask.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import { renderTable, widthOf } from '../output/table.ts';
import { isId } from '../resources.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { YesOption } from '../yes-option.ts';

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
  options: GlobalOptions & YesOption,
  terminal: Terminal,
): Promise<void> {
  const session = await openSession(terminal, options);
  const subject = await subjectOf(session, who);
  const headers = await demandRevocation(session, subject, { terminal, options, kept: roles });
  const granted = await dataOf(
    session.unikorn.identity.PUT('/api/v1/globalroles/{subject}', {
      params: { path: { subject } },
      headers,
      body: { roles: [...roles] },
    }),
  );
  terminal.stderr.write(`${granted.subject} has ${granted.roles.join(', ')} everywhere\n`);
}

export async function revokeGlobalRoles(
  who: string,
  options: GlobalOptions & YesOption,
  terminal: Terminal,
): Promise<void> {
  const session = await openSession(terminal, options);
  const subject = await subjectOf(session, who);
  const headers = await demandRevocation(session, subject, { terminal, options, kept: [] });
  await session.unikorn.identity.untyped.send('DELETE', '/api/v1/globalroles/{subject}', {
    params: { path: { subject } },
    headers,
  });
  terminal.stderr.write(`${subject} no longer has granted platform-wide roles\n`);
}

interface Revocation {
  readonly terminal: Terminal;
  readonly options: YesOption;
  /** The roles that the subject has afterwards. */
  readonly kept: readonly string[];
}

/**
 * Asks if the subject loses roles. Only granted roles can be lost: those of the configuration stay. Returns the headers
 * with which the service refuses to replace other roles than those that were shown.
 */
async function demandRevocation(
  session: Session,
  subject: string,
  { terminal, options, kept }: Revocation,
): Promise<Readonly<Record<string, string>>> {
  if (options.yes) return {};
  const { granted, etag } = await readGranted(session, subject);
  const headers = etag === undefined ? {} : { 'if-match': etag };
  const lost = granted.filter((role) => !kept.includes(role));
  if (lost.length === 0) return headers;
  await demandConsent(terminal, options, {
    verb: 'revoke',
    what: `${lost.join(', ')} of ${subject}`,
    losses: ['the access to all organizations that depends on it'],
  });
  return headers;
}

/** The roles that were granted to a subject, and their version. */
async function readGranted({ unikorn: { identity } }: Session, subject: string) {
  try {
    const params = { path: { subject } };
    const { data, response } = await identity.GET('/api/v1/globalroles/{subject}', { params });
    return { granted: data?.roles ?? [], etag: response.headers.get('etag') ?? undefined };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { granted: [], etag: undefined };
    throw error;
  }
}

/** A mail address identifies a user. Any other text is a service account of the current organization. */
async function subjectOf(session: Session, who: string): Promise<string> {
  return who.includes('@') || isId(who) ? who : (await find(session, serviceaccount, who)).metadata.id;
}
