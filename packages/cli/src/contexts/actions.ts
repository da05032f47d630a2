import { demandConsent } from '../ask.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Scope } from '../nouns/noun.ts';
import { sessionAt } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { YesOption } from '../yes-option.ts';
import {
  contextDestruction,
  contextNamed,
  renameContext,
  useContext,
  withDefaults,
  withoutContext,
} from './changes.ts';
import { scopes, type Contexts, type Kept } from './contexts.ts';
import { keptAs } from './defaults.ts';
import { changeContexts, readContexts } from './file.ts';
import { choosePlace } from './place.ts';
import { contextViews, printContext, printContexts } from './view.ts';

export async function listContexts({ output }: GlobalOptions, terminal: Terminal): Promise<void> {
  await printContexts(contextViews(await readContexts(terminal)), output, terminal);
}

export async function showContext(
  given: string | undefined,
  { context, output }: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const contexts = await readContexts(terminal);
  const name = nameIn(contexts, given ?? context, terminal);
  contextNamed(contexts, name);
  for (const view of contextViews(contexts)) if (view.name === name) await printContext(view, output, terminal);
}

export async function switchContext(name: string, terminal: Terminal): Promise<void> {
  await changeContexts(terminal, (contexts) => useContext(contexts, name));
  terminal.stderr.write(`commands now use the context ${name}\n`);
}

export async function moveContext(from: string, to: string, terminal: Terminal): Promise<void> {
  await changeContexts(terminal, (contexts) => renameContext(contexts, from, to));
  terminal.stderr.write(`${from} is now ${to}\n`);
}

export async function forgetContext(name: string, options: YesOption, terminal: Terminal): Promise<void> {
  const context = contextNamed(await readContexts(terminal), name);
  await demandConsent(terminal, options, contextDestruction(name, context));
  await changeContexts(terminal, (contexts) => withoutContext(contexts, name));
  terminal.stderr.write(`forgot ${name}\n`);
}

export async function setDefaults(
  given: string | undefined,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const contexts = await readContexts(terminal);
  const name = nameIn(contexts, given ?? options.context, terminal);
  if (options.url !== undefined)
    throw new Failure(
      'usage',
      'the address of a context cannot be changed, because its login is only valid there',
      `log in there: unikorn login ${options.url}`,
    );
  const written = scopes.flatMap((scope) => (options[scope] === undefined ? [] : [{ scope, text: options[scope] }]));
  if (written.length === 0) throw new Failure('usage', 'nothing to set: give --organization, --project or --region');
  const asked = Object.fromEntries(
    written.filter(({ text }) => text !== '').map(({ scope, text }) => [scope, text] as const),
  );
  const session = sessionAt(
    choosePlace({ options: { ...asked, context: name }, env: {}, contexts, local: undefined }),
    terminal,
  );
  const changes = await Promise.all(
    written.map(
      async ({ scope, text }) => [scope, text === '' ? undefined : await keptAs(session, scope, text)] as const,
    ),
  );
  await changeContexts(terminal, (present) => withDefaults(present, name, Object.fromEntries(changes)));
  terminal.stderr.write(changes.map(([scope, kept]) => `${name}: ${said(scope, kept)}\n`).join(''));
}

function nameIn({ current }: Contexts, given: string | undefined, { env }: Terminal): string {
  const name = given ?? (env['UNIKORN_CONTEXT'] || current);
  if (name === undefined)
    throw new Failure(
      'notFound',
      'there is no current context',
      'log in: unikorn login https://cloud.example.com',
      'or use an existing context: unikorn context list, unikorn context use',
    );
  return name;
}

function said(scope: Scope, kept: Kept | undefined): string {
  return kept ? `${scope} ${kept.name}` : `no ${scope}`;
}
