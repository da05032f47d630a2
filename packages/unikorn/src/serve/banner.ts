import type { Credentials } from './credentials.ts';

/** What somebody who just started the server wants to know, and the next thing to type. */
export function banner(base: string, file: string, { administrator, token }: Credentials, ephemeral: boolean): string {
  return [
    '',
    `  Unikorn is ready at ${base}`,
    '',
    `  API reference   ${base}/identity/docs`,
    `                  ${base}/region/docs`,
    `                  ${base}/compute/docs`,
    `  Administrator   ${administrator.email}${administrator.password === undefined ? '' : `, password ${administrator.password}`}`,
    `  Credentials     ${file}`,
    '',
    ...next(base, file, token === undefined ? 'adminToken' : 'token'),
    '',
    `  Ctrl-C stops the server (process ${process.pid}); its state ${ephemeral ? 'goes with it' : 'is kept'}.`,
    '',
    '',
  ].join('\n');
}

function next(base: string, file: string, token: 'token' | 'adminToken'): readonly string[] {
  const read = `    TOKEN=$(node -p "require('${file}').${token}")`;
  if (token === 'adminToken') return ['  Next, in another terminal, see which organizations there are:', '', read, `    curl -H "Authorization: Bearer $TOKEN" ${base}/identity/api/v1/organizations`];
  return [
    '  Next, in another terminal, watch the instances of the demo come up:',
    '',
    read,
    `    curl -N -H "Authorization: Bearer $TOKEN" -H 'Accept: text/event-stream' ${base}/compute/api/v2/instances`,
  ];
}
