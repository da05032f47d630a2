import { isInteractive } from '../ask.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nextSecrets } from '../input.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** Changes the password of the logged-in user. */
export async function changePassword(options: GlobalOptions, terminal: Terminal): Promise<void> {
  const session = await openSession(terminal, options);
  const prompts = ['current password', 'new password', ...(isInteractive(terminal) ? ['repeat the new password'] : [])];
  const [current = '', password = '', again = password] = await nextSecrets(terminal, prompts);
  if (password !== again) throw new Failure('usage', 'the two new passwords do not match; nothing was changed');
  if (password === '')
    throw new Failure(
      'usage',
      'the new password is missing',
      'in scripts, write the current and the new password to standard input, one per line',
    );
  await session.unikorn.identity.untyped.send('PUT', '/api/v1/password', { body: { current, password } });
  terminal.stderr.write('your password was changed, and your other sessions have ended\n');
}
