import { ApiError } from '@unikorn/sdk';

import { fieldsOf, strange } from '../documents.ts';
import { Failure } from '../failure.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import { about, list } from '../resources.ts';
import type { Session } from '../session.ts';

/** The user or service account of a session. */
export interface Who {
  /** A mail address, or the id of a service account. */
  readonly subject: string;
  readonly type: string;
  /** The name of a service account, if it is visible. */
  readonly name?: string;
}

const authorizationClaim = 'https://unikorn-cloud.org/authz';

/** Asks the control plane, which also proves that it accepts the token. */
export async function whoIs(session: Session, signal?: AbortSignal): Promise<Who> {
  const { data } = await session.unikorn.identity.untyped.send('GET', '/oauth2/v2/userinfo', signal ? { signal } : {});
  const { sub, [authorizationClaim]: authorization } = fieldsOf(data);
  const { acctype, orgIds } = fieldsOf(authorization);
  if (typeof sub !== 'string') throw strange('who you are');
  const type = typeof acctype === 'string' ? acctype : 'unknown';
  const name = type === 'service' ? await accountName(session, sub, textsIn(orgIds)) : undefined;
  return { subject: sub, type, ...(name === undefined ? {} : { name }) };
}

/**
 * Looks in the organizations that the account belongs to. Not every caller may list the service accounts of an
 * organization. Then the id is shown.
 */
async function accountName(
  session: Session,
  id: string,
  organizations: readonly string[],
): Promise<string | undefined> {
  for (const organization of organizations) {
    const accounts = await list(about(session, { organization }), serviceaccount).catch((error: unknown) => {
      if (error instanceof Failure || error instanceof ApiError) return [];
      throw error;
    });
    const account = accounts.find(({ metadata }) => metadata.id === id);
    if (account) return account.metadata.name;
  }
  return undefined;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function whoText({ subject, type, name = subject }: Who): string {
  return type === 'service' ? `the service account ${name}` : subject;
}
