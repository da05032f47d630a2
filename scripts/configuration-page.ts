import { groups, settingsOf, type Setting } from '../packages/unikorn/src/configuration/settings.ts';

const code = (text: string) => `\`${text}\``;

function defaultOf({ absent, type, ...setting }: Setting): string {
  if (absent !== undefined) return absent;
  return type === 'array' ? 'none' : code(String(setting.default));
}

function row(setting: Setting): string {
  const { key, environment, flag, description, allowed, formerKey } = setting;
  const former = formerKey === undefined ? '' : `; the former key ${code(formerKey)} is still read`;
  return `| ${code(key)} | ${code(environment)} | ${flag === undefined ? '' : code(flag)} | ${defaultOf(setting)} | ${description}${former} | ${allowed} |`;
}

export function configurationPage(notice: string): string {
  return [
    '# Configuration',
    '',
    `<!-- ${notice} -->`,
    '',
    '`unikorn serve` has its configuration from a file, from environment variables and from flags; of two values for one setting the later in this order wins.',
    '`unikorn config` shows what it comes to, and where each value came from. `password`, `backup` and `restore` have the state directory from the same places.',
    '',
    'The file is YAML: `--config <file>`, or `UNIKORN_CONFIG`, or else `unikorn.yaml` in the current folder where there is one. `server.port` is `port` in the group `server`:',
    '',
    '```yaml',
    'server:',
    '  port: 8443',
    '  publicUrl: https://cloud.example.com',
    'identity:',
    '  providers:',
    '    - name: corporate',
    '      issuer: https://login.example.com',
    '      clientID: unikorn',
    '      clientSecret: …',
    '```',
    '',
    'In a variable, a yes or no is `true` or `false`, a list is YAML, and nothing is as if it were not set. A setting that does not exist and a value that is not allowed end the start with exit code 2 and one sentence for each mistake.',
    ...groups.flatMap(({ name, description }) => [
      '',
      `## ${name}`,
      '',
      `${description}.`,
      '',
      '| Key | Environment | Flag | Default | What it is | Allowed |',
      '|---|---|---|---|---|---|',
      ...settingsOf(name).map(row),
    ]),
    '',
  ].join('\n');
}
