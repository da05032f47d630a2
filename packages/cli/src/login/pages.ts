import type { Endpoints } from '@unikorn/sdk';

import { addressOf, type LoginTokens } from '../contexts/contexts.ts';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { viaBrowser } from './browser.ts';
import { beginDeviceLogin, beginLogin, discover, type Attempt } from './openid.ts';

/** Opens the login page in the browser of this machine, and waits until the browser returns. */
export async function logInByBrowser(endpoints: string | Endpoints, terminal: Terminal): Promise<LoginTokens> {
  const configuration = await discover(endpoints);
  let attempt: Attempt;
  return viaBrowser(terminal, {
    begin: async (redirectUri) => {
      attempt = await beginLogin(configuration, redirectUri);
      terminal.stderr.write(
        `log in with your browser; if it does not open, go to\n\n  ${attempt.url.href}\n\nor, to log in on another device: unikorn login ${addressOf(endpoints)} --device\n`,
      );
      // A machine without a browser is not an error: the user can open the address on their own.
      await terminal.openBrowser(attempt.url.href).catch(() => undefined);
    },
    finish: (returned) => attempt.redeem(returned, terminal.now()),
  });
}

/** Shows an address and a code for a login on another device, and waits until the code is entered. */
export async function logInElsewhere(endpoints: string | Endpoints, terminal: Terminal): Promise<LoginTokens> {
  const configuration = await discover(endpoints);
  if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
    throw new Failure(
      'refused',
      `the control plane at ${addressOf(endpoints)} is too old to log in on another device`,
      'run unikorn login where there is a browser, or use the token of a service account: unikorn login --token - < token.txt',
    );
  }
  const { url, code, lifetime_s, redeem } = await beginDeviceLogin(configuration);
  terminal.stderr.write(
    `open this address on any device, such as your phone:\n\n  ${url}\n\nand enter this code:\n\n  ${code}\n\nwaiting for the login; the code is valid for ${Math.floor(lifetime_s / 60)} minutes\n`,
  );
  return redeem(terminal);
}
