import type { Endpoints } from '@unikorn/sdk';

import { addressOf, type LoginTokens } from '../contexts/contexts.ts';
import { changeContexts, readContexts } from '../contexts/file.ts';
import { Failure } from '../failure.ts';
import { waits } from '../limits.ts';
import type { Terminal } from '../terminal.ts';
import { discover, renew } from './openid.ts';

/** As much of a terminal as renewing takes. */
type Renewing = Pick<Terminal, 'configDirectory' | 'sleep' | 'signal' | 'now'>;

/** The access token of the login that a context holds, renewed when it is about to end. */
export function renewedToken(
  context: string,
  endpoints: string | Endpoints,
  terminal: Renewing,
): () => Promise<string> {
  let held: Promise<LoginTokens> | undefined;
  return async () => {
    held ??= readContexts(terminal).then(({ contexts }) => loginIn(contexts[context]?.auth, endpoints));
    if (isFresh(await held, terminal.now())) return (await held).accessToken;
    // Requests that go out side by side wait for one renewal.
    const stale = held;
    await stale;
    if (held === stale) held = renewIn(context, endpoints, terminal);
    return (await held).accessToken;
  };
}

function isFresh({ expiresAt }: LoginTokens, now: Date): boolean {
  return Date.parse(expiresAt) - now.getTime() > waits.tokenMargin_ms;
}

/**
 * A refresh token is good once, and the control plane ends the whole login when it sees one again. So the file is
 * locked meanwhile, and whoever gets the lock looks first whether somebody else has renewed it.
 */
async function renewIn(context: string, endpoints: string | Endpoints, terminal: Renewing): Promise<LoginTokens> {
  const { contexts } = await changeContexts(terminal, async (present) => {
    const kept = present.contexts[context];
    const login = loginIn(kept?.auth, endpoints);
    if (!kept || isFresh(login, terminal.now())) return present;
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
