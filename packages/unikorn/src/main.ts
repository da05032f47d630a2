import type { ReadCloudsOptions } from './clouds.ts';
import { allOperations, operations } from './commands/index.ts';
import { version } from './version.ts';

const [, , word = '', ...more] = process.argv;
const operation = operations[word];
// The commands do not have to be loaded for the version.
if (word === '--version' && more.length === 0) process.stdout.write(`${version}\n`);
else if (operation) await (await import('./operate.ts')).operate(await operation());
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
