import { Command, CommanderError, Help } from 'commander';

import type { ReadClouds } from './commands/region.ts';
import type { InspectState } from './doctor/examine.ts';
import { withExamples } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import { ProgramEnded } from './failure.ts';
import { addGlobalOptions, type GlobalOptions } from './global-options.ts';
import { typeable } from './hints.ts';
import { nouns } from './nouns/index.ts';
import type { Noun } from './nouns/noun.ts';
import { nowhere } from './nowhere.ts';
import type { Output, Terminal } from './terminal.ts';
import { argumentText, withUsage } from './usage.ts';
import { inOurOrder } from './word-order.ts';

export type { CloudConnection, ReadClouds } from './commands/region.ts';
export type { Check } from './doctor/check.ts';
export { processTerminal, terminalOf, type Terminal } from './terminal.ts';

export type Register = (program: Command) => void;

export interface RunOptions {
  readonly version?: string;
  /** Other commands, such as those of the server. They are loaded only if the command may be one of them. */
  readonly others?: () => Promise<readonly Register[]>;
  /** The check of `doctor` for the state directory of a server on this machine. */
  readonly inspectState?: InspectState | undefined;
  /** Reads a `clouds.yaml` for `region create`; the flag does not work without it. */
  readonly readClouds?: ReadClouds | undefined;
}

type RegisterNoun = (program: Command, terminal: Terminal, noun: Noun) => unknown;

/** Nouns with additional verbs. */
const ownRegistrations: Readonly<Record<string, () => Promise<RegisterNoun>>> = {
  instance: async () => (await import('./instance/register.ts')).registerInstance,
  group: async () => (await import('./commands/group.ts')).registerGroup,
  serviceaccount: async () => (await import('./commands/serviceaccount.ts')).registerServiceAccount,
  oauth2client: async () => (await import('./commands/oauth2client.ts')).registerOAuth2Client,
  organization: async () => (await import('./commands/organization.ts')).registerOrganization,
  user: async () => (await import('./commands/user.ts')).registerUser,
};

async function registrationOf({ name }: Noun, readClouds: ReadClouds | undefined): Promise<RegisterNoun> {
  if (name === 'region') {
    const { registerRegion } = await import('./commands/region.ts');
    return (program, terminal) => {
      registerRegion(program, terminal, readClouds);
    };
  }
  return (await ownRegistrations[name]?.()) ?? (await import('./commands/crud.ts')).registerNoun;
}

/** The program without commands. */
function bareProgram(terminal: Terminal, version: string | undefined): Command {
  const program = new Command('unikorn')
    .description('A multi-tenant control plane for virtual machines')
    .showHelpAfterError('(add --help for the list of commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
    })
    // Aliases and "[options]" are shown in the help of the command itself.
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) =>
        `${command.name()} ${command.registeredArguments.map(argumentText).join(' ')}`.trim(),
    });
  if (version !== undefined) program.version(version);
  addGlobalOptions(program);
  return program;
}

/**
 * The program with every command.
 *
 * @example const names = (await programOf(terminal)).commands.map((command) => command.name());
 */
export async function programOf(
  terminal: Terminal,
  { version, others, inspectState, readClouds }: RunOptions = {},
): Promise<Command> {
  const program = bareProgram(terminal, version);
  if (version !== undefined)
    program.command('version', { hidden: true }).action(() => {
      terminal.stdout.write(`${version}\n`);
    });
  program.commandsGroup('The control plane:');
  for (const registerOther of (await others?.()) ?? []) registerOther(program);
  program.commandsGroup('Resources:');
  for (const noun of nouns) (await registrationOf(noun, readClouds))(program, terminal, noun);
  const { registerOthers } = await import('./commands/index.ts');
  registerOthers(program, terminal, inspectState);
  withExamples(
    program,
    'unikorn instance list',
    'unikorn instance create web-3 --network frontend --flavor sim-standard-4 --image debian-13-amd64',
    'unikorn instance explain trainer --project research',
    'unikorn apply -f web.yaml',
  );
  program.addHelpText('after', () => `\nExit codes:\n${exitCodeLines(terminal.stdout.columns ?? 100).join('\n')}`);
  return withUsage(program);
}

/** The meanings continue on the next line, below each other. */
function exitCodeLines(width: number): readonly string[] {
  const indent = 7;
  const help = new Help();
  return Object.values(exitCodes).map(
    ({ code, meaning }) =>
      `  ${String(code).padEnd(indent - 2)}${help.boxWrap(meaning, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`)}`,
  );
}

/** For a command of a noun, a program with this noun alone: to load the others would take as long as the command. */
async function programFor(word: string | undefined, terminal: Terminal, options: RunOptions): Promise<Command> {
  const noun = nouns.find(
    ({ name, plural, aliases = [] }) => word !== undefined && [name, plural, ...aliases].includes(word),
  );
  if (!noun) return programOf(terminal, options);
  const program = bareProgram(terminal, options.version);
  (await registrationOf(noun, options.readClouds))(program, terminal, noun);
  return withUsage(program);
}

/**
 * Runs the command of the arguments, and returns the exit code.
 *
 * @example process.exitCode = await run(process.argv.slice(2), processTerminal(), { version: '1.0.0' });
 */
export async function run(argv: readonly string[], screen: Terminal, options: RunOptions = {}): Promise<number> {
  const terminal: Mutable<Terminal> = { ...screen, loud: screen.stderr, known: new Map<string, string>() };
  const words = helpLast(argv);
  const program = await programFor(words[0], terminal, options);
  program.hook('preAction', () => {
    const { quiet = false, input = true, color = true } = program.opts<GlobalOptions>();
    terminal.asks = input;
    if (quiet) terminal.stderr = silenced(screen.stderr);
    if (!color) terminal.env = { ...screen.env, NO_COLOR: '1' };
  });
  try {
    const isHelp = asksForHelp(program, words);
    await program.parseAsync(isHelp ? [...words.filter((word) => word !== 'help'), '--help'] : words, { from: 'user' });
    return exitCodes.done.code;
  } catch (error) {
    if (error instanceof ProgramEnded) return error.code;
    const meant = error instanceof CommanderError && error.exitCode !== 0 ? inOurOrder(program, argv) : undefined;
    if (meant !== undefined) terminal.stderr.write(`${typeable(`the noun comes first: ${meant}`, terminal.env)}\n`);
    // Commander has printed the help or the mistake. The modules of the report also load the SDK.
    if (error instanceof CommanderError) return exitCodes[error.exitCode === 0 ? 'done' : 'usage'].code;
    const { report } = await import('./report.ts');
    return exitCodes[report(error, { ...terminal, stderr: screen.stderr }, program.opts<GlobalOptions>())].code;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A stream with the properties of another one that shows nothing. */
function silenced({ isTTY, columns, rows }: Output): Output {
  return Object.assign(nowhere(), {
    isTTY: isTTY === true,
    ...(columns === undefined ? {} : { columns, rows: rows ?? 0 }),
  });
}

/** `unikorn help instance create` means `unikorn instance create --help`, and `unikorn` alone asks for help, too. */
function helpLast(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === undefined) return ['--help'];
  return first === 'help' ? [...rest, '--help'] : argv;
}

/** `unikorn instance help create`. A command without verbs has arguments, which may be any word. */
function asksForHelp({ commands }: Command, [noun = '', word]: readonly string[]): boolean {
  const command = commands.find((each) => each.name() === noun || each.aliases().includes(noun));
  return word === 'help' && command !== undefined && command.commands.length > 0;
}
