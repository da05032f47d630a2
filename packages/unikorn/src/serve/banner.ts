import { dirname, resolve } from 'node:path';

import type { Credentials } from './credentials.ts';

export interface Ready {
  readonly base: string;
  /** Where the credentials were written. */
  readonly file: string;
  /** The file that the configuration was read from, if one was. */
  readonly configurationFile: string | undefined;
  readonly credentials: Credentials;
  readonly ephemeral: boolean;
}

/** What somebody who just started the server wants to know, and the next thing to type. */
export function banner({ base, file, configurationFile, credentials: { administrator, token }, ephemeral }: Ready): string {
  return [
    '',
    `  Unikorn is ready at ${base}`,
    '',
    `  API reference   ${base}/identity/docs`,
    `                  ${base}/region/docs`,
    `                  ${base}/compute/docs`,
    `  Login           ${base}/identity/docs, Authorize; or in a terminal: npx unikorn login ${base}`,
    `  Administrator   ${administrator.email}${administrator.password === undefined ? '' : `, password ${administrator.password}`}`,
    `  Credentials     ${file}`,
    ...(configurationFile === undefined ? [] : [`  Configuration   ${configurationFile}`]),
    '',
    ...next(dirname(file), token !== undefined),
    '',
    `  Ctrl-C stops the server (process ${process.pid}); its state ${ephemeral ? 'goes with it' : 'is kept'}.`,
    '',
    '',
  ].join('\n');
}

/** Commands find the state in the current folder by themselves. */
function next(state: string, hasDemo: boolean): readonly string[] {
  const command = state === resolve('.unikorn') ? 'npx unikorn' : `UNIKORN_STATE=${state} npx unikorn`;
  if (!hasDemo) return ['  Next, in another terminal, see which organizations there are, and found one:', '', `    ${command} organization list`, `    ${command} organization create <name>`];
  return ['  Next, in another terminal, watch the instances of the demo come up:', '', `    ${command} instance watch --all-projects`];
}
