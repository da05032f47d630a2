import { ApiError } from '@unikorn/sdk';

import { fieldsOf, strange } from '../documents.ts';
import { Failure } from '../failure.ts';
import { serviceaccount } from '../nouns/serviceaccount.ts';
import { list } from '../resources.ts';
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
  const { acctype } = fieldsOf(authorization);
  if (typeof sub !== 'string') throw strange('who you are');
  const type = typeof acctype === 'string' ? acctype : 'unknown';
  const name = type === 'service' ? await accountName(session, sub) : undefined;
  return { subject: sub, type, ...(name === undefined ? {} : { name }) };
}

/** Not every caller may list the service accounts of an organization, or has chosen one. Then the id is shown. */
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
