import type { Endpoints, Refused } from '@unikorn/sdk';

import { addressOf, type LoginTokens } from '../contexts/contexts.ts';
import { changeContexts, readContexts } from '../contexts/file.ts';
import { Failure } from '../failure.ts';
import { waits } from '../limits.ts';
import type { Terminal } from '../terminal.ts';
import { discover, renew } from './openid.ts';

/** The part of a terminal that the renewal needs. */
type Renewing = Pick<Terminal, 'configDirectory' | 'sleep' | 'signal' | 'now'>;

/** The access token of a context's login, renewed if it expires soon, or if a service refused it. */
export function renewedToken(
  context: string,
  endpoints: string | Endpoints,
  terminal: Renewing,
): (refusal?: Refused) => Promise<string> {
  let held: Promise<LoginTokens> | undefined;
  return async ({ refused }: Partial<Refused> = {}) => {
    const isUsable = (login: LoginTokens) => isFresh(login, terminal.now()) && login.accessToken !== refused;
    held ??= readContexts(terminal).then(({ contexts }) => loginIn(contexts[context]?.auth, endpoints));
    if (isUsable(await held)) return (await held).accessToken;
    // Concurrent requests wait for one renewal.
    const stale = held;
    await stale;
    if (held === stale) held = renewIn(context, endpoints, terminal, isUsable);
    return (await held).accessToken;
  };
}

function isFresh({ expiresAt }: LoginTokens, now: Date): boolean {
  return Date.parse(expiresAt) - now.getTime() > waits.tokenMargin_ms;
}

/**
 * A refresh token can be used once. If it is used again, the control plane ends the login. So the file is locked during
 * a renewal, and each process first checks whether another one has already renewed the token.
 */
async function renewIn(
  context: string,
  endpoints: string | Endpoints,
  terminal: Renewing,
  isUsable: (login: LoginTokens) => boolean,
): Promise<LoginTokens> {
  const { contexts } = await changeContexts(terminal, async (present) => {
    const kept = present.contexts[context];
    const login = loginIn(kept?.auth, endpoints);
    if (!kept || isUsable(login)) return present;
    const auth = await renew(await discover(endpoints), login.refreshToken, terminal.now());
    if (!auth) throw loggedOut(endpoints);
    return { ...present, contexts: { ...present.contexts, [context]: { ...kept, auth } } };
  });
  return loginIn(contexts[context]?.auth, endpoints);
}

function loginIn(
  auth: LoginTokens | { readonly token: string } | undefined,
  endpoints: string | Endpoints,
): LoginTokens {
  if (!auth || 'token' in auth) throw loggedOut(endpoints);
  return auth;
}

function loggedOut(endpoints: string | Endpoints): Failure {
  return new Failure(
    'forbidden',
    `your login at ${addressOf(endpoints)} has ended`,
    `log in again: unikorn login ${addressOf(endpoints)}`,
  );
}
