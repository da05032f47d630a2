import type { Credentials } from './credentials.ts';

/** What somebody who just started the server wants to know, and the next thing to type. */
export function banner(base: string, file: string, { administrator }: Credentials, ephemeral: boolean): string {
  return [
    '',
    `  Unikorn is ready at ${base}`,
    '',
    `  API reference   ${base}/identity/docs`,
    `                  ${base}/parking/docs (example service)`,
    `  Administrator   ${administrator.email}${administrator.password === undefined ? '' : `, password ${administrator.password}`}`,
    `  Credentials     ${file}`,
    '',
    '  Next, in another terminal, watch the permits of the demo lot change as you type:',
    '',
    `    TOKEN=$(node -p "require('${file}').token")`,
    `    curl -N -H "Authorization: Bearer $TOKEN" -H 'Accept: text/event-stream' ${base}/parking/api/v1/permits`,
    '',
    `  Ctrl-C stops the server; its state ${ephemeral ? 'goes with it' : 'is kept'}.`,
    '',
    '',
  ].join('\n');
}
