import { Command } from 'commander';

import { isProblem } from '@unikorn/core/errors';
import { exitCodes } from '@unikorn/cli/exit-codes';
import { Failure } from '@unikorn/cli/failure';
import { withUsage } from '@unikorn/cli/usage';

/** The server commands do not need the modules of the client commands. */
export async function operate(register: (program: Command) => void): Promise<void> {
  const program = new Command('unikorn').showHelpAfterError('(add --help for the list of commands)');
  register(program);
  withUsage(program);
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof Failure) {
      process.stderr.write(`error: ${[error.message, ...error.hints].join('\n')}\n`);
      process.exitCode = exitCodes[error.ending].code;
      return;
    }
    if (!isProblem(error)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = exitCodes[error.code === 'not_found' ? 'notFound' : 'refused'].code;
  }
}
