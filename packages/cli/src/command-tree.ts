import type { Command, Option } from 'commander';

/** The environment variables of every user command. */
export const environment = {
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

/** The commands that help shows. */
export function visible(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.filter((other) => other.name() !== 'help');
}

/** The choices of an option, its default and its environment variable, such as ` (default 8080)`. */
export function detailOf({ argChoices, defaultValue, defaultValueDescription, envVar }: Option): string {
  const standard: unknown = defaultValueDescription ?? defaultValue;
  const details = [
    ...(argChoices ? [argChoices.join(', ')] : []),
    ...(typeof standard === 'string' || typeof standard === 'number' ? [`default ${standard}`] : []),
    ...(envVar === undefined ? [] : [`environment ${envVar}`]),
  ];
  return details.length === 0 ? '' : ` (${details.join('; ')})`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
