import type { Command, Option } from 'commander';

import { detailOf, environment, sentence, visible } from './command-tree.ts';
import { examplesOf } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import { optionsOf, usageOf } from './usage.ts';

/** The page about every command, from the commands themselves. */
export function cliReference(program: Command, notice: string): string {
  const commands = visible(program);
  return [
    '# Commands',
    '',
    `<!-- ${notice} -->`,
    '',
    'Give a resource by its id, or by its name if the name is unique. Data is written to standard output, everything else to standard error.',
    '',
    ...table(
      ['Command', 'Description'],
      commands.map((command) => [`[${command.name()}](#unikorn-${command.name()})`, command.description()]),
    ),
    '## Options of every user command',
    '',
    ...optionTable(optionsOf(program)),
    '## Environment',
    '',
    ...table(
      ['Variable', 'Description'],
      Object.entries(environment).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Exit codes',
    '',
    ...table(
      ['Code', 'Meaning'],
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
    ),
    ...commands.flatMap((command) => chapter(command)),
  ].join('\n');
}

function chapter(command: Command): readonly string[] {
  const description = command.description();
  const aliases = command.aliases();
  const verbs = visible(command);
  const also = aliases.length === 0 ? [] : [`Also: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`, ''];
  if (verbs.length === 0)
    return [`## unikorn ${command.name()}`, '', sentence(description), '', ...also, ...usage(command)];
  return [
    `## unikorn ${command.name()}`,
    '',
    sentence(description),
    '',
    ...also,
    ...verbs.flatMap((verb) => [
      `### unikorn ${command.name()} ${verb.name()}`,
      '',
      sentence(verb.description()),
      '',
      ...usage(verb),
    ]),
  ];
}

function usage(command: Command): readonly string[] {
  const examples = examplesOf(command);
  return [
    '```',
    usageOf(command),
    '```',
    '',
    ...optionTable(optionsOf(command)),
    ...(examples.length > 0 ? ['For example:', '', ...examples.map((example) => `    ${example}`), ''] : []),
  ];
}

function optionTable(options: readonly Option[]): readonly string[] {
  if (options.length === 0) return [];
  return table(
    ['Option', 'Description'],
    options.map((option) => [`\`${option.flags}\``, `${option.description}${detailOf(option)}`]),
  );
}

function table(headers: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`| ${headers.join(' | ')} |`, `|${'---|'.repeat(headers.length)}`, ...rows.map(line), ''];
}
