import type { Endpoints } from '@unikorn/sdk';

import { startCommand } from '../executable.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Scope } from '../nouns/noun.ts';
import type { Terminal } from '../terminal.ts';
import { addressOf, isToken, scopes, type Context, type Contexts } from './contexts.ts';
import type { LocalServer } from './local.ts';

/** A scope of a command: given for this command, or stored in the context. */
export type Reference =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'kept'; readonly id: string; readonly name?: string };

/** The source of the place. */
export type Source =
  | { readonly kind: 'context'; readonly name: string }
  | { readonly kind: 'local'; readonly directory: string }
  | { readonly kind: 'url' };

export function sourceText(source: Source): string {
  switch (source.kind) {
    case 'context':
      return `context ${source.name}`;
    case 'local':
      return `the server of ${source.directory}`;
    case 'url':
      return 'the address that was given';
  }
}

/** The credentials: a token, or the login of a context. */
export type Auth =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'login'; readonly context: string };

/** The address of a command's requests, the credentials, and the scopes. */
export interface Place {
  readonly endpoints: string | Endpoints;
  /** The address for a login, if it is another one. */
  readonly publicUrl?: string;
  readonly source: Source;
  readonly auth: Auth;
  readonly about: Readonly<Partial<Record<Scope, Reference>>>;
}

export interface Choices {
  readonly options: GlobalOptions;
  readonly env: Terminal['env'];
  readonly contexts: Contexts;
  readonly local: LocalServer | undefined;
}

/**
 * The order is: flags, environment, current context, server on this machine (before the context if the environment
 * names its state). An address and a token belong together: a token is only sent to the address that it was stored or
 * given for.
 */
export function choosePlace({ options, env, contexts, local }: Choices): Place {
  const url = options.url ?? (options.context === undefined ? env['UNIKORN_URL'] : undefined);
  const token = options.context === undefined ? env['UNIKORN_TOKEN'] : undefined;
  if (token && !isToken(token))
    throw new Failure(
      'usage',
      'UNIKORN_TOKEN is not a token: it contains spaces or line breaks',
      'it may contain more than one token, or other lines of a file',
    );
  const named = options.context ?? (env['UNIKORN_CONTEXT'] || (env['UNIKORN_STATE'] ? undefined : contexts.current));
  const base = url ? atUrl(url, token, contexts, local) : (inContext(named, contexts) ?? (local && atLocal(local)));
  if (!base)
    throw new Failure(
      'forbidden',
      env['UNIKORN_STATE']
        ? `there are no credentials of a server in ${env['UNIKORN_STATE']}, the directory in UNIKORN_STATE`
        : 'you are not logged in, and no server runs on this machine',
      'log in: unikorn login https://cloud.example.com',
      `or start a server: ${startCommand()}`,
    );
  return {
    ...base,
    ...(token ? { auth: { kind: 'token', token } } : {}),
    about: aboutWhat({ options, env }, base.about),
  };
}

function atUrl(written: string, token: string | undefined, contexts: Contexts, local: LocalServer | undefined): Place {
  if (!/^https?:/.test(written) || !URL.canParse(written))
    throw new Failure('usage', `${written} is not an address; write it like https://cloud.example.com`);
  const url = addressOf(written);
  const names = Object.keys(contexts.contexts).sort(
    (one, other) => Number(other === contexts.current) - Number(one === contexts.current),
  );
  const name = names.find((each) => addressOf(contexts.contexts[each]?.endpoints ?? '') === url);
  const known =
    name === undefined
      ? local && [addressOf(local.endpoints), local.publicUrl].includes(url)
        ? atLocal(local)
        : undefined
      : inContext(name, contexts);
  if (known) return known;
  if (!token)
    throw new Failure(
      'forbidden',
      `you are not logged in to ${url}`,
      `log in: unikorn login ${url}`,
      'or set UNIKORN_TOKEN to the token of a service account',
    );
  return { endpoints: url, source: { kind: 'url' }, auth: { kind: 'token', token }, about: {} };
}

function inContext(name: string | undefined, { contexts }: Contexts): Place | undefined {
  if (name === undefined) return undefined;
  const context = contexts[name];
  if (!context) throw unknownContext(name, contexts);
  const auth: Auth =
    'token' in context.auth ? { kind: 'token', token: context.auth.token } : { kind: 'login', context: name };
  const about = scopes.flatMap((scope) =>
    context[scope] ? [[scope, { kind: 'kept', ...context[scope] }] as const] : [],
  );
  return { endpoints: context.endpoints, source: { kind: 'context', name }, auth, about: Object.fromEntries(about) };
}

export function unknownContext(name: string, contexts: Readonly<Record<string, Context>>): Failure {
  const names = Object.keys(contexts);
  return new Failure(
    'notFound',
    `context ${name} does not exist`,
    names.length === 0 ? 'there are no contexts yet: unikorn login creates one' : `there are: ${names.join(', ')}`,
  );
}

function atLocal(server: LocalServer): Place {
  const { directory, endpoints, publicUrl, token, organizationId, projectId, regionId } = server;
  const ids = { organization: organizationId, project: projectId, region: regionId };
  const about = scopes.flatMap((scope) =>
    ids[scope] === undefined ? [] : [[scope, { kind: 'kept', id: ids[scope] }] as const],
  );
  return {
    endpoints,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    source: { kind: 'local', directory },
    auth: { kind: 'token', token },
    about: Object.fromEntries(about),
  };
}

/** Given scopes override stored ones; a stored project is only used in its own organization. */
function aboutWhat({ options, env }: Pick<Choices, 'options' | 'env'>, kept: Place['about']): Place['about'] {
  const written = scopes.flatMap((scope) => {
    const text = options[scope] ?? env[`UNIKORN_${scope.toUpperCase()}`];
    return text ? [[scope, { kind: 'written', text }] as const] : [];
  });
  const about: Place['about'] = { ...kept, ...Object.fromEntries(written) };
  const elsewhere = about.project?.kind === 'kept' && !isSame(about.organization, kept.organization);
  return elsewhere ? Object.fromEntries(Object.entries(about).filter(([scope]) => scope !== 'project')) : about;
}

function isSame(chosen: Reference | undefined, kept: Reference | undefined): boolean {
  if (chosen?.kind !== 'written') return true;
  return kept?.kind === 'kept' && [kept.id, kept.name].includes(chosen.text);
}
