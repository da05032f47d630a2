import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Credentials } from './serve/credentials.ts';
import { freePort } from '../../../e2e/free-port.fixture.ts';
import { temporaryFolder, Unikorn } from './unikorn.fixture.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function stateDirectory(): string {
  const folder = temporaryFolder();
  cleanups.push(() => {
    folder.remove();
  });
  return join(folder.path, 'state');
}

function start(args: readonly string[], environment?: Readonly<Record<string, string>>, folder?: string): Unikorn {
  const unikorn = new Unikorn(args, environment, folder);
  cleanups.push(() => unikorn.kill('SIGKILL'));
  return unikorn;
}

/** A server on a busy machine may answer with Retry-After. */
function read(url: string, token?: string): Promise<{ status: number; body: string }> {
  const attempt = async () => {
    const answer = await readOnce(url, token);
    if (answer.status === 503) throw new Error(`the server is too busy: ${answer.body}`);
    return answer;
  };
  return vi.waitFor(attempt, { timeout: 30_000, interval: 500 });
}

function readOnce(url: string, token?: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    }).on('error', reject);
  });
}

function post(
  url: string,
  token: string | undefined,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: text });
        });
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

function credentials(state: string): Credentials {
  return JSON.parse(readFileSync(join(state, 'credentials.json'), 'utf8')) as Credentials;
}

async function networks(
  state: string,
  token = credentials(state).token,
): Promise<{ metadata: { id: string; name: string; provisioningStatus: string } }[]> {
  const { endpoints } = credentials(state);
  return JSON.parse((await read(`${endpoints.region}/api/v2/networks`, token)).body) as never;
}

interface Instance {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly projectId: string;
    readonly provisioningStatus: string;
  };
}

/** The demo instances, after one of them has failed. */
async function instances(state: string): Promise<readonly Instance[]> {
  const { endpoints, token } = credentials(state);
  while (true) {
    const found = JSON.parse((await read(`${endpoints.compute}/api/v2/instances`, token)).body) as Instance[];
    if (found.some(({ metadata }) => metadata.provisioningStatus === 'error')) return found;
  }
}

describe('unikorn serve', () => {
  it('ends when it is asked to stop before it is ready', async () => {
    const unikorn = start(['serve', '--ephemeral', '--no-demo', '--port', '0'], { UNIKORN_PARENT: '0' });
    expect(await unikorn.ended).toMatchObject({ code: 0 });
  });

  it('keeps asking an API server that does not answer yet', async () => {
    const state = stateDirectory();
    mkdirSync(state, { recursive: true });
    const attempts = Promise.withResolvers<undefined>();
    let count = 0;
    const silent = createServer((socket) => {
      socket.destroy();
      if (++count === 3) attempts.resolve(undefined);
    });
    cleanups.push(() => silent.close());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const access = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: `https://127.0.0.1:${port}` } }],
      users: [{ name: 'a', user: { token: 'any' } }],
    };
    const kubeconfig = join(state, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(access));
    const store = ['--store', 'kubernetes', '--store-namespace', 'unikorn', '--kubeconfig', kubeconfig];
    const unikorn = start(['serve', '--state', state, '--port', '0', ...store]);
    await Promise.race([
      attempts.promise,
      unikorn.ended.then(({ code, errors }) => Promise.reject(new Error(`it ended with ${String(code)}: ${errors}`))),
    ]);
  });

  it('starts with demo data, prints its address, and stops cleanly on request', async () => {
    const state = stateDirectory();
    const unikorn = start(['serve', '--port', '0', '--state', state]);
    const base = await unikorn.ready();
    expect(await read(`${base}/region/readyz`)).toMatchObject({ status: 200 });
    expect((await networks(state)).map(({ metadata }) => metadata.name).toSorted()).toEqual(['frontend', 'training']);
    for (const file of ['credentials.json', 'state.db', 'state.db-wal', 'server.pid'])
      expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
    for (const service of ['region', 'compute']) expect((await read(`${base}/${service}/docs/`)).status).toBe(200);
    const pid = readFileSync(join(state, 'server.pid'), 'utf8').trim();
    const { code, output } = await unikorn.kill('SIGINT');
    expect(code).toBe(0);
    expect(output).toContain(`(process ${pid})`);
    expect(output).toContain(`npx unikorn login ${base}`);
    expect(output).toContain(`UNIKORN_STATE=${state} npx unikorn instance watch`);
    expect(existsSync(join(state, 'server.pid'))).toBe(false);
  });

  it('has instances in both projects of the demo, one of which waits for a GPU', async () => {
    const state = stateDirectory();
    await start(['serve', '--port', '0', '--state', state]).ready();
    const { endpoints, token, projectId, secondaryProjectId } = credentials(state);
    const found = await instances(state);
    expect(found.map(({ metadata }) => [metadata.name, metadata.projectId]).toSorted()).toEqual([
      ['notebook', secondaryProjectId],
      ['trainer', secondaryProjectId],
      ['web-1', projectId],
      ['web-2', projectId],
    ]);
    const [failed] = found.filter(({ metadata }) => metadata.provisioningStatus === 'error');
    expect(failed?.metadata.name).toBe('trainer');
    const explained = await read(`${endpoints.compute}/api/v2/instances/${failed?.metadata.id}/explain`, token);
    expect(explained).toMatchObject({
      status: 200,
      body: expect.stringContaining('the cloud has no capacity for another sim-gpu-8') as string,
    });
  });

  it('resumes its state after kill -9: nothing is lost or created twice, and the token stays', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--state', state]);
    await first.ready();
    const before = {
      credentials: credentials(state),
      networks: (await networks(state)).map(({ metadata }) => metadata.id),
    };
    await first.kill('SIGKILL');
    const second = start(['serve', '--port', '0', '--state', state]);
    await second.ready();
    expect((await networks(state)).map(({ metadata }) => metadata.id)).toEqual(before.networks);
    expect(credentials(state)).toMatchObject({
      token: before.credentials.token,
      organizationId: before.credentials.organizationId,
    });
  });

  it('records after kill -9 the earlier events of an instance once, and the interruption', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--state', state]);
    await first.ready();
    const { endpoints, token, organizationId, projectId } = credentials(state);
    const [web] = (
      JSON.parse((await read(`${endpoints.compute}/api/v2/instances`, token)).body) as {
        metadata: { name: string };
        spec: { flavorId: string; imageId: string };
        status: { networkId: string };
      }[]
    ).filter(({ metadata }) => metadata.name === 'web-1');
    if (!web) throw new Error('the demo has no web-1');
    const spec = {
      organizationId,
      projectId,
      networkId: web.status.networkId,
      flavorId: web.spec.flavorId,
      imageId: web.spec.imageId,
      networking: {},
    };
    const made = await post(`${endpoints.compute}/api/v2/instances`, token, {
      metadata: { name: 'interrupted' },
      spec,
    });
    // Immediately: the entries of controllers are not written yet.
    await first.kill('SIGKILL');
    expect(made.status).toBe(201);
    const {
      metadata: { id },
    } = JSON.parse(made.body) as Instance;
    await start(['serve', '--port', '0', '--state', state]).ready();
    const {
      endpoints: { compute },
    } = credentials(state);
    const told = async () =>
      (
        JSON.parse((await read(`${compute}/api/v2/instances/${id}/history`, token)).body) as {
          action: string;
          outcome: string;
        }[]
      ).map(({ action, outcome }) => `${action} ${outcome}`);
    await expect
      .poll(told, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['platform interrupted', 'createServer done']));
    const entries = await told();
    expect(entries.slice(0, 3)).toEqual(['create accepted', 'charge done', 'put done']);
    for (const entry of ['create accepted', 'charge done', 'put done', 'createServer done', 'platform interrupted'])
      expect(
        entries.filter((one) => one === entry),
        entry,
      ).toHaveLength(1);
  });

  it('encrypts user data in its files, and returns it to permitted callers', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--state', state]);
    await first.ready();
    const { endpoints, token, organizationId, projectId } = credentials(state);
    const instancesUrl = `${endpoints.compute}/api/v2/instances`;
    const [web] = (
      JSON.parse((await read(instancesUrl, token)).body) as {
        metadata: { name: string };
        spec: { flavorId: string; imageId: string };
        status: { networkId: string };
      }[]
    ).filter(({ metadata }) => metadata.name === 'web-1');
    if (!web) throw new Error('the demo has no web-1');
    const secret = '#!/bin/sh\necho swordfish-swordfish-swordfish\n';
    const userData = Buffer.from(secret).toString('base64');
    const spec = {
      organizationId,
      projectId,
      networkId: web.status.networkId,
      flavorId: web.spec.flavorId,
      imageId: web.spec.imageId,
      networking: {},
      userData,
    };
    const made = await post(
      instancesUrl,
      token,
      { metadata: { name: 'secretive' }, spec },
      { 'idempotency-key': 'a-key-of-this-test' },
    );
    expect(made.status).toBe(201);
    const {
      metadata: { id },
    } = JSON.parse(made.body) as Instance;
    const console = () => read(`${instancesUrl}/${id}/consoleoutput`, token).then(({ body }) => body);
    await expect.poll(console, { timeout: 60_000, interval: 500 }).toContain('user data found and applied');
    await first.kill('SIGTERM');
    const files = readdirSync(state)
      .filter((name) => name.startsWith('state.db'))
      .map((name) => readFileSync(join(state, name)));
    expect(files.some((file) => file.includes('secretive'))).toBe(true);
    for (const file of files)
      expect([file.includes(userData), file.includes(userData.slice(4, 40)), file.includes('swordfish')]).toEqual([
        false,
        false,
        false,
      ]);
    await start(['serve', '--port', '0', '--state', state]).ready();
    const {
      endpoints: { compute },
    } = credentials(state);
    expect(JSON.parse((await read(`${compute}/api/v2/instances/${id}`, token)).body)).toMatchObject({
      spec: { userData },
    });
  });

  it('starts empty with --no-demo, and leaves nothing behind with --ephemeral', async () => {
    const unikorn = start(['serve', '--port', '0', '--no-demo', '--ephemeral']);
    await unikorn.ready();
    const { code, output } = await unikorn.kill('SIGTERM');
    const state = /Credentials\s+(\S+)\/credentials\.json/.exec(output)?.[1] ?? '';
    expect(code).toBe(0);
    expect(() => statSync(state)).toThrow('ENOENT');
  });

  it('goes on after SIGHUP, if it was not started in a terminal', async () => {
    const unikorn = start(['serve', '--port', '0', '--no-demo', '--ephemeral']);
    const address = await unikorn.ready();
    process.kill(unikorn.pid, 'SIGHUP');
    expect(await read(`${address}/identity/healthz`)).toMatchObject({ status: 200 });
    expect(await unikorn.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('serves metrics at a port of their own, to the holders of the token', async () => {
    const port = await freePort('127.0.0.1');
    const token = 'a-token-for-prometheus';
    const unikorn = start(['serve', '--port', '0', '--no-demo', '--ephemeral', '--metrics-port', String(port)], {
      UNIKORN_METRICS_TOKEN: token,
    });
    const address = await unikorn.ready();
    const operators = `http://127.0.0.1:${port}`;
    expect(await read(`${address}/compute/metrics`)).toMatchObject({ status: 404 });
    expect(await read(`${operators}/compute/metrics`)).toMatchObject({
      status: 401,
      body: expect.stringContaining('metrics.token') as string,
    });
    expect(await read(`${operators}/compute/metrics`, 'another')).toMatchObject({ status: 401 });
    expect(await read(`${operators}/compute/metrics`, token)).toMatchObject({
      status: 200,
      body: expect.stringContaining('unikorn_build_info') as string,
    });
    for (const each of [address, operators])
      expect(await read(`${each}/compute/readyz`)).toMatchObject({ status: 200 });
    expect(await unikorn.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('creates no state if its port is in use', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => blocker.close());
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const state = stateDirectory();
    expect(await start(['serve', '--port', String(port), '--state', state]).ended).toMatchObject({ code: 3 });
    expect(existsSync(state)).toBe(false);
  });

  it('takes its port from the environment, and reports a port in use in one sentence', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => blocker.close());
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { code, errors } = await start(['serve', '--ephemeral', '--log-level', 'silent'], {
      UNIKORN_PORT: String(port),
    }).ended;
    expect(code).toBe(3);
    expect(errors).toBe(`error: port ${port} on 127.0.0.1 is in use: choose another with --port or UNIKORN_PORT\n`);
  });

  it('refuses a state in use, and a file that is not a state, in one sentence', async () => {
    const state = stateDirectory();
    await start(['serve', '--port', '0', '--state', state]).ready();
    const second = await start(['serve', '--port', '0', '--state', state, '--log-level', 'silent']).ended;
    expect(second).toMatchObject({
      code: 3,
      errors: expect.stringMatching(/^error: .*state\.db.*in use.*\n$/) as string,
    });
    const foreign = stateDirectory();
    mkdirSync(foreign);
    writeFileSync(
      join(foreign, 'state.db'),
      'this is a letter to my grandmother, and surely not a database of anybody\n'.repeat(20),
    );
    const third = await start(['serve', '--port', '0', '--state', foreign, '--log-level', 'silent']).ended;
    expect(third).toMatchObject({ code: 3, errors: expect.stringMatching(/^error: .*state\.db.*\n$/) as string });
    expect(readFileSync(join(foreign, 'state.db'), 'utf8')).toContain('grandmother');
  });

  it('reads unikorn.yaml in the current folder, reports it, and lets environment and flags override it', async () => {
    const folder = temporaryFolder();
    cleanups.push(() => {
      folder.remove();
    });
    const file = join(folder.path, 'unikorn.yaml');
    writeFileSync(
      file,
      'server: { port: 1 }\nstate: { directory: kept }\ndemo: { enabled: false }\nidentity: { administrator: Somebody@example.com }\n',
    );
    const unikorn = start(['serve', '--port', '0'], { UNIKORN_LOG_LEVEL: 'silent' }, folder.path);
    await unikorn.ready();
    expect(credentials(join(folder.path, 'kept')).administrator.email).toBe('somebody@example.com');
    expect(await start(['backup', join(folder.path, 'copy')], {}, folder.path).ended).toMatchObject({ code: 0 });
    const { output, errors } = await unikorn.kill('SIGTERM');
    expect(output).toContain(`Configuration   ${file}\n`);
    expect(errors).toBe('');
  });

  it.each([
    [['serve', '--port', 'eighty'], 2, 'error: --port: server.port is "eighty", and must be a whole number'],
    [
      ['serve', '--log-level', 'loud', '--monitor-period', '0'],
      2,
      'error: --monitor-period: monitor.period is 0, and must be',
    ],
    [['serve', '--prot', '80'], 2, "error: unknown option '--prot'"],
    [['serve', '--config', 'nowhere.yaml'], 2, 'error: the configuration file nowhere.yaml does not exist'],
    [['serve', '--ephemeral', '--host', '0.0.0.0', '--log-level', 'silent'], 3, 'needs --public-url'],
    [
      [
        'serve',
        '--ephemeral',
        '--port',
        '0',
        '--host',
        '127.0.0.300',
        '--public-url',
        'https://cloud.example.com',
        '--log-level',
        'silent',
      ],
      3,
      'error: cannot listen on 127.0.0.300',
    ],
    [
      ['serve', '--state', '/proc/nowhere/state', '--log-level', 'silent'],
      3,
      'error: the state directory /proc/nowhere/state cannot be created',
    ],
    [
      ['backup', '/proc/nowhere/backup', '--state', '/proc/nowhere/state'],
      3,
      'error: /proc/nowhere/backup cannot be written',
    ],
    [['fly'], 2, 'unknown command'],
  ])('refuses %j with code %d', async (args, expected, message) => {
    const { code, errors } = await start(args).ended;
    expect(code).toBe(expected);
    expect(errors).toContain(message);
  });
});

describe('unikorn config', () => {
  it('shows the configuration of serve with its sources', async () => {
    const { code, output } = await start(['config', '--no-demo'], { UNIKORN_PORT: '4711' }).ended;
    expect(code).toBe(0);
    expect(output).toContain('  port: 4711 # UNIKORN_PORT\n');
    expect(output).toContain('  enabled: false # --no-demo\n');
  });
});

describe('unikorn password', () => {
  it('replaces a lost password, and refuses unknown users', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--no-demo', '--state', state]);
    await first.ready();
    const made = { code: 0, output: expect.stringMatching(/^\S{20,}\n$/) as string };
    expect(await start(['password', 'admin@example.com', '--state', state]).ended).toMatchObject({
      code: 2,
      output: '',
      errors:
        'error: this replaces the password of admin@example.com, and with it all logins of this user, and there is no terminal to ask for confirmation\nadd --yes to confirm\n',
    });
    const running = await start(['password', 'admin@example.com', '--yes', '--state', state]).ended;
    expect(running).toMatchObject(made);
    expect(credentials(state).administrator).toEqual({ email: 'admin@example.com' });
    expect(await start(['password', 'nobody@example.com', '--yes', '--state', state]).ended).toMatchObject({
      code: 4,
      errors: 'error: this user does not exist\n',
    });
    // A killed process leaves its file behind; the password is then set in the store.
    await first.kill('SIGKILL');
    const stopped = await start(['password', 'admin@example.com', '--yes', '--state', state]).ended;
    expect(stopped).toMatchObject(made);
    expect(stopped.output).not.toBe(running.output);
    expect(await start(['password', 'nobody@example.com', '--yes', '--state', state]).ended).toMatchObject({
      code: 4,
      errors: 'error: this user does not exist\n',
    });
    const other = start([
      'serve',
      '--port',
      '0',
      '--no-demo',
      '--state',
      state,
      '--administrator',
      'second@example.com',
    ]);
    await other.ready();
    await other.kill('SIGTERM');
    await start(['serve', '--port', '0', '--no-demo', '--state', state]).ready();
    expect(credentials(state).administrator).toEqual({ email: 'admin@example.com' });
  });
});

describe('unikorn backup and restore', () => {
  it('restores the state at the time of the backup', async () => {
    const state = stateDirectory();
    const backup = `${stateDirectory()}-backup`;
    const running = start(['serve', '--port', '0', '--state', state]);
    await running.ready();
    const before = (await networks(state)).map(({ metadata }) => metadata.id);
    expect(await start(['backup', backup, '--state', state]).ended).toMatchObject({ code: 0 });
    expect(await start(['restore', backup, '--state', state, '--replace']).ended).toMatchObject({ code: 3 });
    await running.kill('SIGINT');
    const restored = stateDirectory();
    expect(await start(['restore', backup, '--state', restored]).ended).toMatchObject({ code: 0 });
    // Everybody who can read one of these files has full access.
    for (const folder of [backup, restored])
      for (const name of readdirSync(folder))
        expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
    await start(['serve', '--port', '0', '--no-demo', '--state', restored]).ready();
    const { adminToken, endpoints } = credentials(restored);
    expect((await networks(restored, adminToken)).map(({ metadata }) => metadata.id)).toEqual(before);
    expect(endpoints.identity).toContain('/identity');
  });

  it('restores the credentials of scripts, and never creates the demo again', async () => {
    const state = stateDirectory();
    const backup = `${stateDirectory()}-backup`;
    const first = start(['serve', '--port', '0', '--no-demo', '--state', state]);
    await first.ready();
    await first.kill('SIGTERM');
    expect(await start(['backup', backup, '--state', state]).ended).toMatchObject({ code: 0 });
    const restored = stateDirectory();
    await start(['restore', backup, '--state', restored]).ended;
    // No command uses the server of the original state for the restored one.
    expect(credentials(restored)).not.toHaveProperty('endpoints');
    expect(await start(['restore', backup, '--state', restored]).ended).toMatchObject({
      code: 3,
      errors: expect.stringContaining('--replace') as string,
    });
    await start(['serve', '--port', '0', '--state', restored]).ready();
    const { adminToken, administrator, endpoints, organizationId } = credentials(restored);
    const before = credentials(state);
    expect({ adminToken, administrator, organizationId }).toEqual({
      adminToken: before.adminToken,
      administrator: before.administrator,
      organizationId: undefined,
    });
    const organizations = JSON.parse(
      (await read(`${endpoints.identity}/api/v1/organizations?include=platform`, adminToken)).body,
    ) as { metadata: { name: string } }[];
    expect(organizations.map(({ metadata }) => metadata.name)).toEqual(['platform']);
  });

  it('does not treat an emptied state as a first start', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--no-demo', '--state', state, '--log-level', 'silent']);
    await first.ready();
    await first.kill('SIGTERM');
    const before = readFileSync(join(state, 'credentials.json'), 'utf8');
    for (const file of ['state.db', 'state.db-wal']) writeFileSync(join(state, file), '');
    expect(await start(['serve', '--port', '0', '--state', state, '--log-level', 'silent']).ended).toMatchObject({
      code: 3,
      errors: expect.stringContaining('restore a backup') as string,
    });
    expect(readFileSync(join(state, 'credentials.json'), 'utf8')).toBe(before);
  });

  it('refuses to start without the key, and creates no other', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--no-demo', '--state', state]);
    await first.ready();
    await first.kill('SIGTERM');
    rmSync(join(state, 'encryption.key'));
    expect(await start(['serve', '--port', '0', '--state', state, '--log-level', 'silent']).ended).toMatchObject({
      code: 3,
      errors: expect.stringContaining('encryption.key is missing') as string,
    });
    expect(() => statSync(join(state, 'encryption.key'))).toThrow('ENOENT');
  });

  it('refuses to start with another encryption key', async () => {
    const state = stateDirectory();
    const first = start(['serve', '--port', '0', '--no-demo', '--state', state]);
    await first.ready();
    await first.kill('SIGTERM');
    writeFileSync(join(state, 'encryption.key'), `${Buffer.alloc(32, 1).toString('base64url')}\n`);
    const { code, errors } = await start([
      'serve',
      '--port',
      '0',
      '--no-demo',
      '--state',
      state,
      '--log-level',
      'silent',
    ]).ended;
    expect({ code, errors }).toEqual({
      code: 3,
      errors:
        'error: the signing keys cannot be decrypted: start the server with the encryption key that they were encrypted with\n',
    });
  });
});
