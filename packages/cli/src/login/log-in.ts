import type { Endpoints } from '@unikorn/sdk';

import { addressOf, isToken, scopes, type Context, type Contexts } from '../contexts/contexts.ts';
import { chooseDefaults, type Defaults, type OpenChoice } from '../contexts/defaults.ts';
import { changeContexts, readContexts } from '../contexts/file.ts';
import type { Place, Reference } from '../contexts/place.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { typeable } from '../hints.ts';
import { nextSecrets } from '../input.ts';
import type { Scope } from '../nouns/noun.ts';
import { placeOf, sessionAt } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { trustSystemAuthorities } from '../trust.ts';
import { whoIs, whoText } from './who.ts';

export interface LoginOptions extends GlobalOptions {
  readonly browser: boolean;
  readonly device?: boolean;
  readonly token?: string;
}

/** Logs in, reads the user and the available scopes, and makes this the current context. */
export async function logIn(url: string | undefined, options: LoginOptions, terminal: Terminal): Promise<void> {
  if (terminal.asks === false && options.token === undefined)
    throw new Failure(
      'usage',
      'a login with a browser needs a person, and --no-input does not allow to ask for one',
      'log in with a token: unikorn login <url> --token - < token.txt',
    );
  const endpoints = await whereTo(url, options, terminal);
  trustSystemAuthorities(endpoints);
  await logInTo(endpoints, options, terminal).catch((error: unknown) => {
    throw speaksHttp(error) ? wrongProtocol(addressOf(endpoints)) : error;
  });
}

/** OpenSSL says this about an answer that does not begin like TLS. */
function speaksHttp(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each.message.includes('wrong version number') || each.message.includes('packet length too long')) return true;
  return false;
}

function wrongProtocol(address: string): Failure {
  return new Failure(
    'unreachable',
    `the server at ${address} does not speak https`,
    `if it speaks http, write so: unikorn login ${address.replace(/^https:/, 'http:')}`,
  );
}

async function logInTo(endpoints: string | Endpoints, options: LoginOptions, terminal: Terminal): Promise<void> {
  warnOfClearText(endpoints, terminal);
  const contexts = await readContexts(terminal);
  const name = contextNameFor(endpoints, options.context, contexts);
  const auth =
    options.token === undefined
      ? await throughPages(endpoints, options, terminal)
      : { token: await givenToken(options.token, terminal) };
  const session = sessionAt(placeWith(endpoints, auth, options, contexts.contexts[name]), terminal);
  const who = await whoIs(session, terminal.signal);
  const { defaults, open, mistakes } = await chooseDefaults(session);
  await changeContexts(terminal, (present) => ({
    current: name,
    contexts: { ...present.contexts, [name]: { endpoints, auth, ...defaults } },
  }));
  terminal.stderr.write(
    `logged in to ${addressOf(endpoints)} as ${whoText(who)}\n${typeable(choicesText(defaults, open), terminal.env)}`,
  );
  for (const { ending, message, hints } of mistakes)
    throw new Failure(
      ending,
      message,
      ...hints,
      'the login is kept; choose an organization, project and region with unikorn context set',
    );
}

async function whereTo(
  url: string | undefined,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<string | Endpoints> {
  const written = url ?? options.url;
  if (written === undefined) {
    const { publicUrl, endpoints } = await placeOf(terminal, options);
    return publicUrl ?? endpoints;
  }
  const address = URL.parse(written.includes('://') ? written : `https://${written}`);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new Failure('usage', `${written} is not an address; write it like https://cloud.example.com`);
  return addressOf(address.origin + address.pathname);
}

/** A new login to the same control plane updates the existing context, whatever its name is. */
function contextNameFor(endpoints: string | Endpoints, wanted: string | undefined, { contexts }: Contexts): string {
  const address = addressOf(endpoints);
  return (
    wanted ??
    Object.keys(contexts).find((name) => addressOf(contexts[name]?.endpoints ?? '') === address) ??
    new URL(address).host
  );
}

function warnOfClearText(endpoints: string | Endpoints, { stderr }: Terminal): void {
  const { protocol, hostname } = new URL(addressOf(endpoints));
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    stderr.write(`warning: the connection to ${hostname} is not encrypted, and others can read tokens; use https\n`);
}

async function givenToken(source: string, terminal: Terminal): Promise<string> {
  if (source !== '-')
    throw new Failure(
      'usage',
      'a token on the command line can be seen by every user of this machine',
      'read it from standard input instead: unikorn login --token - < token.txt',
    );
  const [line = ''] = await nextSecrets(terminal, ['Token']);
  const token = line.trim();
  if (token === '') throw new Failure('usage', 'there is no token on standard input');
  if (!isToken(token)) throw new Failure('usage', 'the text on standard input is not a token: it contains spaces');
  return token;
}

async function throughPages(
  endpoints: string | Endpoints,
  { browser, device = false }: LoginOptions,
  terminal: Terminal,
): Promise<Context['auth']> {
  const { logInByBrowser, logInElsewhere } = await import('./pages.ts');
  return browser && !device && terminal.hasBrowser
    ? logInByBrowser(endpoints, terminal)
    : logInElsewhere(endpoints, terminal);
}

/** A place with the new tokens, before they are stored. */
function placeWith(
  endpoints: string | Endpoints,
  auth: Context['auth'],
  options: GlobalOptions,
  before: Context | undefined,
): Place {
  const reference = (scope: Scope): Reference | undefined =>
    options[scope] === undefined
      ? before?.[scope] && { kind: 'kept', ...before[scope] }
      : { kind: 'written', text: options[scope] };
  const about = scopes.map((scope) => [scope, reference(scope)] as const).filter((entry) => entry[1] !== undefined);
  return {
    endpoints,
    source: { kind: 'url' },
    auth: { kind: 'token', token: 'token' in auth ? auth.token : auth.accessToken },
    about: Object.fromEntries(about),
  };
}

function choicesText({ organization, project, region }: Defaults, open: readonly OpenChoice[]): string {
  const chosen = Object.entries({ organization, project, region }).flatMap(([scope, kept]) =>
    kept ? [`${scope} ${kept.name}`] : [],
  );
  const first = chosen.length === 0 ? [] : [`commands use ${chosen.join(', ')} by default`];
  const rest = open.map(
    ({ scope, names }) =>
      `choose ${scope === 'organization' ? 'an' : 'a'} ${scope}: unikorn context set --${scope} ${names[0] ?? 'name'} (there are ${names.join(', ')})`,
  );
  return [...first, ...rest].map((line) => `${line}\n`).join('');
}
