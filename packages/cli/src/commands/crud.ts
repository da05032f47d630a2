import type { Command } from 'commander';

import { closest } from '../closest.ts';
import { withExamples } from '../examples.ts';
import { accessFields, addFieldOptions, integer, repeated } from '../fields.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Noun } from '../nouns/noun.ts';
import { addTableOptions } from '../output/table-options.ts';
import type { Terminal } from '../terminal.ts';
import type { CreateOptions } from '../verbs/create.ts';
import type { DeleteOptions } from '../verbs/delete.ts';
import type { HistoryOptions } from '../verbs/history.ts';
import type { ListOptions } from '../verbs/list.ts';
import type { UpdateOptions } from '../verbs/update.ts';
import type { Diagnosis } from '../verbs/verb.ts';
import { addWaitOptions } from '../wait/options.ts';
import { yesOption } from '../yes-option.ts';

export type Verb = 'list' | 'get' | 'watch' | 'explain' | 'create' | 'update' | 'delete';

export interface NounOptions {
  /** Verbs that another module implements for this noun. */
  readonly without?: readonly Verb[];
}

interface Registration {
  readonly command: Command;
  readonly noun: Noun;
  readonly terminal: Terminal;
  readonly diagnosis: { readonly diagnosis?: Diagnosis };
}

/** The command of a noun with the verbs that its service supports. The caller can add other verbs to the result. */
export function registerNoun(
  program: Command,
  terminal: Terminal,
  noun: Noun,
  { without = [] }: NounOptions = {},
): Command {
  const command = program
    .command(noun.name)
    .aliases([noun.plural, ...(noun.aliases ?? [])].filter((alias) => alias !== noun.name))
    .description(noun.description);
  const registration: Registration = { command, noun, terminal, diagnosis: diagnosisFor(noun) };
  const offered = (['list', 'get', 'watch', 'explain', 'create', 'update', 'delete'] as const).filter(
    (verb) => !without.includes(verb) && (verb === 'list' || verb === 'get' || noun.verbs.includes(verb)),
  );
  for (const verb of offered) registrations[verb](registration);
  if (noun.history) registerHistory(registration);
  listUnlessMistaken(registration);
  return command;
}

/** The options by which a list is selected. */
export function addFilterOptions(verb: Command, noun: Pick<Noun, 'scope' | 'isShort'>): void {
  if (noun.scope.includes('project'))
    verb.option('--tag <name=value>', 'only resources with this tag; may be repeated', repeated);
  if (!noun.isShort)
    verb.option(
      '--search <text>',
      'only resources whose name contains this text, or whose id begins with it; case does not matter',
    );
}

const registrations: Readonly<Record<Verb, (registration: Registration) => void>> = {
  list: ({ command, noun, terminal }) => {
    const verb = command.command('list').alias('ls').description(`list ${noun.plural}`);
    addFilterOptions(verb, noun);
    addTableOptions(verb);
    withExamples(
      verb,
      `unikorn ${noun.name} list`,
      noun.examples?.list ? `unikorn ${noun.name} ${noun.examples.list}` : `unikorn ${noun.name} list -o json`,
    );
    verb.action(() => list(verb, noun, terminal));
  },
  get: ({ command, noun, terminal }) => {
    const verb = command
      .command('get')
      .alias('show')
      .argument('<name or id...>', `which ${noun.name}`)
      .description(`describe ${articled(noun)}`);
    withExamples(
      verb,
      `unikorn ${noun.name} get ${exampleName(noun)}`,
      `unikorn ${noun.name} get ${exampleName(noun)} -o yaml`,
    );
    verb.action(async (names: readonly string[]) => {
      const { getVerb } = await import('../verbs/get.ts');
      await getVerb({ terminal, noun, options: verb.optsWithGlobals<GlobalOptions>() }, names);
    });
  },
  watch: ({ command, noun, terminal }) => {
    const verb = command
      .command('watch')
      .argument('[name or id]', `${noun.name} to follow; all by default`)
      .description(`follow ${noun.plural} as they change, until Ctrl-C`);
    withExamples(verb, `unikorn ${noun.name} watch`, `unikorn ${noun.name} watch -o json | jq .object.metadata.name`);
    verb.action(async (name: string | undefined) => {
      const { watchVerb } = await import('../verbs/watch.ts');
      await watchVerb({ terminal, noun, options: verb.optsWithGlobals<GlobalOptions>() }, name);
    });
  },
  explain: ({ command, noun, terminal }) => {
    const verb = command
      .command('explain')
      .argument('<name or id>', `which ${noun.name}`)
      .description(`show why ${articled(noun)} is in its state, the root cause first, and what to do`);
    withExamples(verb, `unikorn ${noun.name} explain ${exampleName(noun)}`);
    verb.action(async (name: string) => {
      const { explainVerb } = await import('../explain/explain.ts');
      await explainVerb({ terminal, noun, options: verb.optsWithGlobals<GlobalOptions>() }, name);
    });
  },
  create: ({ command, noun, terminal, diagnosis }) => {
    const verb = command
      .command('create')
      .argument(noun.namePath === undefined ? '<name>' : '<mail address>', `its name`)
      .description(`create ${articled(noun)}`);
    addFieldOptions(verb, noun, 'create');
    if (noun.namePath === undefined) addCommonOptions(verb);
    addWaitOptions(verb);
    withExamples(verb, `unikorn ${noun.name} ${noun.examples?.create ?? `create ${exampleName(noun)}`}`);
    verb.action(async (name: string) => {
      const { createVerb } = await import('../verbs/create.ts');
      await createVerb({ terminal, noun, options: verb.optsWithGlobals<CreateOptions>(), ...diagnosis }, name);
    });
  },
  update: ({ command, noun, terminal, diagnosis }) => {
    const verb = command
      .command('update')
      .argument('<name or id>', `which ${noun.name}`)
      .description(
        `change ${articled(noun)}; settings that are not given stay unchanged, and an empty text removes a setting`,
      );
    addChangeOptions(verb, noun);
    if (accessFields(noun).length > 0) verb.option('--yes', 'do not ask for confirmation before access is taken away');
    addWaitOptions(verb);
    withExamples(verb, `unikorn ${noun.name} ${noun.examples?.update ?? `update ${exampleName(noun)} --tag team=web`}`);
    verb.action(async (name: string) => {
      const { updateVerb } = await import('../verbs/update.ts');
      await updateVerb({ terminal, noun, options: verb.optsWithGlobals<UpdateOptions>(), ...diagnosis }, name);
    });
  },
  delete: ({ command, noun, terminal }) => {
    const verb = command
      .command('delete')
      .alias('rm')
      .argument('<name or id...>', `which ${noun.plural}`)
      .description(`delete ${noun.plural}`);
    verb.option(...yesOption);
    if (noun.holdsProtected)
      verb.option(
        '--ignore-protection',
        `delete ${articled(noun)} even if instances in it are protected against deletion`,
      );
    addWaitOptions(verb);
    withExamples(
      verb,
      `unikorn ${noun.name} delete ${exampleName(noun)}`,
      `unikorn ${noun.name} delete ${exampleName(noun)} --yes`,
    );
    verb.action(async (names: readonly string[]) => {
      const { deleteVerb } = await import('../verbs/delete.ts');
      await deleteVerb({ terminal, noun, options: verb.optsWithGlobals<DeleteOptions>() }, names);
    });
  },
};

/** Resources with an explanation show why they did not reach the requested state. */
export function diagnosisFor(noun: Noun): { readonly diagnosis?: Diagnosis } {
  if (!noun.verbs.includes('explain')) return {};
  return { diagnosis: async (...args) => (await import('../explain/explain.ts')).diagnosisOf(noun)(...args) };
}

function registerHistory({ command, noun, terminal }: Registration): void {
  const verb = command
    .command('history')
    .argument('<name or id>', `which ${noun.name}; a deleted one by its id`)
    .description(`show what happened to ${articled(noun)}, who requested it, and the result`)
    .option('--limit <number>', 'at most this many of the latest entries', integer)
    .option('--follow', 'print each new entry as it is written, until Ctrl-C');
  withExamples(
    verb,
    `unikorn ${noun.name} history ${exampleName(noun)}`,
    `unikorn ${noun.name} history ${exampleName(noun)} --limit 10 -o json`,
    `unikorn ${noun.name} history ${exampleName(noun)} --follow`,
  );
  verb.action(async (name: string) => {
    const { historyVerb } = await import('../verbs/history.ts');
    await historyVerb({ terminal, noun, options: verb.optsWithGlobals<HistoryOptions>() }, name);
  });
}

/** Every option of an update: the fields of the noun, and those that every resource has. */
export function addChangeOptions(verb: Command, noun: Noun): void {
  addFieldOptions(verb, noun, 'update');
  if (noun.namePath !== undefined) return;
  if (!noun.keepsName) verb.option('--name <text>', 'its new name');
  addCommonOptions(verb);
  verb.option('--untag <name>', 'remove a tag; may be repeated', repeated);
}

function addCommonOptions(verb: Command): void {
  verb
    .option('--description <text>', 'its description')
    .option('--tag <name=value>', 'add a tag; may be repeated', repeated);
}

/** Such as `an image`; but `a user`, because it is not pronounced with a vowel. */
function articled({ name }: Noun): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The name of a resource in examples. */
function exampleName({ examples }: Noun): string {
  return examples?.name ?? examples?.create?.split(' ')[1] ?? 'web';
}

async function list(verb: Command, noun: Noun, terminal: Terminal): Promise<void> {
  const { listVerb } = await import('../verbs/list.ts');
  await listVerb({ terminal, noun, options: verb.optsWithGlobals<ListOptions>() });
}

/** A noun without a verb lists its resources. A noun with an unknown word is an error. */
function listUnlessMistaken({ command, noun, terminal }: Registration): void {
  command.allowExcessArguments().action(async () => {
    const [word] = command.args;
    if (word === undefined) return list(command, noun, terminal);
    const [close] = closest(
      word,
      command.commands.map((verb) => verb.name()),
    );
    return command.error(`error: unknown command '${word}'${close === undefined ? '' : `\n(Did you mean ${close}?)`}`);
  });
}
