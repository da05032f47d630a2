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
    '`unikorn serve` reads its configuration from a file, from environment variables and from flags. If a setting has several values, the later one in this order is used.',
    '`unikorn config` shows the resulting configuration, and the source of each value. `password`, `backup` and `restore` read the state directory from the same places.',
    '',
    'The file is YAML: `--config <file>`, or `UNIKORN_CONFIG`, or else `unikorn.yaml` in the current folder if it exists. `server.port` is `port` in the group `server`:',
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
    'In a variable, a boolean is `true` or `false`, a list is YAML, and an empty value counts as not set. A setting that does not exist, or a value that is not allowed, ends the start with exit code 2 and one sentence for each mistake.',
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
