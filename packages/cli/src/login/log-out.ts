import { demandConsent } from '../ask.ts';
import { contextDestruction, contextNamed, withoutContext } from '../contexts/changes.ts';
import { addressOf, type Context } from '../contexts/contexts.ts';
import { changeContexts, readContexts } from '../contexts/file.ts';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import type { YesOption } from '../yes-option.ts';
import { discover, revoke } from './openid.ts';

/**
 * Ends a login, on this machine and at the control plane. It only asks before a token is lost: who has logged in can
 * log in again.
 */
export async function logOut(given: string | undefined, options: YesOption, terminal: Terminal): Promise<void> {
  const known = await readContexts(terminal);
  const name = given ?? (terminal.env['UNIKORN_CONTEXT'] || known.current);
  if (name === undefined) throw new Failure('notFound', 'you are not logged in');
  const chosen = contextNamed(known, name);
  if ('token' in chosen.auth) await demandConsent(terminal, options, contextDestruction(name, chosen));
  let outcome = '';
  await changeContexts(terminal, async (contexts) => {
    const context = contextNamed(contexts, name);
    const ended = await endLogin(context);
    outcome = `logged out of ${addressOf(context.endpoints)}${ended ? '' : '; the control plane could not be reached, so the login remains valid there until it expires'}\n`;
    return withoutContext(contexts, name);
  });
  terminal.stderr.write(outcome);
}

/**
 * Whether the login has ended at the control plane. Logout does not revoke the token of a service account, because its
 * organization manages it.
 */
async function endLogin({ auth, endpoints }: Context): Promise<boolean> {
  if ('token' in auth) return true;
  try {
    await revoke(await discover(endpoints), auth.refreshToken);
    return true;
  } catch {
    return false;
  }
}
