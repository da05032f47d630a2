import { hash } from 'node:crypto';

import { html, Markup } from './markup.ts';

const style = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'body{margin:0;min-height:100vh;display:grid;place-items:center}',
  'main{box-sizing:border-box;width:min(22rem,100vw);padding:1.5rem}',
  'h1{font-size:1.4rem;margin:0 0 1rem}',
  'label{display:block;margin:.75rem 0 .25rem}',
  'input{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid GrayText;border-radius:.4rem}',
  'button,.provider{display:block;box-sizing:border-box;width:100%;margin-top:1rem;padding:.65rem;font:inherit;text-align:center;text-decoration:none;border:1px solid;border-radius:.4rem;cursor:pointer}',
  'button{background:#1f4fd8;color:#fff;border-color:#1f4fd8}',
  '.quiet{background:none;color:inherit;border-color:GrayText}',
  'fieldset{margin:0 0 1rem;border:1px solid GrayText;border-radius:.4rem}',
  '.choice{margin:.25rem 0}.choice input{width:auto}',
  ':focus-visible{outline:3px solid #f0a500;outline-offset:2px}',
  '.code{font:600 1.6rem ui-monospace,monospace;letter-spacing:.1em;text-align:center}',
  '[role=alert]{padding:.6rem .8rem;border-left:4px solid #c62828}',
].join('');

const styleHash = hash('sha256', style, 'base64');

/** A page with its headers. */
export interface Page {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function page(
  title: string,
  content: Markup,
  extra: { readonly head?: Markup; readonly formTarget?: string } = {},
): Page {
  const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${new Markup(style)}</style>${extra.head}</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
  // Browsers also apply form-action to the last redirect of a submitted form, which leads back to the application.
  const formAction = ["'self'", extra.formTarget].filter((source) => source !== undefined).join(' ');
  return {
    body: document.text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  };
}

export interface LoginView {
  /** The target of the form, which is also the base of the provider links. */
  readonly action: string;
  readonly email: string;
  readonly problem?: string;
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  /** The address at which the application receives the response. */
  readonly redirectUri: string;
}

export function loginPage({ action, email, problem, providers, redirectUri }: LoginView): Page {
  const alert = problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`;
  const links = providers.map(
    ({ id, name }) =>
      html`<a class="provider" href="${action}?provider=${encodeURIComponent(id)}">Log in with ${name}</a>`,
  );
  const form = html`<form method="post" action="${action}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" required autofocus${problem === undefined ? undefined : html` aria-describedby="problem"`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<button type="submit">Log in</button>
</form>`;
  return page('Log in', html`${alert}${form}${links}`, { formTarget: sourceOf(redirectUri) });
}

/** The source expression of a URI in a content security policy. */
function sourceOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

export interface InvitationsView {
  readonly action: string;
  /** The authenticated user, encrypted. Only the server can read it. */
  readonly continuation: string;
  readonly invitations: readonly { readonly membershipId: string; readonly organization: string }[];
  readonly redirectUri: string;
}

/** Asks the user about memberships in organizations that have added them. */
export function invitationsPage({ action, continuation, invitations, redirectUri }: InvitationsView): Page {
  const choice = (id: string, value: string, text: string, checked: Markup | undefined) =>
    html`<label class="choice"><input type="radio" name="decision.${id}" value="${value}"${checked}> ${text}</label>`;
  const questions = invitations.map(
    ({ membershipId, organization }) =>
      html`<fieldset><legend>${organization}</legend>${choice(membershipId, 'accept', 'Join', undefined)}${choice(membershipId, 'decline', 'Decline, and do not ask again', undefined)}${choice(membershipId, 'later', 'Decide later', html` checked`)}</fieldset>`,
  );
  const form = html`<p>You were added to these organizations. Join only those that you know.</p>
<form method="post" action="${action}"><input type="hidden" name="continuation" value="${continuation}">${questions}<button type="submit">Continue</button></form>`;
  return page('Invitations', form, { formTarget: sourceOf(redirectUri) });
}

export interface InvitationView {
  /** The name of the organization. */
  readonly organization: string;
  readonly subject: string;
  readonly problem?: string;
}

/** Lets an invited user set a password. The form is posted to the address of the page, which is the link itself. */
export function invitationPage({ organization, subject, problem }: InvitationView): Page {
  const alert = problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`;
  const form = html`<p>${organization} invites ${subject}. Choose a password. It is valid for this organization.</p>
<form method="post"><input type="hidden" name="email" value="${subject}" autocomplete="username">
<label for="password">Password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
<label for="again">Repeat the password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button type="submit">Set password and join</button>
</form>`;
  return page('Invitation', html`${alert}${form}`);
}

/** For users that the organization may not vouch for. They join with their existing login. */
export function alreadyKnownPage({ organization, subject }: InvitationView): Page {
  return page(
    'Invitation',
    html`<p>${organization} invites ${subject}. You already have an account. Log in as usual; you are then asked whether you want to join.</p>`,
  );
}

export function welcomePage(subject: string, issuer: string): Page {
  return page(
    'Welcome',
    html`<p>The password is set. Log in as ${subject}, in an application or in a terminal:</p><p><code>unikorn login ${new URL(issuer).origin}</code></p>`,
  );
}

/** Sends the browser to an external provider with a page, because the response to a form may not redirect there. */
export function continuePage(location: string, name: string): Page {
  const head = html`<meta http-equiv="refresh" content="0;url=${location}">`;
  return page(
    'Log in',
    html`<p>Your organization logs in with ${name}.</p><a class="provider" href="${location}">Continue</a>`,
    { head },
  );
}

interface DeviceForm {
  readonly action: string;
  /** Proves that the form was sent to this browser. */
  readonly secret: string;
}

/** The page on which users enter the code that a device shows. */
export function devicePage({ action, secret, problem }: DeviceForm & { readonly problem?: string }): Page {
  const alert = problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`;
  return page(
    'Log in on a device',
    html`${alert}<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${secret}">
<label for="user_code">Code that the device shows</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus${problem === undefined ? undefined : html` aria-describedby="problem"`}>
<button type="submit">Continue</button>
</form>`,
  );
}

/** Asks before the login, because another person may have sent the user here with the code of their own device. */
export function deviceConfirmationPage({
  action,
  secret,
  userCode,
  application,
}: DeviceForm & { readonly userCode: string; readonly application: string }): Page {
  return page(
    'Log in on a device',
    html`<p><strong>${application}</strong> on another device wants to log in with your account. It must show this code:</p>
<p class="code">${userCode}</p>
<p>Continue only if you started this login yourself and the codes are the same.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${secret}">
<input type="hidden" name="user_code" value="${userCode}">
<button type="submit" name="confirm" value="yes">Log in</button>
<button class="quiet" type="submit" name="abort" value="yes">Cancel</button>
</form>`,
  );
}

export function deviceDonePage(): Page {
  return page('The device is logged in', html`<p>You can close this page and go back to the device.</p>`);
}

export function problemPage(problem: string, again?: string): Page {
  return page(
    'Login failed',
    html`<p role="alert">${problem}</p>${again === undefined ? undefined : html`<a class="provider" href="${again}">Try again</a>`}`,
  );
}

/** The OpenID library creates the form, and needs these buttons. */
export function logoutPage(form: string, redirectUri: string | undefined): Page {
  const buttons = html`<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button><button class="quiet" type="submit" form="op.logoutForm">Stay logged in</button>`;
  return page(
    'Log out?',
    html`${new Markup(form)}${buttons}`,
    redirectUri === undefined ? {} : { formTarget: sourceOf(redirectUri) },
  );
}

export function loggedOutPage(): Page {
  return page('Logged out', html`<p>You are logged out. You can close this page.</p>`);
}
