import { connect, type TokenSource, type Unikorn } from '@unikorn/sdk';

import { readContexts } from './contexts/file.ts';
import { findLocalServer } from './contexts/local.ts';
import { choosePlace, type Place, type Reference } from './contexts/place.ts';
import { Failure } from './failure.ts';
import { find } from './finding.ts';
import type { GlobalOptions } from './global-options.ts';
import type { KnownNames } from './known-names.ts';
import { nounNamed } from './nouns/index.ts';
import type { Scope } from './nouns/noun.ts';
import { coloursFor } from './output/colours.ts';
import { list, nameOf } from './resources.ts';
import type { Terminal } from './terminal.ts';
import { trustSystemAuthorities } from './trust.ts';

/** The caller, the address and the scopes of a command, from flags, environment and context. */
export interface Session {
  readonly unikorn: Unikorn;
  readonly place: Place;
  /** Is filled by every read. */
  readonly known?: KnownNames | undefined;
  /** The id of a scope. Fails with a message that says how to choose one. */
  idOf(scope: Scope): Promise<string>;
  /** The same for operations where the scope is optional, such as lists. */
  optionalIdOf(scope: Scope): Promise<string | undefined>;
}

/** The session of a command. It prints which server is used if the user did not choose one. */
export async function openSession(terminal: Terminal, options: GlobalOptions): Promise<Session> {
  const place = await placeOf(terminal, options);
  if (place.source.kind === 'local' && terminal.stderr.isTTY) {
    terminal.stderr.write(
      coloursFor(terminal.stderr, terminal.env).dim(`using the server of ${place.source.directory}\n`),
    );
  }
  return sessionAt(place, terminal, options);
}

export async function placeOf(terminal: Terminal, options: GlobalOptions): Promise<Place> {
  return choosePlace({
    options,
    env: terminal.env,
    contexts: await readContexts(terminal),
    local: await findLocalServer(terminal),
  });
}

export interface SessionOptions extends Pick<GlobalOptions, 'allProjects'> {
  /** The number of retries of a request without a response; the default of the SDK unless given. */
  readonly retries?: number;
  /** Aborts every request; Ctrl-C by default. */
  readonly signal?: AbortSignal;
}

export function sessionAt(
  place: Place,
  terminal: Terminal,
  { allProjects = false, retries, signal = terminal.signal }: SessionOptions = {},
): Session {
  const { endpoints, about } = place;
  trustSystemAuthorities(endpoints);
  const ids = new Map<Scope, Promise<string>>();
  const once = (scope: Scope, id: () => Promise<string>) => {
    const known = ids.get(scope) ?? id();
    ids.set(scope, known);
    return known;
  };
  const session: Session = {
    unikorn: connect({
      endpoints,
      token: tokenOf(place, terminal),
      signal,
      ...(retries === undefined ? {} : { retries }),
    }),
    place,
    known: terminal.known,
    idOf: (scope) => once(scope, () => (about[scope] ? idOf(session, scope, about[scope]) : onlyOne(session, scope))),
    optionalIdOf: async (scope) =>
      about[scope] && narrows(scope, about[scope], allProjects) ? session.idOf(scope) : undefined,
  };
  return session;
}

/** The region of a context is for new resources. Lists show every region unless the command names one. */
function narrows(scope: Scope, { kind }: Reference, allProjects: boolean): boolean {
  switch (scope) {
    case 'organization':
      return true;
    case 'project':
      return !allProjects;
    case 'region':
      return kind === 'written';
  }
}

function tokenOf({ auth, endpoints }: Place, terminal: Terminal): TokenSource {
  if (auth.kind === 'token') return auth.token;
  // The modules for logins are only loaded if there is a login.
  const source = import('./login/renewal.ts').then(({ renewedToken }) =>
    renewedToken(auth.context, endpoints, terminal),
  );
  return async (refused) => (await source)(refused);
}

async function idOf(session: Session, scope: Scope, reference: Reference): Promise<string> {
  return reference.kind === 'kept' ? reference.id : (await find(session, nounNamed(scope), reference.text)).metadata.id;
}

/** If there is only one, it is used. */
async function onlyOne(session: Session, scope: Scope): Promise<string> {
  const noun = nounNamed(scope);
  const objects = await list(session, noun);
  const [only, ...others] = objects;
  if (!only)
    throw new Failure(
      'refused',
      `there is no ${scope} that you can use`,
      scope === 'project'
        ? 'ask an administrator of the organization for access to one'
        : 'the platform operator can add one',
    );
  if (others.length === 0) return only.metadata.id;
  const names = objects.map((object) => nameOf(noun, object));
  throw new Failure(
    'usage',
    `which ${scope}? there are ${names.join(', ')}`,
    `add --${scope} ${names[0] ?? 'name'}, or choose one permanently: unikorn context set --${scope} ${names[0] ?? 'name'}`,
  );
}
