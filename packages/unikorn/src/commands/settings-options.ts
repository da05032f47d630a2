import { Option, type Command } from 'commander';

import { defined } from '@unikorn/core/defined';

import type { Loaded } from '../configuration/load.ts';
import { settings, type Setting } from '../configuration/settings.ts';
import type { Given } from '../configuration/sources.ts';

/** The exit code for wrong usage. */
const usage = 2;

/** Adds the settings as flags to a command. Other values come from the file and the environment. */
export function addSettings(command: Command, keys: readonly string[] = settings.map(({ key }) => key)): Command {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usage));
  command.addOption(
    new Option('--config <file>', 'configuration file (default: unikorn.yaml if it exists, env: UNIKORN_CONFIG)'),
  );
  for (const setting of settings)
    if (setting.flag !== undefined && keys.includes(setting.key))
      command.addOption(new Option(setting.flag, helpFor(setting)));
  return command;
}

function helpFor({ flag, description, absent, environment, ...setting }: Setting): string {
  const text = flag?.startsWith('--no-') ? `do not ${description}` : description;
  const fallback = setting.type === 'boolean' ? [] : [`default: ${absent ?? String(setting.default)}`];
  return `${text} (${[...fallback, `env: ${environment}`].join(', ')})`;
}

/** The configuration of a command. If it is not valid, prints all problems and ends the process. */
export async function configurationOf(command: Command): Promise<Loaded> {
  const { loadConfiguration } = await import('../configuration/load.ts');
  const { config } = command.opts<{ readonly config?: string }>();
  const loaded = await loadConfiguration({
    environment: process.env,
    flags: await flagsOf(command),
    ...defined({ file: config }),
  });
  return 'mistakes' in loaded
    ? command.error(loaded.mistakes.map((mistake) => `error: ${mistake}`).join('\n'))
    : loaded;
}

async function flagsOf(command: Command): Promise<readonly Given[]> {
  const { valueOf } = await import('../configuration/sources.ts');
  return command.options.flatMap((option) => {
    const setting = settings.find(({ flag }) => flag === option.flags);
    if (!setting || command.getOptionValueSource(option.attributeName()) !== 'cli') return [];
    const value: unknown = command.getOptionValue(option.attributeName());
    return [
      {
        setting,
        value: typeof value === 'string' ? valueOf(setting, value) : value,
        origin: option.long ?? option.flags,
      },
    ];
  });
}
