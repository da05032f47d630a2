import type { Command, Option } from 'commander';

import { detailOf, environment, sentence, visible } from './command-tree.ts';
import { examplesOf } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import { optionsOf, pathOf, usageOf } from './usage.ts';

export interface ManPage {
  /** Such as `unikorn-instance.1`. */
  readonly file: string;
  readonly content: string;
}

export interface Edition {
  readonly version: string;
  /** Such as 2026-11-17. */
  readonly date: string;
}

/** One page about the program, and one about each of its commands, as `man git` and `man git-commit`. */
export function manPages(program: Command, edition: Edition): readonly ManPage[] {
  return [program, ...visible(program)].map((command) => ({
    file: `${titleOf(command)}.1`,
    content: roff([
      `.TH ${titleOf(command).toUpperCase()} 1 ${edition.date} "unikorn ${edition.version}" Unikorn`,
      ...section('Name', `${titleOf(command)} \\- ${text(purposeOf(command))}`),
      ...(command === program ? programPage(program) : commandPage(command)),
    ]),
  }));
}

/** As it is listed: in lower case. */
function purposeOf(command: Command): string {
  const purpose = command.summary() || command.description();
  return `${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`;
}

function titleOf(command: Command): string {
  return pathOf(command).replaceAll(' ', '-');
}

function programPage(program: Command): readonly string[] {
  return [
    ...section(
      'Synopsis',
      synopsis('unikorn <noun> <verb> [name or id] [options]'),
      '.br',
      synopsis('unikorn <command> [options]'),
    ),
    ...section(
      'Description',
      text('Give a resource by its id, or by its name if the name is unique.'),
      text('Data is written to standard output, everything else to standard error.'),
      text('Every command has a page of its own: the page of "unikorn instance" is'),
      `${reference('unikorn-instance')}.`,
      text('"unikorn help instance create" shows the same in the terminal.'),
    ),
    ...section(
      'Commands',
      ...visible(program).flatMap((command) => item(bold(command.name()), text(purposeOf(command)))),
    ),
    ...section('Options', text('These are options of every user command.'), ...optionsOf(program).flatMap(optionItem)),
    ...section(
      'Environment',
      ...Object.entries(environment).flatMap(([name, meaning]) => item(bold(name), text(meaning))),
    ),
    ...section(
      'Files',
      ...item(
        italic('$XDG_CONFIG_HOME/unikorn/config.yaml'),
        text('the contexts with their logins; by default in ~/.config'),
      ),
      ...item(
        italic('.unikorn/credentials.json'),
        text('the addresses and tokens of a server whose state is in this folder or a parent folder'),
      ),
    ),
    ...section(
      'Exit status',
      ...Object.values(exitCodes).flatMap(({ code, meaning }) => item(bold(String(code)), text(meaning))),
    ),
    ...section('Examples', ...examples(program)),
    ...section('See also', seeAlso(visible(program).map(titleOf))),
  ];
}

function commandPage(command: Command): readonly string[] {
  const verbs = visible(command);
  const commands = verbs.length === 0 ? [command] : verbs;
  const aliases = command.aliases();
  return [
    ...section(
      'Synopsis',
      ...commands.flatMap((each, index) => [...(index === 0 ? [] : ['.br']), synopsis(usageOf(each))]),
    ),
    ...section(
      'Description',
      text(sentence(command.description())),
      ...(aliases.length === 0 ? [] : ['.PP', `Also: ${aliases.map(bold).join(', ')}.`]),
    ),
    ...(verbs.length === 0 ? [] : section('Commands', ...verbs.flatMap(chapter))),
    ...(verbs.length === 0
      ? [...section('Options', ...options(command)), ...section('Examples', ...examples(command))]
      : []),
    ...section('See also', seeAlso(['unikorn'])),
  ];
}

function chapter(verb: Command): readonly string[] {
  return [
    macro('SS', usageOf(verb)),
    text(sentence(verb.description())),
    ...options(verb),
    ...(examplesOf(verb).length === 0 ? [] : ['.PP', 'For example:', ...examples(verb)]),
  ];
}

function options(command: Command): readonly string[] {
  return optionsOf(command).flatMap(optionItem);
}

function optionItem(option: Option): readonly string[] {
  return item(bold(option.flags), text(`${option.description}${detailOf(option)}`));
}

function examples(command: Command): readonly string[] {
  if (examplesOf(command).length === 0) return [];
  return ['.EX', ...examplesOf(command).map((example) => `    ${literal(example)}`), '.EE'];
}

/** A section without content is left out. */
function section(title: string, ...lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [macro('SH', title.toUpperCase()), ...lines];
}

function item(term: string, meaning: string): readonly string[] {
  return ['.TP', term, meaning];
}

/** The words of the command are bold; arguments and options are not. */
function synopsis(usage: string): string {
  const [words = ''] = /^[a-z0-9 -]+(?= |$)/.exec(usage) ?? [];
  return `${bold(words)}${literal(usage.slice(words.length))}`;
}

function seeAlso(titles: readonly string[]): string {
  return titles.map(reference).join(',\n');
}

function reference(title: string): string {
  return `${bold(title)}(1)`;
}

function bold(words: string): string {
  return `\\fB${literal(words)}\\fR`;
}

function italic(words: string): string {
  return `\\fI${literal(words)}\\fR`;
}

function macro(name: string, ...words: readonly string[]): string {
  return [`.${name}`, ...words.map((word) => `"${literal(word).replaceAll('"', '\\(dq')}"`)].join(' ');
}

/** Words that are typed as they are: every hyphen is a minus sign, which can be copied. */
function literal(words: string): string {
  return escaped(words).replaceAll('-', '\\-');
}

/** A sentence. Only the hyphens of flags are typed. */
function text(words: string): string {
  return escaped(words).replace(/(?<![\w-])--?[a-z][\w-]*/g, (flag) => flag.replaceAll('-', '\\-'));
}

/** Plain ASCII, in which no character has a special meaning. */
function escaped(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

function roff(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
