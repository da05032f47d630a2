import { Command, CommanderError } from 'commander';

import { registerCanI, registerPasswd, registerWhoAmI } from './commands/access.ts';
import { registerActivity } from './commands/activity.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerContext } from './commands/context.ts';
import { registerNoun } from './commands/crud.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerGlobalRole } from './commands/globalrole.ts';
import { registerGroup } from './commands/group.ts';
import { registerLogin } from './commands/login.ts';
import { registerLogout } from './commands/logout.ts';
import { registerOperators } from './commands/operators.ts';
import { registerOAuth2Client } from './commands/oauth2client.ts';
import { registerRegion, type ReadClouds } from './commands/region.ts';
import { registerQuota } from './commands/quota.ts';
import { registerServiceAccount } from './commands/serviceaccount.ts';
import { registerStatus } from './commands/status.ts';
import { registerUser } from './commands/user.ts';
import type { InspectState } from './doctor/examine.ts';
import { withExamples } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import { ProgramEnded } from './failure.ts';
import { registerFiles } from './files/register.ts';
import { addGlobalOptions, type GlobalOptions } from './global-options.ts';
import { typeable } from './hints.ts';
import { registerInstance } from './instance/register.ts';
import { nouns } from './nouns/index.ts';
import type { Terminal } from './terminal.ts';
import { argumentText } from './usage.ts';
import { inOurOrder } from './word-order.ts';

export type { CloudConnection, ReadClouds } from './commands/region.ts';
export type { Check } from './doctor/check.ts';
export { checkPrivate } from './doctor/private-file.ts';
export { processTerminal, terminalOf, type Terminal } from './terminal.ts';

/** Nouns with additional verbs. */
const ownRegistrations: Readonly<Record<string, (program: Command, terminal: Terminal) => void>> = {
  instance: registerInstance,
  group: registerGroup,
  serviceaccount: registerServiceAccount,
  oauth2client: registerOAuth2Client,
  user: registerUser,
};

/**
 * Adds the user commands to a program.
 *
 * @example register(new Command('unikorn'), processTerminal());
 */
export function register(
  program: Command,
  terminal: Terminal,
  { inspectState, readClouds }: Pick<RunOptions, 'inspectState' | 'readClouds'> = {},
): void {
  addGlobalOptions(program);
  // Aliases and "[options]" are shown in the help of the command itself.
  program.configureHelp({
    showGlobalOptions: true,
    subcommandTerm: (command) => `${command.name()} ${command.registeredArguments.map(argumentText).join(' ')}`.trim(),
  });
  program.commandsGroup('Resources:');
  for (const noun of nouns)
    if (noun.name === 'region') registerRegion(program, terminal, readClouds);
    else (ownRegistrations[noun.name] ?? registerNoun)(program, terminal, noun);
  registerQuota(program, terminal);
  registerGlobalRole(program, terminal);
  registerActivity(program, terminal);
  program.commandsGroup('The platform, for its operators:');
  registerOperators(program, terminal);
  program.commandsGroup('Files of resources:');
  registerFiles(program, terminal);
  program.commandsGroup('Where and who:');
  for (const registerCommand of [
    registerLogin,
    registerLogout,
    registerPasswd,
    registerWhoAmI,
    registerCanI,
    registerContext,
    registerStatus,
    registerCompletion,
  ])
    registerCommand(program, terminal);
  registerDoctor(program, terminal, inspectState);
  withExamples(
    program,
    'unikorn instance list',
    'unikorn instance create web-3 --network frontend --flavor sim-standard-4 --image debian-13-amd64',
    'unikorn instance explain trainer --project research',
    'unikorn apply -f web.yaml',
  );
  program.addHelpText(
    'after',
    () =>
      `\nExit codes:\n${Object.values(exitCodes)
        .map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}\n`)
        .join('')}`,
  );
}

export interface RunOptions {
  readonly version?: string;
  /** Adds other commands, such as those of the server. */
  readonly others?: readonly ((program: Command) => void)[];
  /** The check of `doctor` for the state directory of a server on this machine. */
  readonly inspectState?: InspectState | undefined;
  /** Reads a `clouds.yaml` for `region create`; the flag does not work without it. */
  readonly readClouds?: ReadClouds | undefined;
}

/**
 * The program with every command.
 *
 * @example const names = programOf(terminal).commands.map((command) => command.name());
 */
export function programOf(
  terminal: Terminal,
  { version, others = [], inspectState, readClouds }: RunOptions = {},
): Command {
  const program = new Command('unikorn')
    .description('A multi-tenant control plane for virtual machines')
    .showHelpAfterError('(add --help for the list of commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
    });
  if (version !== undefined) {
    program.version(version);
    program.command('version', { hidden: true }).action(() => {
      terminal.stdout.write(`${version}\n`);
    });
  }
  program.commandsGroup('The control plane:');
  for (const registerOther of others) registerOther(program);
  register(program, terminal, { inspectState, readClouds });
  return program;
}

/**
 * Runs the command of the arguments, and returns the exit code.
 *
 * @example process.exitCode = await run(process.argv.slice(2), processTerminal(), { version: '1.0.0' });
 */
export async function run(argv: readonly string[], screen: Terminal, options?: RunOptions): Promise<number> {
  const terminal = { ...screen, known: new Map<string, string>() };
  const program = programOf(terminal, options);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCodes.done.code;
  } catch (error) {
    if (error instanceof ProgramEnded) return error.code;
    const meant = error instanceof CommanderError && error.exitCode !== 0 ? inOurOrder(program, argv) : undefined;
    if (meant !== undefined) terminal.stderr.write(`${typeable(`the noun comes first: ${meant}`, terminal.env)}\n`);
    // Commander has printed the help or the mistake. The modules of the report also load the SDK.
    if (error instanceof CommanderError) return exitCodes[error.exitCode === 0 ? 'done' : 'usage'].code;
    const { report } = await import('./report.ts');
    return exitCodes[report(error, terminal, program.opts<GlobalOptions>())].code;
  }
}
