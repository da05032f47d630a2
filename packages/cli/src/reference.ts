import type { Command, Option } from 'commander';

import { examplesOf } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import { argumentText } from './usage.ts';

/** The environment variables of every user command. */
const environment = {
  UNIKORN_URL: 'address of the control plane, as --url',
  UNIKORN_TOKEN: 'token for requests',
  UNIKORN_CONTEXT: 'context to use, as --context',
  UNIKORN_ORGANIZATION: 'organization to use, as --organization',
  UNIKORN_PROJECT: 'project to use, as --project',
  UNIKORN_REGION: 'region to use, as --region',
  UNIKORN_STATE:
    'state directory of a server on this machine; its credentials.json is used if there is no context, address or token',
  XDG_CONFIG_HOME: 'where contexts are kept, in a folder `unikorn`',
  NO_COLOR: 'any value turns colours off',
  FORCE_COLOR: 'any value turns colours on, also without a terminal',
} as const;

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
    ...optionTable(program.options.filter(({ hidden }) => !hidden)),
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
  const words = [
    pathOf(command),
    ...command.registeredArguments.map(argumentText),
    ...(command.options.length > 0 ? ['[options]'] : []),
  ];
  const examples = examplesOf(command);
  return [
    '```',
    words.join(' '),
    '```',
    '',
    ...optionTable(command.options.filter(({ hidden }) => !hidden)),
    ...(examples.length > 0 ? ['For example:', '', ...examples.map((example) => `    ${example}`), ''] : []),
  ];
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function optionTable(options: readonly Option[]): readonly string[] {
  if (options.length === 0) return [];
  return table(
    ['Option', 'Description'],
    options.map((option) => [`\`${option.flags}\``, `${option.description}${detailOf(option)}`]),
  );
}

function detailOf({ argChoices, defaultValue, defaultValueDescription, envVar }: Option): string {
  const standard: unknown = defaultValueDescription ?? defaultValue;
  const details = [
    ...(argChoices ? [argChoices.join(', ')] : []),
    ...(typeof standard === 'string' || typeof standard === 'number' ? [`default ${standard}`] : []),
    ...(envVar === undefined ? [] : [`environment ${envVar}`]),
  ];
  return details.length === 0 ? '' : ` (${details.join('; ')})`;
}

function table(headers: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`| ${headers.join(' | ')} |`, `|${'---|'.repeat(headers.length)}`, ...rows.map(line), ''];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function visible(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.filter((other) => other.name() !== 'help');
}
