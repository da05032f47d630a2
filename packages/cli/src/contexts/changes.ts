import type { Destruction } from '../ask.ts';
import { Failure } from '../failure.ts';
import type { Scope } from '../nouns/noun.ts';
import { addressOf, scopes, type Context, type Contexts, type Kept } from './contexts.ts';
import { unknownContext } from './place.ts';

export function contextNamed({ contexts }: Contexts, name: string): Context {
  const context = contexts[name];
  if (!context) throw unknownContext(name, contexts);
  return context;
}

export function useContext(contexts: Contexts, name: string): Contexts {
  contextNamed(contexts, name);
  return { ...contexts, current: name };
}

export function renameContext({ current, contexts }: Contexts, from: string, to: string): Contexts {
  contextNamed({ contexts }, from);
  if (contexts[to])
    throw new Failure('refused', `context ${to} already exists`, `remove it first: unikorn context delete ${to}`);
  const renamed = Object.entries(contexts).map(([name, context]) => [name === from ? to : name, context] as const);
  return {
    ...(current === undefined ? {} : { current: current === from ? to : current }),
    contexts: Object.fromEntries(renamed),
  };
}

export function withoutContext({ current, contexts }: Contexts, name: string): Contexts {
  contextNamed({ contexts }, name);
  const rest = Object.entries(contexts).filter(([other]) => other !== name);
  return { ...(current === undefined || current === name ? {} : { current }), contexts: Object.fromEntries(rest) };
}

/** What is lost with a context. A token is shown only once, so a lost one must be replaced. */
export function contextDestruction(name: string, { auth, endpoints }: Context): Destruction {
  const address = addressOf(endpoints);
  return {
    verb: 'delete',
    what: `context ${name}`,
    losses: [
      'token' in auth
        ? `the token for ${address}, which cannot be shown again`
        : `the login at ${address}, which stays valid there until it expires`,
    ],
  };
}

/**
 * Changes the defaults of a context; undefined removes one. A project is only valid in its own organization, so a
 * change of the organization also removes the project.
 */
export function withDefaults(
  contexts: Contexts,
  name: string,
  changes: Readonly<Partial<Record<Scope, Kept | undefined>>>,
): Contexts {
  const context = contextNamed(contexts, name);
  const moved = 'organization' in changes && changes.organization?.id !== context.organization?.id;
  const wanted = { ...context, ...(moved ? { project: undefined } : {}), ...changes };
  const { endpoints, auth } = context;
  const kept = scopes.flatMap((scope) => (wanted[scope] ? [[scope, wanted[scope]] as const] : []));
  return { ...contexts, contexts: { ...contexts.contexts, [name]: { endpoints, auth, ...Object.fromEntries(kept) } } };
}
