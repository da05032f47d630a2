/** What somebody who just started the server wants to know, and the next thing to type. */
export function banner(base: string, credentialsFile: string, ephemeral: boolean): string {
  return [
    '',
    `  Unikorn is ready at ${base}`,
    '',
    `  API reference   ${base}/parking/docs`,
    `  OpenAPI         ${base}/parking/openapi.json`,
    `  Metrics         ${base}/parking/metrics`,
    `  Credentials     ${credentialsFile}`,
    '',
    '  Next, in another terminal, watch the permits of the demo lot change as you type:',
    '',
    `    TOKEN=$(node -p "require('${credentialsFile}').token")`,
    `    curl -N -H "Authorization: Bearer $TOKEN" -H 'Accept: text/event-stream' ${base}/parking/api/v1/permits`,
    '',
    `  Ctrl-C stops the server; its state ${ephemeral ? 'goes with it' : 'is kept'}.`,
    '',
    '',
  ].join('\n');
}
