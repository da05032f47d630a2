import { contextNamed, withoutContext } from '../contexts/changes.ts';
import { addressOf, type Context } from '../contexts/contexts.ts';
import { changeContexts, readContexts } from '../contexts/file.ts';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { discover, revoke } from './openid.ts';

/** Ends a login, on this machine and at the control plane. */
export async function logOut(given: string | undefined, terminal: Terminal): Promise<void> {
  const name = given ?? (terminal.env['UNIKORN_CONTEXT'] || (await readContexts(terminal)).current);
  if (name === undefined) throw new Failure('notFound', 'you are not logged in');
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
