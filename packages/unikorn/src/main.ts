import { Command } from 'commander';

import { isProblem } from '@unikorn/core/errors';
import { exitCodes } from '@unikorn/cli/exit-codes';
import { Failure } from '@unikorn/cli/failure';

import type { ReadCloudsOptions } from './clouds.ts';
import { allOperations, operations } from './commands/index.ts';
import { version } from './version.ts';

const [, , word = ''] = process.argv;
const operation = operations[word];
if (operation) await operate(await operation());
else {
  const { processTerminal, run } = await import('@unikorn/cli');
  process.exitCode = await run(process.argv.slice(2), processTerminal(), {
    version,
    others: allOperations,
    inspectState,
    readClouds,
  });
}

/** The checks of the store that the configuration names. */
async function inspectState(directory: string | undefined) {
  const { loadConfiguration } = await import('./configuration/load.ts');
  const loaded = await loadConfiguration({ environment: process.env, flags: [] });
  if ('configuration' in loaded && loaded.configuration.store.type === 'kubernetes') {
    const [{ inspectCluster }, { keptAlive }] = await Promise.all([
      import('./doctor-cluster.ts'),
      import('./keep-alive.ts'),
    ]);
    return keptAlive(() => inspectCluster(loaded.configuration.store));
  }
  return directory === undefined ? [] : (await import('./doctor.ts')).inspectState(directory);
}

async function readClouds(text: string, options: ReadCloudsOptions) {
  return (await import('./clouds.ts')).connectionOf(text, options);
}

/** The server commands do not need the modules of the client commands. */
async function operate(register: (program: Command) => void): Promise<void> {
  const program = new Command('unikorn').showHelpAfterError('(add --help for the list of commands)');
  register(program);
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
