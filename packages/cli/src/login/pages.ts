import type { Endpoints } from '@unikorn/sdk';

import { addressOf, type LoginTokens } from '../contexts/contexts.ts';
import { Failure } from '../failure.ts';
import { nextLine } from '../input.ts';
import type { Terminal } from '../terminal.ts';
import { viaBrowser } from './browser.ts';
import { beginLogin, discover, type Attempt } from './openid.ts';
import { pastedRedirectUri, returnedAddress } from './pasted.ts';

/** Opens the login page in the browser of this machine, and waits for it to come back. */
export async function logInByBrowser(endpoints: string | Endpoints, terminal: Terminal): Promise<LoginTokens> {
  const configuration = await discover(endpoints);
  let attempt: Attempt;
  return viaBrowser(terminal, {
    begin: async (redirectUri) => {
      attempt = await beginLogin(configuration, redirectUri);
      terminal.stderr.write(`log in with your browser; if none opens, go to\n\n  ${attempt.url.href}\n\nor, where there is no browser: unikorn login ${addressOf(endpoints)} --no-browser\n`);
      // A machine without a browser is no failure: the address is there to be opened by hand.
      await terminal.openBrowser(attempt.url.href).catch(() => undefined);
    },
    finish: (returned) => attempt.redeem(returned, terminal.now()),
  });
}

/** Lets the person log in on any device, and bring back the address that they end up at. */
export async function logInByHand(endpoints: string | Endpoints, terminal: Terminal): Promise<LoginTokens> {
  const attempt = await beginLogin(await discover(endpoints), pastedRedirectUri);
  terminal.stderr.write(`log in on any device:\n\n  ${attempt.url.href}\n\nIn the end it shows a page that cannot be opened; that is as it should be. Copy its address, which begins with\n${pastedRedirectUri}, and paste it here: `);
  const returned = returnedAddress(await nextLine(terminal));
  if (!returned) throw new Failure('usage', `that is neither an address that begins with ${pastedRedirectUri} nor the code in it`, `try again: unikorn login ${addressOf(endpoints)} --no-browser`);
  return attempt.redeem(returned, terminal.now());
}
