import { dirname, resolve } from 'node:path';

import type { Credentials } from './credentials.ts';

export interface Ready {
  readonly base: string;
  /** The path of the credentials file. */
  readonly file: string;
  /** The configuration file that was read, if any. */
  readonly configurationFile: string | undefined;
  readonly credentials: Credentials;
  /** The administrator's password, if this start created it. It is shown only once. */
  readonly newPassword: string | undefined;
  /** Whether the output is a terminal. A password must not be written to a file or a log. */
  readonly isTerminal: boolean;
  readonly ephemeral: boolean;
  /** How a user starts a command, such as `npx unikorn`. */
  readonly executable: string;
}

/** Text shown after start: addresses, how to log in, and a command to try next. */
export function banner({
  base,
  file,
  configurationFile,
  credentials: { administrator, token },
  newPassword,
  isTerminal,
  ephemeral,
  executable,
}: Ready): string {
  const command = commandFor(dirname(file), executable);
  return [
    '',
    `  Unikorn is ready at ${base}`,
    '',
    `  Console         ${base}/console/`,
    `  API reference   ${base}/identity/docs`,
    `                  ${base}/region/docs`,
    `                  ${base}/compute/docs`,
    `  Login           in the console; or in a terminal: ${executable} login ${base}`,
    `  Administrator   ${administrator.email}${newPassword !== undefined && isTerminal ? `, password ${newPassword} (shown once)` : ''}`,
    ...(newPassword !== undefined && !isTerminal
      ? [`                  to log in, set a password: ${command} password ${administrator.email}`]
      : []),
    `  Credentials     ${file}`,
    ...(configurationFile === undefined ? [] : [`  Configuration   ${configurationFile}`]),
    '',
    ...next(command, token !== undefined),
    '',
    `  Ctrl-C stops the server (process ${process.pid}); its state ${ephemeral ? 'is then deleted' : 'is kept'}.`,
    '',
    '',
  ].join('\n');
}

/** Text shown after the start of a process that runs only some parts. */
export function partsBanner(address: string, parts: readonly string[]): string {
  const lines = parts.map((part) => `    ${part}`);
  return ['', `  This process is ready at http://${address} and runs:`, '', ...lines, '', ''].join('\n');
}

function next(command: string, hasDemo: boolean): readonly string[] {
  if (!hasDemo)
    return [
      '  Next, in another terminal, list the organizations and create one:',
      '',
      `    ${command} organization list`,
      `    ${command} organization create <name>`,
    ];
  return [
    '  Next, in another terminal, watch the demo instances start:',
    '',
    `    ${command} instance watch --all-projects`,
  ];
}

/** Commands find the state in the current folder on their own. */
function commandFor(state: string, executable: string): string {
  return state === resolve('.unikorn') ? executable : `UNIKORN_STATE=${state} ${executable}`;
}
