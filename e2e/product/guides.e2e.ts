import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../free-port.fixture.ts';
import { guideBlocks, Terminal, type GuideBlock } from '../typed.fixture.ts';
import { freshCheckout } from './checkout.fixture.ts';

const checkout = freshCheckout();
const guides = new Map(
  readdirSync(join(checkout.path, 'docs/guides')).map((name) => [
    name,
    readFileSync(join(checkout.path, 'docs/guides', name), 'utf8'),
  ]),
);
const [port, otherPort, drillPort] = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')));
const programs = join(checkout.path, '.bin');

/** The server of the checkout, with the demo. */
const url = `http://127.0.0.1:${port}`;
/** The values that a reader replaces with their own: addresses, ports, and folders that only root can write. */
const own: Readonly<Record<string, string>> = {
  'https://cloud.example.com': url,
  'context use cloud.example.com': `context use 127.0.0.1:${port}`,
  '/etc/unikorn': join(checkout.path, '.etc'),
  '/var/lib/unikorn': join(checkout.path, '.var'),
  '/var/backups': join(checkout.path, '.backups'),
  '/tmp/drill': join(checkout.path, '.drill'),
  '--port 18080': `--port ${drillPort}`,
};
/** The production server of the guide "One process in production". */
const production: Readonly<Record<string, string>> = {
  'https://cloud.example.com': `http://127.0.0.1:${otherPort}`,
  '127.0.0.1:8080': `127.0.0.1:${otherPort}`,
  'port: 8080': `port: ${otherPort}`,
};

function withOwn(text: string, values: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...own, ...values }).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** Each guide has a home of its own, so that the login of one is not used in another. */
function terminalFor(name: string, environment: Readonly<Record<string, string>> = {}): Terminal {
  const home = join(checkout.path, '.homes', name);
  mkdirSync(home, { recursive: true });
  return new Terminal(checkout.path, {
    PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    UNIKORN_PORT: String(port),
    ...environment,
  });
}

const server = terminalFor('server');
let credentials: Readonly<Record<'token' | 'adminToken' | 'regionId' | 'secondaryRegionId', string>>;

beforeAll(async () => {
  for (const folder of ['.bin', '.etc', '.backups']) mkdirSync(join(checkout.path, folder));
  const main = join(checkout.path, 'packages/unikorn/src/main.ts');
  writeFileSync(join(programs, 'unikorn'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  void server.type('npm start').catch(() => undefined);
  await server.shows(/is ready at/);
  credentials = JSON.parse(
    readFileSync(join(checkout.path, '.unikorn/credentials.json'), 'utf8'),
  ) as typeof credentials;
  writeFileSync(join(checkout.path, 'token.txt'), credentials.token);
  writeFileSync(join(checkout.path, 'client-secret.txt'), 'the client secret\n');
  // The machines of real clouds take a while. Here nobody learns from waiting.
  const quick = { build_ms: 500, power_ms: 200, delete_ms: 200, loadBalancer_ms: 200, fileStorage_ms: 200 };
  const operator = terminalFor('operator');
  for (const region of [credentials.regionId, credentials.secondaryRegionId])
    await operator.type(
      `curl -fsS -X PUT ${url}/region/api/v2/regions/${region}/simulation -H 'Authorization: Bearer ${credentials.adminToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(quick)}'`,
    );
  // The guides begin with the machines of the demo.
  for (const name of ['web-1', 'web-2'])
    await operator.type(`unikorn instance watch ${name} --until provisioned --project website`);
  operator.close();
});

afterAll(async () => {
  const killer = terminalFor('server');
  await killer.type('kill $(cat .unikorn/server.pid)');
  killer.close();
  server.close();
  checkout.remove();
});

const typedGuides = new Set<string>();

/** Types the shell blocks of a guide, one after the other in one shell, and returns the output of all. */
async function typed(
  guide: string,
  environment: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const terminal = terminalFor(guide, environment);
  const beside: Terminal[] = [];
  let output = '';
  try {
    for (const { text, notTyped, until } of blocksOf(guide)) {
      if (notTyped !== undefined) continue;
      if (until === undefined) output += await terminal.type(withOwn(text, values));
      else {
        const other = terminalFor(guide, environment);
        beside.push(other);
        void other.type(withOwn(text, values)).catch(() => undefined);
        output += await other.shows(until);
      }
    }
  } finally {
    terminal.close();
    await Promise.all(beside.map((other) => other.interrupt()));
  }
  return output;
}

function blocksOf(guide: string): readonly GuideBlock[] {
  typedGuides.add(guide);
  return guideBlocks(guides.get(guide) ?? '');
}

describe('the guides, typed as they are written', () => {
  it('curl: an instance is created, waited for, explained and deleted, and an error is shown', async () => {
    const output = await typed('curl.md');
    expect(output).toMatch(/^provisioned$/m);
    expect(output).toContain('error_description');
  });

  it('roles: a group, a person, a project and a service account', async () => {
    const output = await typed('roles.md');
    expect(output).toMatch(/^yes/m);
    expect(output).toContain('region:networks:v2');
  });

  it('Terraform: a token and the ids for the provider', async () => {
    expect(await typed('terraform.md')).toContain('terraform');
  });

  it('the command line: a login with a token, tables, waiting, explanations, history, scripts and completion', async () => {
    const output = await typed('cli.md');
    expect(output).toMatch(/^web-1 +website$/m);
    expect(output).toMatch(/^web-2 +provisioned/m);
    expect(output).toContain('the instance is ready');
    expect(output).toMatch(/^10\.0\.0\.\d+$/m);
  });

  it('files: a stack is applied, compared, deleted and pruned', async () => {
    const output = await typed('files.md');
    expect(output).toContain('as it should be');
    expect(output).toContain('network/shop deleted');
  });

  it('quotas: they are read and raised', async () => {
    expect(await typed('quotas.md')).toMatch(/^servers +\d+ +20 /m);
  });

  it('programs: a service account', async () => {
    await typed('sdk.md');
    expect(readFileSync(join(checkout.path, 'token.txt'), 'utf8')).toMatch(/^\S{20,}\n$/);
  });

  it('regions: a simulated region is added, broken and watched', async () => {
    expect(await typed('regions.md')).toMatch(/^sim-standard-4 /m);
  });

  it('monitoring: findings and sagas are listed', async () => {
    expect(await typed('monitoring.md')).toContain('the monitor checked');
  });

  it('the console: a cloud goes out of service and comes back', async () => {
    await typed('console.md');
  });

  it('applications: one is registered', async () => {
    expect(await typed('applications.md', { UNIKORN_TOKEN: credentials.adminToken })).toMatch(/^console /m);
  });

  it('a login provider of an organization', async () => {
    const output = await typed('oidc-federation.md');
    expect(output).toContain('_unikorn.acme.example');
  });

  it('one process in production, its keys, and its backups', async () => {
    const [, file = ''] =
      /^```yaml\n(# \/etc\/unikorn\/unikorn\.yaml\n[^]*?)^```$/m.exec(guides.get('embedded.md') ?? '') ?? [];
    writeFileSync(join(checkout.path, '.etc/unikorn.yaml'), withOwn(file, production));
    // The systemd unit starts it with this command.
    const service = terminalFor('service', { UNIKORN_PORT: String(otherPort) });
    void service.type(withOwn('unikorn serve --config /etc/unikorn/unikorn.yaml')).catch(() => undefined);
    await service.shows(/is ready at/);
    const output = await typed('embedded.md', { UNIKORN_PORT: String(otherPort) }, production);
    expect(output).toMatch(/administrator: ops@example\.com # /);
    expect(output).toMatch(/unikorn_compute_monitor/);
    await service.interrupt();

    expect(await typed('key-rotation.md')).toContain('the other keys are not needed any more');
    const drilled = await typed('backup.md', { UNIKORN_STATE: withOwn('/var/lib/unikorn') });
    expect(drilled).toContain('restored');
  });

  it('all: each guide with commands is typed above, or says why not', () => {
    const withCommands = [...guides].filter(([, text]) =>
      guideBlocks(text).some((block) => block.notTyped === undefined),
    );
    expect([...typedGuides].toSorted()).toEqual(withCommands.map(([name]) => name).toSorted());
    const unmarked = [...guides].flatMap(([name, text]) =>
      [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
        .filter(([, language, block = '']) => language === '' && /^(?:npx )?(?:unikorn|curl|kubectl|npm) /m.test(block))
        .map(() => name),
    );
    expect(unmarked, 'a block of commands begins with ```sh').toEqual([]);
  });
});

describe('commands that no test can type here', () => {
  for (const [name, text] of guides)
    for (const { text: block, notTyped } of guideBlocks(text))
      if (notTyped !== undefined) it.skip(`${name}: ${block.split('\n')[0] ?? ''} (${notTyped})`, () => undefined);
});
