import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { loadConfiguration, type Loaded } from './load.ts';
import { Configuration } from './schema.ts';
import { settings } from './settings.ts';
import { showConfiguration } from './show.ts';
import { valueOf, type Given } from './sources.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-configuration-'));
});

afterEach(() => rm(folder, { recursive: true }));

function flag(key: string, text: string): Given {
  const setting = settings.find((each) => each.key === key);
  if (!setting) throw new Error(`there is no ${key}`);
  return { setting, value: valueOf(setting, text), origin: setting.flag ?? key };
}

async function load(text: string, environment: Readonly<Record<string, string>> = {}, flags: readonly Given[] = []) {
  const file = join(folder, 'unikorn.yaml');
  await writeFile(file, text);
  return loadConfiguration({ environment, flags, file });
}

async function good(...told: Parameters<typeof load>): Promise<Loaded> {
  const loaded = await load(...told);
  if ('mistakes' in loaded) throw new Error(loaded.mistakes.join('\n'));
  return loaded;
}

/** The mistakes, without the temporary folder. */
async function mistakes(...told: Parameters<typeof load>): Promise<readonly string[]> {
  const loaded = await load(...told);
  return 'mistakes' in loaded ? loaded.mistakes.map((mistake) => mistake.replaceAll(`${folder}/`, '')) : [];
}

describe('the configuration of a start', () => {
  it('comes from the file, then the environment, then flags', async () => {
    const file = 'server: { port: 1, host: localhost }\nmonitor: { period: 10 }\n';
    const { configuration, origins } = await good(file, { UNIKORN_PORT: '2', UNIKORN_HOST: '::1' }, [
      flag('server.port', '3'),
    ]);
    expect(configuration).toMatchObject({ server: { port: 3, host: '::1' }, monitor: { period: 10, concurrency: 8 } });
    expect(Object.fromEntries(origins)).toEqual({
      'server.port': '--port <number>',
      'server.host': 'UNIKORN_HOST',
      'monitor.period': join(folder, 'unikorn.yaml'),
    });
  });

  it('may use the former name of a setting in the file, and the present name has precedence', async () => {
    const former = await good('compute: { historyRetention: 7 }\n');
    expect(former.configuration.history).toEqual({ retention: 7 });
    expect(former.origins.get('history.retention')).toMatch(/unikorn\.yaml \(compute\.historyRetention\)$/);
    for (const both of [
      'compute: { historyRetention: 7 }\nhistory: { retention: 8 }\n',
      'history: { retention: 8 }\ncompute: { historyRetention: 7 }\n',
    ])
      expect((await good(both)).configuration.history).toEqual({ retention: 8 });
    expect(await mistakes('compute: { historyRetention: 0 }\n')).toEqual([
      'unikorn.yaml (compute.historyRetention): history.retention is 0, and must be a whole number of days, at least 1',
    ]);
  });

  it('is complete without any settings', async () => {
    const { configuration } = await good('');
    expect(configuration).toMatchObject({
      server: { port: 8080 },
      state: { directory: '.unikorn', ephemeral: false },
      demo: { enabled: true },
      log: {},
    });
  });

  it('treats an empty variable as absent, and parses a list in a variable as YAML', async () => {
    const { configuration } = await good('', {
      UNIKORN_PORT: '',
      UNIKORN_DEMO: 'false',
      UNIKORN_PROVIDERS: '[{ name: corp, issuer: "https://login.example.com", clientID: abc }]',
    });
    expect(configuration).toMatchObject({
      server: { port: 8080 },
      demo: { enabled: false },
      identity: { providers: [{ name: 'corp', clientID: 'abc' }] },
    });
  });

  it('accepts addresses and blocks of proxies', async () => {
    const { configuration } = await good('server: { trustedProxies: [127.0.0.1, 10.0.0.0/8, "::1", "fd00::/8"] }');
    expect(configuration.server.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
  });

  it('contains the file that was read, and reports a missing file', async () => {
    expect((await good('')).file).toBe(join(folder, 'unikorn.yaml'));
    expect(await loadConfiguration({ environment: { UNIKORN_CONFIG: join(folder, 'other.yaml') }, flags: [] })).toEqual(
      { mistakes: [`the configuration file ${join(folder, 'other.yaml')} does not exist`] },
    );
  });
});

describe('a mistake', () => {
  it.each([
    [
      'server: { port: eighty }',
      'unikorn.yaml: server.port is "eighty", and must be a whole number from 0 (any free port) to 65535',
    ],
    [
      'server: { port: 65536 }',
      'unikorn.yaml: server.port is 65536, and must be a whole number from 0 (any free port) to 65535',
    ],
    [
      'server: { port: }',
      'unikorn.yaml: server.port is null, and must be a whole number from 0 (any free port) to 65535',
    ],
    [
      'server: { prot: 80 }',
      'unikorn.yaml: server.prot is not a setting; server has port, host, publicUrl, trustedProxies',
    ],
    [
      'server: { trustedProxies: [10.0.0.0/33] }',
      'unikorn.yaml: server.trustedProxies.0 does not have the right form, and must be a list of addresses or blocks like 10.0.0.0/8',
    ],
    ['state: here', 'unikorn.yaml: state must contain settings: directory, ephemeral'],
    ['state: { directory: [a] }', 'unikorn.yaml: state.directory is a list, and must be the path of a directory'],
    [
      'log: { level: loud }',
      'unikorn.yaml: log.level is "loud", and must be trace, debug, info, warn, error, fatal or silent',
    ],
    [
      'identity: { administrator: nobody }',
      'unikorn.yaml: identity.administrator is "nobody", and must be a mail address',
    ],
    [
      'identity: { globalRoles: [{ subject: a@b.c, roles: [administrator] }] }',
      'unikorn.yaml: identity.globalRoles.0.roles.0 must be equal to one of the allowed values, and must be a list of subjects, each with roles (platform-administrator or platform-reader)',
    ],
    [
      'tracing: { endpoint: "http://user:hunter2@host" }',
      'unikorn.yaml: tracing.endpoint is "http://…@host", and must be a URL like http://127.0.0.1:4318/v1/traces',
    ],
  ])('in %j is reported with its key and the allowed values', async (text, sentence) => {
    expect(await mistakes(text)).toEqual([sentence]);
  });

  it('is reported with its source: file, variable or flag, and all of them together', async () => {
    const told = await mistakes(
      'monitor: { period: 0 }\nports: {}',
      { UNIKORN_PORT: 'x', UNIKORN_EPHEMERAL: 'perhaps' },
      [flag('tracing.samplingRatio', '2')],
    );
    expect(told.map((mistake) => mistake.split(/,|;/)[0])).toEqual([
      'unikorn.yaml: ports is not a group of settings',
      'unikorn.yaml: monitor.period is 0',
      'UNIKORN_PORT: server.port is "x"',
      'UNIKORN_EPHEMERAL: state.ephemeral is "perhaps"',
      '--trace-sampling-ratio <ratio>: tracing.samplingRatio is 2',
    ]);
  });

  it('in a provider is reported by its position, without secrets', async () => {
    const [told = ''] = await mistakes(
      'identity: { providers: [{ name: corp, issuer: hunter2, clientID: abc, clientSecret: [hunter2], realm: hunter2 }] }',
    );
    for (const place of [
      'providers.0.issuer does not have the right form',
      'providers.0.clientSecret must be string',
      'providers.0.realm is not a setting',
    ])
      expect(told).toContain(place);
    expect(told).not.toContain('hunter2');
  });

  it('in a secret is reported without its value', async () => {
    const [mistake] = await mistakes('metrics: { token: hunter2 }');
    expect(mistake).toMatch(/metrics\.token is not valid, and must be a text of at least 8 characters$/);
  });

  it('in an application is reported by its position, without secrets', async () => {
    const [told = ''] = await mistakes(
      'identity: { clients: [{ id: app, secret: hunter2, redirectUris: ["http://app.example.com/hunter2"], loginUri: "javascript:hunter2" }] }',
    );
    for (const place of [
      'clients.0.redirectUris.0 does not have the right form',
      'clients.0.loginUri does not have the right form',
      'clients.0.secret',
    ])
      expect(told).toContain(place);
    expect(told).not.toContain('hunter2');
  });

  it('in the YAML syntax is reported by line and column, without the content', async () => {
    expect(await mistakes('server: { port: 1\nx: hunter2: y\n')).toEqual([
      'unikorn.yaml is not YAML: Flow map in block collection must be sufficiently indented and end with a } at line 2, column 1',
      'unikorn.yaml is not YAML: Nested mappings are not allowed in compact mappings at line 2, column 4',
    ]);
    expect(await mistakes('- 1')).toEqual([
      expect.stringMatching(/^unikorn.yaml must contain groups of settings: server,/),
    ]);
  });
});

describe('the configuration that is shown', () => {
  it('can be parsed again, shows the source of each value, and hides secrets', async () => {
    const file =
      'server: { port: 1 }\nmetrics: { token: hunter2-hunter2 }\nidentity: { providers: [{ name: corp, issuer: "https://login.example.com", clientID: abc, clientSecret: hunter2 }], clients: [{ id: app, secret: hunter2-hunter2-hunter2, redirectUris: ["https://app.example.com/callback", "http://127.0.0.1:3000/"] }] }';
    const loaded = await good(file, { UNIKORN_HOST: 'localhost' }, [flag('monitor.period', '5')]);
    const text = showConfiguration(loaded);
    for (const line of [
      `port: 1 # ${join(folder, 'unikorn.yaml')}`,
      'host: localhost # UNIKORN_HOST',
      '# publicUrl: the address it listens on',
      'period: 5 # --monitor-period <seconds>',
      'concurrency: 8 # default',
    ]) {
      expect(text).toContain(`  ${line}\n`);
    }
    expect(text).not.toContain('hunter2');
    const { configuration } = await good(text);
    expect(configuration).toMatchObject({
      ...loaded.configuration,
      metrics: { token: '(not shown)' },
      identity: {
        providers: [{ name: 'corp', clientSecret: '(not shown)' }],
        clients: [{ id: 'app', secret: '(not shown)' }],
      },
    });
  });
});

describe('the declaration', () => {
  it('has a default for required settings, and documents the absence of optional ones', () => {
    const required = Object.entries(Configuration.properties).flatMap(([group, { required: names }]) =>
      names.map((name) => `${group}.${name}`),
    );
    expect(
      settings
        .filter((setting) => 'default' in setting)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(required.toSorted());
    expect(settings.filter(({ absent }) => absent !== undefined).map(({ key }) => key)).toEqual(
      settings.filter((setting) => !('default' in setting)).map(({ key }) => key),
    );
  });

  it('gives every setting its own variable, and each flag to one setting', () => {
    for (const names of [
      settings.map(({ environment }) => environment),
      settings.flatMap(({ flag: name }) => name ?? []),
    ])
      expect(new Set(names).size).toBe(names.length);
    expect(settings.every(({ environment }) => /^UNIKORN_[A-Z_]+$/.test(environment))).toBe(true);
  });
});
