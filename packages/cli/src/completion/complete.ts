import type { Argument, Command, Option } from 'commander';

import type { GlobalOptions } from '../global-options.ts';
import { nouns } from '../nouns/index.ts';
import type { Noun } from '../nouns/noun.ts';

/** A possible next word, and its description. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** The possible next words: fixed words, or names that must be requested. */
export type Completion =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  /** The names of the resources of a noun, in the control plane that the options select. */
  | { readonly kind: 'names'; readonly noun: Noun; readonly options: GlobalOptions }
  | { readonly kind: 'contexts' }
  | { readonly kind: 'files' };

const nothing: Completion = { kind: 'words', candidates: [] };

/** The parsed part of a command line. */
interface Position {
  readonly command: Command;
  /** The number of arguments that the command already has. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly awaiting?: Option | undefined;
  readonly used: ReadonlySet<Option>;
  readonly options: Readonly<Record<string, string | true>>;
  /** After `--`: the following words are not options. */
  readonly closed: boolean;
}

/** The completions of the last word, which may be empty or partial. */
export function complete(program: Command, words: readonly string[]): Completion {
  const position = words
    .slice(0, -1)
    .reduce(advance, { command: program, given: 0, used: new Set<Option>(), options: {}, closed: false });
  const current = words.at(-1) ?? '';
  if (position.awaiting) return valueOf(position.awaiting, position);
  if (!position.closed && current.startsWith('-')) return { kind: 'words', candidates: flagsOf(position) };
  if (position.given === 0 && position.command.commands.length > 0)
    return { kind: 'words', candidates: commandsOf(position.command) };
  return argumentOf(position);
}

function advance(position: Position, word: string): Position {
  const { command, given, awaiting, used, options, closed } = position;
  if (awaiting) return { ...position, awaiting: undefined, options: { ...options, [awaiting.attributeName()]: word } };
  if (!closed && word === '--') return { ...position, closed: true };
  if (!closed && word.startsWith('-')) {
    const [flag = '', value] = word.split('=', 2);
    const option = optionsOf(command).find(({ long, short }) => long === flag || short === flag);
    if (!option) return position;
    const wantsValue = option.required && value === undefined;
    return {
      ...position,
      used: new Set([...used, option]),
      awaiting: wantsValue ? option : undefined,
      options: wantsValue ? options : { ...options, [option.attributeName()]: value ?? true },
    };
  }
  const next =
    given === 0 ? command.commands.find((each) => each.name() === word || each.aliases().includes(word)) : undefined;
  return next ? { ...position, command: next } : { ...position, given: given + 1 };
}

/** The options of the command and of its parents. */
function optionsOf(command: Command): readonly Option[] {
  return lineOf(command).flatMap((each) => each.options);
}

/** The command and all its parents. */
function lineOf(command: Command): readonly Command[] {
  return command.parent ? [command, ...lineOf(command.parent)] : [command];
}

function flagsOf({ command, used }: Position): readonly Candidate[] {
  const open = optionsOf(command).filter((option) => !option.hidden && (!used.has(option) || isRepeatable(option)));
  return [
    ...open.flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }])),
    { value: '--help', description: 'show help' },
  ];
}

function isRepeatable({ description }: Option): boolean {
  return description.endsWith('may be repeated');
}

function commandsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }));
}

function argumentOf({ command, given, options }: Position): Completion {
  const last = command.registeredArguments.at(-1);
  const argument: Argument | undefined = command.registeredArguments[given] ?? (last?.variadic ? last : undefined);
  if (!argument) return nothing;
  if (argument.argChoices) return { kind: 'words', candidates: argument.argChoices.map((value) => ({ value })) };
  if (isFile(argument.name())) return { kind: 'files' };
  const noun = argument.name().startsWith('name or id')
    ? nounOf(command)
    : nouns.find(({ name }) => name === argument.name());
  if (noun) return { kind: 'names', noun, options };
  const isContext =
    argument.name() === 'context' || (argument.name() === 'name' && command.parent?.name() === 'context');
  return isContext ? { kind: 'contexts' } : nothing;
}

function valueOf(option: Option, { command, options }: Position): Completion {
  if (option.argChoices) return { kind: 'words', candidates: option.argChoices.map((value) => ({ value })) };
  const flag = option.long?.slice('--'.length) ?? '';
  if (flag === 'context') return { kind: 'contexts' };
  const named = nounOf(command)?.fields.find((field) => field.flag === flag)?.noun ?? flag;
  const noun = /<name or id>/.test(option.flags) ? nouns.find(({ name }) => name === named) : undefined;
  if (noun) return { kind: 'names', noun, options };
  return isFile(/<([^>]*)>/.exec(option.flags)?.[1] ?? '') ? { kind: 'files' } : nothing;
}

function isFile(placeholder: string): boolean {
  return /^(file|folder|directory|path)/.test(placeholder);
}

/** The noun that a command belongs to. */
function nounOf(command: Command): Noun | undefined {
  const names = lineOf(command).map((each) => each.name());
  return nouns.find(({ name }) => names.includes(name));
}
