import { recordOf } from '../contexts/contexts.ts';
import type { Session } from '../session.ts';

/** Whom a session speaks for. */
export interface Who {
  /** A mail address, or the id of a service account. */
  readonly subject: string;
  readonly type: string;
}

const authorizationClaim = 'https://unikorn-cloud.org/authz';

/** Asks the control plane, which also shows that it takes the token. */
export async function whoIs({ unikorn }: Session, signal?: AbortSignal): Promise<Who> {
  const { data } = await unikorn.identity.untyped.send('GET', '/oauth2/v2/userinfo', signal ? { signal } : {});
  const { sub, [authorizationClaim]: authorization } = recordOf(data);
  const { acctype } = recordOf(authorization);
  return { subject: String(sub), type: typeof acctype === 'string' ? acctype : 'unknown' };
}

export function whoText({ subject, type }: Who): string {
  return type === 'service' ? `the service account ${subject}` : subject;
}
