import { ApiError } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import { nounNamed } from '../nouns/index.ts';
import type { Named, Scope } from '../nouns/noun.ts';
import { about, list, nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { scopes, type Context, type Kept } from './contexts.ts';
import type { Reference } from './place.ts';

export type Defaults = Pick<Context, Scope>;

/** Converts a given name or id to the stored form. */
export async function keptAs(session: Session, scope: Scope, text: string): Promise<Kept> {
  return keptOf(scope, await find(session, nounNamed(scope), text));
}

function keptOf(scope: Scope, object: Named): Kept {
  return { id: object.metadata.id, name: nameOf(nounNamed(scope), object) };
}

/** A scope that is not chosen yet, with its options. */
export interface OpenChoice {
  readonly scope: Scope;
  readonly names: readonly string[];
}

export interface Choice {
  readonly defaults: Defaults;
  readonly open: readonly OpenChoice[];
  /** Given scopes that do not exist; the others are still chosen. */
  readonly mistakes: readonly Failure[];
}

/** The default scopes of a new context: given or stored before, or the only one that exists. */
export async function chooseDefaults(session: Session): Promise<Choice> {
  let defaults: Defaults = {};
  const open: OpenChoice[] = [];
  const mistakes: Failure[] = [];
  for (const scope of scopes) {
    if (scope !== 'organization' && !defaults.organization) continue;
    const within = defaults.organization ? about(session, { organization: defaults.organization.id }) : session;
    const present = (await list(within, nounNamed(scope))).map((object) => keptOf(scope, object));
    const said = session.place.about[scope];
    const kept =
      said?.kind === 'written' ? await keptAs(within, scope, said.text).catch(mistaken) : picked(present, said);
    if (kept instanceof Failure) mistakes.push(kept);
    else if (kept) defaults = { ...defaults, [scope]: kept };
    else if (present.length > 1) open.push({ scope, names: present.map(({ name }) => name) });
  }
  return { defaults, open, mistakes };
}

function mistaken(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function picked(present: readonly Kept[], kept: Extract<Reference, { kind: 'kept' }> | undefined): Kept | undefined {
  return present.find(({ id }) => id === kept?.id) ?? (present.length === 1 ? present[0] : undefined);
}

/** The current scopes of commands. */
export interface Chosen {
  readonly scope: Scope;
  /** The name that it had when it was chosen. */
  readonly called: string;
  /** Absent if it no longer exists, or if the caller may not see it. */
  readonly kept?: Kept;
}

export function findChosen(session: Session): Promise<readonly Chosen[]> {
  const references = scopes.flatMap((scope) =>
    session.place.about[scope] ? [{ scope, reference: session.place.about[scope] }] : [],
  );
  return Promise.all(
    references.map(async ({ scope, reference }) => {
      const text = reference.kind === 'kept' ? reference.id : reference.text;
      const kept = await keptAs(session, scope, text).catch(absent);
      return { scope, called: reference.kind === 'kept' ? (reference.name ?? text) : text, ...(kept ? { kept } : {}) };
    }),
  );
}

function absent(error: unknown): undefined {
  if (error instanceof Failure || (error instanceof ApiError && [403, 404].includes(error.status))) return undefined;
  throw error;
}
