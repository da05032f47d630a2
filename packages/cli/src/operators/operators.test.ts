import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { Saga } from '@unikorn/sdk';

import { displayWidth } from '../output/width.ts';
import { clock } from '../terminal.ts';
import { cliOn, fakeTerminal, startProduct, type FakeTerminalOptions, type Product } from '../testing/product.ts';

const started = (ago_s: number) => new Date(clock.now().getTime() - ago_s * 1000).toISOString();

const running: Saga = {
  id: '6e5b0c53-1de5-4f0c-8a86-9a8f4cf5a2a1',
  name: 'region.network.create',
  state: 'running',
  step: 'charge',
  startedTime: started(7200),
  attempts: 1,
  holder: 'unikorn-region-api-0',
  steps: [{ name: 'charge', state: 'open' }],
};
const stuck: Saga = {
  id: '0a3c7f2e-7d1f-4a53-b6a2-2f0a0c9c2b11',
  name: 'compute.instance.create',
  state: 'stuck',
  step: 'hold',
  startedTime: started(60),
  attempts: 12,
  nextAttemptTime: started(-30),
  message: 'the undo of hold fails: region does not answer to the release of the reference of the instance',
  holder: 'unikorn-compute-api-0',
  steps: [
    { name: 'charge', state: 'done' },
    { name: 'hold', state: 'undoing' },
  ],
};
const findings = {
  process: 'unikorn-compute-monitor-0',
  checkedTime: started(5),
  total: 3,
  findings: [
    {
      checker: 'orphan-server',
      id: 'b1',
      message: 'a machine without an instance runs in region north since yesterday',
    },
    { checker: 'instance-in-error', id: 'a1', message: 'the instance cannot be provisioned' },
  ],
};
const idle = { queued: {}, delayed: 0, running: 0, retrying: 0, parked: 0, oldestQueuedSeconds: 0 };
/** It answers for two services. */
const api = { process: 'unikorn-api-0', controllers: [{ name: 'identity/project-controller', ...idle }] };
const worker = {
  process: 'unikorn-compute-0',
  controllers: [
    {
      name: 'compute/instance-controller',
      queued: { high: 9, low: 3 },
      delayed: 2,
      running: 4,
      retrying: 1,
      parked: 5,
      oldestQueuedSeconds: 90,
    },
  ],
};
const instances = [{ metadata: { id: 'a1', name: 'web-1', creationTime: started(600) }, spec: {}, status: {} }];

/** The answers of the services. A real platform has findings only after hours, and stuck sagas hopefully never. */
const answers: Readonly<Record<string, unknown>> = {
  '/identity/api/v1/sagas': [],
  '/region/api/v1/sagas': [running],
  // Services with one store return the same sagas.
  '/compute/api/v1/sagas': [running, stuck],
  '/compute/api/v1/findings': findings,
  '/compute/api/v2/instances': instances,
  '/identity/api/v1/controllers': api,
  '/region/api/v1/controllers': api,
  '/compute/api/v1/controllers': worker,
  '/identity/oauth2/v2/userinfo': { sub: 'olga@example.com' },
  ...Object.fromEntries(
    ['identity', 'region', 'compute'].map((name) => [`/${name}/api/version`, { version: '1.0.0' }]),
  ),
  '/identity/api/v1/activity': [],
  '/region/api/v2/activity': [],
  '/compute/api/v2/activity': [
    {
      time: started(60),
      action: 'create',
      outcome: 'accepted',
      resource: { kind: 'instance', id: 'a1', name: 'web-1' },
      organizationId: 'o',
      projectId: '',
    },
  ],
};

/** The services that close every connection. */
const down = new Set<string>();

let server: Server;
let product: Product;

beforeAll(async () => {
  product = await startProduct();
  server = createServer(({ url = '', socket }, response) => {
    if (down.has(url.split('/')[1] ?? '')) return void socket.destroy();
    // The instances are in another project than the one of the context.
    const answer = url.includes('projectID=') ? [] : answers[url.replace(/\?.*/, '')];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not_found', error_description: url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.close();
  await product[Symbol.asyncDispose]();
});

afterEach(() => {
  down.clear();
});

const run = (args: readonly string[], options: FakeTerminalOptions = {}) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cliOn(fakeTerminal({ env: { UNIKORN_URL: url, UNIKORN_TOKEN: 'token' }, ...options }), ...args);
};

describe('sagas', () => {
  it('of all services are listed once, those that need an operator first', async () => {
    const { code, stdout, stderr } = await run(['saga', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^NAME +STATUS +STEP +ATTEMPTS +MESSAGE +AGE\ncompute\.\S+ +stuck .*\nregion\.\S+ +running .*2h\n$/,
    );
    expect(stderr).toContain('a stuck saga needs an operator');
  });

  it('fit a terminal of 80 columns', async () => {
    for (const args of [['sagas'], ['saga', 'list', '-o', 'wide'], ['findings'], ['controllers']]) {
      const { stdout } = await run(args, { interactive: true, columns: 80 });
      expect(stdout).not.toBe('');
      for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    }
  });

  it('are shown with the chosen columns and in the chosen order', async () => {
    const { stdout } = await run(['saga', 'list', '--columns', 'name,attempts', '--sort', 'age', '--no-headers']);
    expect(stdout).toBe('compute.instance.create   12\nregion.network.create     1\n');
    expect((await run(['saga', 'list', '--columns', 'name', '--sort=-age', '--no-headers'])).stdout).toBe(
      'region.network.create\ncompute.instance.create\n',
    );
    expect(await run(['saga', 'list', '--columns', 'stepp'])).toMatchObject({
      code: 2,
      stderr: 'error: sagas have no column stepp\ndid you mean step?\n',
    });
  });

  it('are problems of the status, each once', async () => {
    const { stdout } = await run(['status']);
    expect(stdout.match(/^! saga \S+/gm)).toEqual(['! saga compute.instance.create', '! saga region.network.create']);
  });

  it('are documents for programs', async () => {
    expect(JSON.parse((await run(['saga', 'list', '-o', 'json'])).stdout)).toEqual([stuck, running]);
    expect(parse((await run(['saga', 'get', stuck.id, '-o', 'yaml'])).stdout)).toEqual(stuck);
    expect((await run(['saga', 'list', '-o', 'name'])).stdout).toBe(`${stuck.id}\n${running.id}\n`);
  });

  it('are described with their steps, by name or id', async () => {
    const { stdout } = await run(['saga', 'get', 'compute.instance.create']);
    expect(stdout).toMatch(/^Name: +compute\.instance\.create\nStatus: +stuck\n/);
    expect(stdout).toMatch(/Steps: +charge: done\n +hold: undoing\n$/);
    expect(await run(['saga', 'get', 'compute.instance.creat'])).toMatchObject({
      code: 4,
      stderr: 'error: there is no unfinished saga compute.instance.creat\ndid you mean compute.instance.create?\n',
    });
  });
});

describe('a service that does not answer', () => {
  const reason = (what: string, service: string) =>
    new RegExp(
      `error: the ${what} of a service are missing\\n${service}: http://127\\.0\\.0\\.1:\\d+ cannot be reached: .+\\n$`,
    );

  it('does not hide the sagas of the others, and the exit code shows that some are missing', async () => {
    down.add('region');
    const { code, stdout, stderr } = await run(['saga', 'list', '--no-headers', '--columns', 'name']);
    expect({ code, stdout }).toEqual({ code: 8, stdout: 'compute.instance.create\nregion.network.create\n' });
    expect(stderr).toMatch(reason('sagas', 'region'));
    const json = await run(['saga', 'list', '-o', 'json']);
    expect(json).toMatchObject({ code: 8, stderr: expect.stringMatching(reason('sagas', 'region')) as string });
    expect(JSON.parse(json.stdout)).toEqual([stuck, running]);
  });

  it('is named if the saga is in none of the others, and does not matter otherwise', async () => {
    down.add('compute');
    expect(await run(['saga', 'get', stuck.id])).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringMatching(reason('sagas', 'compute')) as string,
    });
    expect(await run(['saga', 'get', running.id])).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not hide the status of the others, which names it', async () => {
    down.add('compute');
    const { code, stdout } = await run(['status']);
    expect(code).toBe(8);
    expect(stdout).toContain('identity 1.0.0, region 1.0.0\n');
    expect(stdout).toMatch(/Instances: +unknown\n/);
    expect(stdout).toMatch(/! service compute: http:\/\/127\.0\.0\.1:\d+ cannot be reached: /);
    expect(stdout).toContain('! saga region.network.create ');
  });

  it('does not hide the controllers of the others', async () => {
    down.add('region');
    const { code, stdout, stderr } = await run(['controller', 'list', '-o', 'name']);
    expect({ code, stdout }).toEqual({
      code: 8,
      stdout: 'identity/project-controller\ncompute/instance-controller\n',
    });
    expect(stderr).toMatch(reason('controllers', 'region'));
  });

  it('does not hide the activity of the others', async () => {
    down.add('identity');
    const { code, stdout, stderr } = await run(['activity']);
    expect(code).toBe(8);
    expect(stdout).toContain('instance web-1');
    expect(stderr).toMatch(reason('activities', 'identity'));
  });

  it('is an ordinary error if no service answers', async () => {
    for (const service of ['identity', 'region', 'compute']) down.add(service);
    expect(await run(['saga', 'list'])).toMatchObject({ code: 6, stdout: '' });
  });
});

describe('controllers', () => {
  it('of all services are listed once, with their work', async () => {
    const { code, stdout, stderr } = await run(['controllers']);
    expect({ code, stdout: stdout.replaceAll(/ +/g, ' ') }).toEqual({
      code: 0,
      stdout: [
        'NAME QUEUE DELAYED RUNNING RETRYING PARKED OLDEST\n',
        'identity/project-controller 0 0 0 0 0 -\n',
        'compute/instance-controller 12 2 4 1 5 1m30s\n',
      ].join(''),
    });
    expect(stderr).toBe('answered by unikorn-api-0, unikorn-compute-0; other processes are not listed\n');
  });

  it('are sorted by number, and are documents for programs', async () => {
    const sorted = await run(['controller', 'list', '--sort=-oldest', '--columns', 'name,process', '--no-headers']);
    expect(sorted.stdout).toMatch(/^compute\/instance-controller +unikorn-compute-0\n/);
    expect(JSON.parse((await run(['controller', 'list', '-o', 'json'])).stdout)).toEqual([api, worker]);
  });
});

describe('findings', () => {
  it('are listed with the names of instances, and when the monitor looked', async () => {
    const { code, stdout, stderr } = await run(['finding', 'list', '--sort', 'name']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^the monitor checked \d+s ago\nthe list has the first 2 of 3 findings\n$/,
      ) as string,
    });
    expect(stdout).toMatch(
      /^NAME +CHECK +MESSAGE\nb1 +orphan-server +a machine .*\nweb-1 +instance-in-error +the instance/,
    );
    expect(JSON.parse((await run(['finding', 'list', '-o', 'json'])).stdout)).toEqual(findings);
  });

  it('have the names of instances in all projects, also in the status', async () => {
    const env = {
      UNIKORN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      UNIKORN_TOKEN: 'token',
      UNIKORN_PROJECT: '7b2f6a3e-5d0c-4a53-b6a2-2f0a0c9c2b11',
    };
    expect((await run(['finding', 'list', '-o', 'name'], { env })).stdout).toBe('b1\nweb-1\n');
    expect((await run(['status'])).stdout).toContain('! instance-in-error web-1: ');
  });

  it('of one object are described', async () => {
    expect((await run(['finding', 'get', 'web-1'])).stdout).toMatch(
      /^Name: +web-1\nCheck: +instance-in-error\nID: +a1\n/,
    );
    expect(await run(['finding', 'get', 'web-7'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^error: there is no open finding about web-7\nthe monitor checked/) as string,
    });
  });
});

describe('a real platform', () => {
  it('shows all of it to its operators only', async () => {
    const as = (token: string, noun: string) =>
      run([noun, 'list'], { env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: token } });
    const { token, adminToken } = product.credentials;
    for (const noun of ['saga', 'finding', 'controller']) {
      expect(await as(adminToken, noun)).toMatchObject({ code: 0 });
      expect(await as(token, noun)).toMatchObject({ code: 5, stdout: '' });
    }
  });
});
