import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { withDefaults } from './contexts/changes.ts';
import { changeContexts, readContexts } from './contexts/file.ts';
import { cliOn, fakeTerminal, startProduct, type FakeTerminalOptions, type Product } from './testing/product.ts';

let product: Product;
let configDirectory: string;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product[Symbol.asyncDispose]());

beforeEach(async () => {
  configDirectory = await mkdtemp(join(tmpdir(), 'unikorn-session-'));
});

afterEach(() => rm(configDirectory, { recursive: true }));

/** A user with an empty folder of contexts and no known server. */
const run = (args: readonly string[], options: FakeTerminalOptions = {}) =>
  cliOn(fakeTerminal({ configDirectory, ...options }), ...args);
const logIn = (...args: readonly string[]) =>
  run(['login', product.url, '--token', '-', ...args], { input: `${product.credentials.token}\n` });
const host = () => new URL(product.url).host;

describe('logging in with a token', () => {
  it('stores it with the only organization, and shows what must be chosen', async () => {
    const { code, stdout, stderr } = await logIn();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`logged in to ${product.url} as the service account demo\n`);
    expect(stderr).toContain('choose a project: unikorn context set --project');
    expect(await readContexts({ configDirectory })).toEqual({
      current: host(),
      contexts: {
        [host()]: {
          endpoints: product.url,
          auth: { token: product.credentials.token },
          organization: { id: product.credentials.organizationId, name: 'demo' },
        },
      },
    });
  });

  it('uses the scopes and the context name of the flags', async () => {
    expect(await logIn('--context', 'mine', '--project', 'website', '--region', 'north')).toMatchObject({ code: 0 });
    const { current, contexts } = await readContexts({ configDirectory });
    expect(current).toBe('mine');
    expect(contexts['mine']).toMatchObject({
      project: { id: product.credentials.projectId, name: 'website' },
      region: { id: product.credentials.regionId, name: 'north' },
    });
  });

  it('is stored even if another flag is wrong', async () => {
    const { code, stderr } = await logIn('--project', 'reserch', '--region', 'north');
    expect(code).toBe(4);
    expect(stderr).toContain(
      'error: there is no project reserch\ndid you mean research?\nthe login is kept; choose an organization, project and region with unikorn context set\n',
    );
    expect(await readContexts({ configDirectory })).toMatchObject({
      contexts: { [host()]: { organization: { name: 'demo' }, region: { name: 'north' } } },
    });
    expect(await run(['context', 'set', '--project', 'research'])).toMatchObject({ code: 0 });
  });

  it('updates the existing context of the address, and keeps its scopes', async () => {
    await logIn('--context', 'mine', '--project', 'website');
    await logIn();
    expect(await readContexts({ configDirectory })).toMatchObject({
      current: 'mine',
      contexts: { mine: { project: { name: 'website' } } },
    });
  });

  it.each([
    ['a token that does not exist', ['--token', '-'], 'uksa_nonsense\n', 5, 'not valid'],
    ['a token in the command line', ['--token', 'uksa_seen-by-all'], '', 2, 'seen by every user'],
    ['no token', ['--token', '-'], '', 2, 'there is no token on standard input'],
  ])('stores nothing for %s', async (_what, flags, input, code, message) => {
    const ran = await run(['login', product.url, ...flags], { input });
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(await readContexts({ configDirectory })).toEqual({ contexts: {} });
  });

  it('reports an address without a server', async () => {
    const ran = await run(['login', 'http://127.0.0.1:1'], {});
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('http://127.0.0.1:1 cannot be reached');
  });

  it('requires the address that the control plane uses itself', async () => {
    const other = product.url.replace('127.0.0.1', 'localhost');
    const ran = await run(['login', other, '--device']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`calls itself ${product.url}`);
  });
});

describe('contexts', () => {
  beforeEach(() => logIn('--context', 'mine'));

  it('are set by names or ids, and used from then on', async () => {
    expect(
      await run(['context', 'set', '--project', 'research', '--region', product.credentials.regionId]),
    ).toMatchObject({ code: 0, stderr: 'mine: project research\nmine: region north\n' });
    const { stdout } = await run(['instance', 'list', '-o', 'name']);
    expect(stdout.split('\n')).toContain('trainer');
    expect(stdout).not.toContain('web-1');
  });

  it('are not set to a scope that does not exist, with a suggestion', async () => {
    const { code, stderr } = await run(['context', 'set', '--project', 'reserch']);
    expect(code).toBe(4);
    expect(stderr).toContain('did you mean research?');
  });

  it('are listed, shown, renamed and deleted, and never show a token', async () => {
    expect((await run(['context', 'rename', 'mine', 'lab'])).code).toBe(0);
    const { stdout: table } = await run(['context', 'list']);
    expect(table).toMatch(/\*\s+lab\s+http:\S+\s+token\s+demo\s+-\s+-/);
    const { stdout: json } = await run(['context', 'show', '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject({ name: 'lab', current: true, organization: { name: 'demo' } });
    expect(table + json).not.toContain(product.credentials.token);
    expect((await run(['context', 'delete', 'lab', '--yes'])).code).toBe(0);
    expect((await run(['context', 'list', '-o', 'name'])).stdout).toBe('');
  });

  it('end with a logout', async () => {
    expect(await run(['logout', '--yes'])).toMatchObject({ code: 0, stderr: `logged out of ${product.url}\n` });
    expect(await run(['instance', 'list'])).toMatchObject({ code: 5 });
  });
});

describe('without a login', () => {
  it('a command shows how to begin', async () => {
    const { code, stderr } = await run(['instance', 'list'], { cwd: configDirectory });
    expect(code).toBe(5);
    expect(stderr).toMatch(/not logged in.*\n.*unikorn login https.*\n.*npm start/);
  });

  it('the server of this or a parent folder is used, with a message', async () => {
    const env = { UNIKORN_STATE: product.state };
    const { stdout, stderr } = await run(['instance', 'list', '-o', 'name'], { env, interactive: true });
    expect(stdout).toContain('web-1');
    expect(stderr).toBe(`using the server of ${product.state}\n`);
    expect((await run(['instance', 'list', '-o', 'name'], { env })).stderr).toBe('');
  });

  it('the environment is enough', async () => {
    const env = {
      UNIKORN_URL: product.url,
      UNIKORN_TOKEN: product.credentials.token,
      UNIKORN_ORGANIZATION: 'demo',
      UNIKORN_PROJECT: 'research',
    };
    expect((await run(['instance', 'get', 'trainer', '-o', 'name'], { env })).stdout).toBe('trainer\n');
  });
});

describe('status', () => {
  it('shows the control plane, the login, the usage, and problems', async () => {
    await logIn('--project', 'website');
    const { code, stdout } = await run(['status']);
    expect(code).toBe(0);
    for (const part of [
      `${product.url}, context ${host()}`,
      'identity 0.',
      'the service account',
      'demo',
      'website',
      'Servers',
    ])
      expect(stdout).toContain(part);
  });

  it('continues if a chosen scope no longer exists, and reports it', async () => {
    await logIn('--project', 'website');
    await changeContexts(fakeTerminal({ configDirectory }), (contexts) =>
      withDefaults(contexts, host(), { region: { id: 'f0000000-0000-4000-8000-00000000dead', name: 'gone' } }),
    );
    const { code, stdout } = await run(['status']);
    expect(code).toBe(0);
    expect(stdout).toContain('! region gone: it no longer exists, or you may not see it');
    const doctor = await run(['doctor'], { cwd: configDirectory });
    expect(doctor.code).toBe(3);
    expect(doctor.stdout).toMatch(/✗ region: gone no longer exists.*\n.*unikorn context set --region/);
  });

  it('is data for programs, with the state directory of a server on this machine', async () => {
    const { stdout } = await run(['status', '-o', 'json'], { env: { UNIKORN_STATE: product.state } });
    expect(JSON.parse(stdout)).toMatchObject({
      url: product.url,
      source: { kind: 'local', directory: product.state },
      who: { type: 'service' },
      about: { project: { name: 'website' } },
      local: { directory: product.state },
    });
  });
});

describe('a user with few permissions', () => {
  it('finds their organization by name and by id, without problems', async () => {
    const env = { UNIKORN_STATE: product.state };
    const { stdout: token } = await run(['serviceaccount', 'create', 'onlooker', '--group', 'readers'], { env });
    await run(['login', product.url, '--token', '-', '--project', 'website'], { input: token });
    const status = (await run(['status'])).stdout;
    expect(status).toMatch(/Organization: +demo\n/);
    expect(status).not.toContain('not there any more');
    expect((await run(['doctor'], { cwd: configDirectory })).stdout).not.toContain('✗');
    for (const organization of ['demo', product.credentials.organizationId])
      expect(await run(['organization', 'get', organization, '-o', 'name'])).toMatchObject({
        code: 0,
        stdout: 'demo\n',
      });
    expect((await run(['project', 'list'])).stdout).toMatch(/website +provisioned +\d /);
  });
});

describe('doctor', () => {
  it('finds no problem if there is none', async () => {
    await logIn('--project', 'website');
    const { code, stdout } = await run(['doctor'], { cwd: configDirectory });
    expect({ code, wrong: stdout.split('\n').filter((line) => /^[✗!]/.test(line)) }).toEqual({ code: 0, wrong: [] });
  });

  it('ends with 3 and shows what to do if there is a problem', async () => {
    await logIn('--project', 'website');
    const { code, stdout } = await run(['doctor', '-o', 'json'], { env: { UNIKORN_TOKEN: 'uksa_ended' } });
    const checks = JSON.parse(stdout) as readonly {
      readonly name: string;
      readonly verdict: string;
      readonly remedy?: string;
    }[];
    expect(code).toBe(3);
    expect(checks.filter(({ verdict }) => verdict === 'bad')).toMatchObject([
      { name: 'login', remedy: `log in again: unikorn login ${product.url}` },
    ]);
  });

  it('stops at a control plane that does not answer', async () => {
    const { code, stdout } = await run(['doctor'], { env: { UNIKORN_URL: 'http://127.0.0.1:1', UNIKORN_TOKEN: 'x' } });
    expect(code).toBe(3);
    expect(stdout).toMatch(/✗ network: http:\/\/127\.0\.0\.1:1 cannot be reached.*\n.*is it running/);
  });
});

describe('completion', () => {
  const env = () => ({ UNIKORN_STATE: product.state });
  const offered = async (...words: readonly string[]) =>
    (await run(['__complete', '--', ...words], { env: env() })).stdout
      .split('\n')
      .map((line) => line.split('\t')[0])
      .filter((value) => value !== '');

  it('offers the names of existing resources in the scope of the command line', async () => {
    expect((await offered('instance', 'get', '')).toSorted()).toEqual(['web-1', 'web-2']);
    expect(await offered('--project', 'research', 'instance', 'stop', 'tr')).toEqual(['trainer']);
    expect(await offered('instance', 'create', 'x', '--network', '')).toContain('frontend');
    expect(await offered('instance', 'create', 'x', '--network=fr')).toEqual(['--network=frontend']);
    expect(await offered('instance', 'list', '--project', 're')).toEqual(['research']);
  });

  it('offers nothing, without an error, if no control plane can be reached', async () => {
    const nowhere = { UNIKORN_URL: 'http://127.0.0.1:1', UNIKORN_TOKEN: 'x' };
    expect(await run(['__complete', '--', 'instance', 'get', ''], { env: nowhere })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('offers contexts', async () => {
    await logIn('--context', 'mine');
    expect((await run(['__complete', '--', 'context', 'use', ''])).stdout).toBe('mine\t\n');
    expect((await run(['__complete', '--', 'status', '--context', 'm'])).stdout).toBe('mine\t\n');
  });
});
