import { ApiError } from '@unikorn/sdk';

import { fieldsOf, strange } from '../documents.ts';
import { Failure } from '../failure.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import { list } from '../resources.ts';
import type { Session } from '../session.ts';

/** Whom a session speaks for. */
export interface Who {
  /** A mail address, or the id of a service account. */
  readonly subject: string;
  readonly type: string;
  /** The name of a service account, if it is visible. */
  readonly name?: string;
}

const authorizationClaim = 'https://unikorn-cloud.org/authz';

/** Asks the control plane, which also shows that it takes the token. */
export async function whoIs(session: Session, signal?: AbortSignal): Promise<Who> {
  const { data } = await session.unikorn.identity.untyped.send('GET', '/oauth2/v2/userinfo', signal ? { signal } : {});
  const { sub, [authorizationClaim]: authorization } = fieldsOf(data);
  const { acctype } = fieldsOf(authorization);
  if (typeof sub !== 'string') throw strange('who you are');
  const type = typeof acctype === 'string' ? acctype : 'unknown';
  const name = type === 'service' ? await accountName(session, sub) : undefined;
  return { subject: sub, type, ...(name === undefined ? {} : { name }) };
}

/** Not everybody may see the service accounts of an organization, or has chosen one; then the id has to do. */
async function accountName(session: Session, id: string): Promise<string | undefined> {
  const accounts = await list(session, serviceaccount).catch((error: unknown) => {
    if (error instanceof Failure || error instanceof ApiError) return [];
    throw error;
  });
  return accounts.find(({ metadata }) => metadata.id === id)?.metadata.name;
}

export function whoText({ subject, type, name = subject }: Who): string {
  return type === 'service' ? `the service account ${name}` : subject;
}
