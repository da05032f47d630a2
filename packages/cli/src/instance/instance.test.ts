import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect, dataOf, type Instance } from '@unikorn/sdk';

import { Interrupted } from '../terminal.ts';
import { cli, cliOn, environmentOf, fakeTerminal, hurry, startProduct, type Product } from '../testing/product.ts';
import { interposed } from './interposed.fixture.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await hurry(product, { build_ms: 300, power_ms: 300, delete_ms: 100, image_ms: 300 });
  expect(await create('web-3')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

const unikorn = (...args: readonly string[]) => cli(product, 'instance', ...args);
const create = (name: string, ...args: readonly string[]) =>
  unikorn('create', name, '--network', 'frontend', '--flavor', 'sim-standard-4', '--image', 'debian-13-amd64', ...args);
const telling = (text: string) => expect.stringContaining(text) as string;
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

async function read(name: string): Promise<Instance> {
  const { endpoints, token } = product.credentials;
  const instances = await dataOf(connect({ endpoints, token }).compute.GET('/api/v2/instances'));
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no instance ${name}`);
  return found;
}

/** A terminal at which the user types this. */
const person = (input: string, ...args: readonly string[]) =>
  cliOn(fakeTerminal({ env: environmentOf(product), interactive: true, input }), 'instance', ...args);

describe('an instance', () => {
  it('is created with names instead of ids, and listed with names', async () => {
    const made = await create(
      'web-4',
      '--security-group',
      'web',
      '--public-ip',
      '--description',
      'mine',
      '--ssh-ca',
      'team',
    );
    expect(made).toMatchObject({ code: 0, stderr: telling('instance web-4: provisioned\n') });
    expect(made.stdout).toMatch(
      /^NAME +STATUS +POWER +HEALTH +IP +PUBLIC-IP +FLAVOR +IMAGE +NETWORK +AGE\nweb-4 +provisioned +Running +healthy +10\.\S+ +198\.\S+ +sim-standard-4 +debian-13-amd64 +frontend +\d+s\n$/,
    );
    expect(await unikorn('list', '-o', 'wide')).toMatchObject({
      stdout: like(/web-4 .* web +team +false +north +website +fa:/),
    });
  });

  it('that fails shows the root cause, a remedy, and the command for more', async () => {
    const failed = await unikorn(
      'create',
      'learner',
      '--project',
      'research',
      '--network',
      'training',
      '--flavor',
      'sim-gpu-8',
      '--image',
      'ubuntu-24.04-gpu-amd64',
    );
    expect(failed).toMatchObject({
      code: 3,
      stdout: '',
      stderr: like(
        /error: learner could not be provisioned: the cloud has no capacity .*\n✗ provider resource: the cloud has no capacity .*\n {2}failed for .*attempt \d.*\n {2}what to do: .*\nsee more: unikorn instance explain learner --project research\n$/,
      ),
    });
  });

  it('accepts a file as user data', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'unikorn-'));
    await writeFile(join(directory, 'data'), '#cloud-config\n');
    expect(await create('web-5', '--no-wait', '--user-data', join(directory, 'data'))).toMatchObject({ code: 0 });
    expect((await read('web-5')).spec.userData).toBe(Buffer.from('#cloud-config\n').toString('base64'));
    await rm(directory, { recursive: true });
  });

  it('that is protected is not deleted, and the refusal shows how to end the protection', async () => {
    await create('web-6', '--deletion-protection', '--no-wait');
    expect(await unikorn('delete', 'web-6', '--yes')).toMatchObject({
      code: 3,
      stderr: telling('unikorn instance update web-6 --no-deletion-protection'),
    });
    expect(await unikorn('update', 'web-6', '--no-deletion-protection')).toMatchObject({ code: 0 });
    expect(await unikorn('delete', 'web-6', '--yes')).toMatchObject({
      code: 0,
      stderr: telling('instance web-6 deleted\n'),
    });
  });
});

const ubuntu = ['--image', 'ubuntu-24.04-amd64'];
const debian = ['--image', 'debian-13-amd64'];

describe('an update', () => {
  it('without disruption is made without a question', async () => {
    expect(await unikorn('update', 'web-3', '--description', 'mine', '--security-group', 'web')).toMatchObject({
      code: 0,
      stdout: like(/web-3 +provisioned/),
      stderr: telling('instance web-3 updated\n'),
    });
    expect(await read('web-3')).toMatchObject({
      metadata: { description: 'mine' },
      spec: { networking: { securityGroups: [expect.any(String)] } },
    });
  });

  it('to the current settings does nothing, with a message', async () => {
    expect(await unikorn('update', 'web-3', ...debian)).toMatchObject({
      code: 0,
      stderr: 'instance web-3 already has these settings: nothing was changed\n',
    });
    expect(await unikorn('plan', 'web-3', ...debian)).toMatchObject({
      code: 0,
      stdout: 'web-3 already has these settings: nothing would change\n',
    });
    expect(await unikorn('update', 'web-3')).toMatchObject({ code: 2 });
  });

  it.each([
    ['plan', []],
    ['update', ['--dry-run']],
  ] as const)('is only planned by %s %s', async (verb, flags) => {
    const args = [verb, 'web-3', ...ubuntu, ...flags];
    expect(await unikorn(...args)).toEqual({
      code: 0,
      stdout: like(
        /^web-3 would be rebuilt.*\nFIELD +NOW +THEN +EFFECT\nimage +debian-13-amd64 +ubuntu-24.04-amd64 +rebuild\nlost permanently: the root disk\n$/,
      ),
      stderr: '',
    });
    expect(JSON.parse((await unikorn(...args, '-o', 'json')).stdout)).toMatchObject({
      action: 'rebuild',
      losses: ['the root disk'],
    });
    expect(await read('web-3')).toMatchObject({ spec: { imageId: product.credentials.imageId } });
  });

  it('in a file is planned from the file, with names for ids', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'unikorn-'));
    const file = join(directory, 'web.yaml');
    const document = (name: string, image: string) =>
      `kind: instance\nmetadata: { name: ${name} }\nspec: { networkId: frontend, flavorId: sim-standard-4, imageId: ${image} }\n`;
    await writeFile(
      file,
      ['ubuntu-24.04-amd64', 'debian-13-amd64']
        .map((image, index) => document(index === 0 ? 'web-3' : 'web-9', image))
        .join('---\n'),
    );
    expect(await unikorn('plan', '-f', file)).toMatchObject({
      code: 0,
      stdout: like(
        /^web-3 would be rebuilt.*\nFIELD.*\nimage +debian-13-amd64 +ubuntu-24.04-amd64 +rebuild\nlost permanently: the root disk\nweb-9 would be created\n$/,
      ),
    });
    expect(await unikorn('plan')).toMatchObject({ code: 2 });
    await rm(directory, { recursive: true });
  });

  it('that would be refused ends like a refused one', async () => {
    for (const args of [['plan'], ['update', '--yes'], ['update', '--dry-run']]) {
      expect(await unikorn(...args, 'web-3', '--flavor', 'sim-arm-8')).toMatchObject({
        code: 3,
        stderr: telling('error: the change would be refused\n'),
      });
    }
  });

  it.each([
    [
      'there is no terminal',
      () => unikorn('update', 'web-3', ...ubuntu),
      'repeat the command with --yes or --allow rebuild',
    ],
    [
      'it needs more than is allowed',
      () => unikorn('update', 'web-3', ...ubuntu, '--allow', 'restart'),
      'which --allow restart does not permit',
    ],
    [
      'it needs more than is allowed, even with --yes',
      () => unikorn('update', 'web-3', ...ubuntu, '--allow', 'restart', '--yes'),
      'which --allow restart does not permit',
    ],
    ['the user answers no', () => person('n\n', 'update', 'web-3', ...ubuntu), 'nothing was changed'],
    ['the user answers nothing', () => person('\n', 'update', 'web-3', ...ubuntu), 'nothing was changed'],
  ])('shows its plan and is not made when %s', async (_name, update, text) => {
    const refused = await update();
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: telling('lost permanently: the root disk\n') });
    expect(refused.stderr).toContain(text);
    expect(await read('web-3')).toMatchObject({ spec: { imageId: product.credentials.imageId } });
  });

  it('is made if the user answers yes, with --yes, or with a sufficient --allow', async () => {
    const asked = await person('y\n', 'update', 'web-3', ...ubuntu);
    expect(asked).toMatchObject({ code: 0, stderr: telling('Proceed? [y/N]') });
    expect(asked.stdout).toMatch(/web-3 +provisioned .* ubuntu-24\.04-amd64/);
    expect(await unikorn('update', 'web-3', ...debian, '--allow', 'rebuild')).toMatchObject({
      code: 0,
      stdout: like(/web-3 +provisioned .* debian-13-amd64/),
      stderr: like(/would be rebuilt[^]*provisioning, its root disk is replaced because image changed[;:] .*\n/),
    });
    expect(await unikorn('update', 'web-3', '--ssh-ca', 'team', '--yes')).toMatchObject({
      code: 0,
      stdout: like(/web-3 +provisioned/),
      stderr: telling('would be recreated'),
    });
    expect((await read('web-3')).spec).toHaveProperty('sshCertificateAuthorityId');
    expect(await unikorn('plan', 'web-3', '--ssh-ca', '')).toMatchObject({
      stdout: like(/ssh-ca +team +none +recreate/),
    });
  });

  it('whose plan is no longer valid is planned and confirmed again', async () => {
    await using between = await interposed(product, async () => {
      await unikorn('update', 'web-3', '--description', 'overtaken');
    });
    const terminal = fakeTerminal({
      env: {
        UNIKORN_URL: between.url,
        UNIKORN_TOKEN: product.credentials.token,
        UNIKORN_PROJECT: product.credentials.projectId,
        UNIKORN_ORGANIZATION: product.credentials.organizationId,
      },
    });
    const updated = await cliOn(terminal, 'instance', 'update', 'web-3', '--tag', 'team=red');
    expect(updated).toMatchObject({
      code: 0,
      stderr: telling('instance web-3 has changed in the meantime; a new plan is made\n'),
    });
    expect((await read('web-3')).metadata).toMatchObject({
      description: 'overtaken',
      tags: [{ name: 'team', value: 'red' }],
    });
  });
});

describe('power', () => {
  it('is changed for several instances, with waiting, and not for those in the requested state', async () => {
    await unikorn('watch', 'web-5', '--until', 'provisioned');
    expect(await unikorn('stop', 'web-3', 'web-5')).toMatchObject({
      code: 0,
      stdout: like(/web-3 +provisioned +Stopped[^]*web-5 +provisioned +Stopped/),
      stderr: telling('instance web-3 is stopped\ninstance web-5 is stopped\n'),
    });
    expect(await unikorn('stop', 'web-3')).toMatchObject({ code: 0 });
    expect(await unikorn('start', 'web-3', '--no-wait')).toMatchObject({
      code: 0,
      stderr: 'instance web-3 was asked to start\n',
    });
    expect(await unikorn('start', 'web-3', 'web-5', '-o', 'name')).toMatchObject({ code: 0, stdout: 'web-3\nweb-5\n' });
    expect(await unikorn('reboot', 'web-5', '--no-wait')).toMatchObject({
      code: 0,
      stderr: 'instance web-5 is being rebooted\n',
    });
    expect(await unikorn('reboot', 'web-5', '--hard')).toMatchObject({
      code: 0,
      stdout: like(/web-5 +provisioned +Running/),
      stderr: telling('instance web-5 was rebooted\n'),
    });
    const { status } = await read('web-5');
    expect(status.rebootedAt).toBeDefined();
    expect(status.rebootingSince).toBeUndefined();
  });

  it('is not changed if one of the names is wrong', async () => {
    expect(await unikorn('stop', 'web-3', 'web-33')).toMatchObject({ code: 4, stderr: telling('did you mean web-3') });
    expect(await read('web-3')).toMatchObject({ status: { powerState: 'Running' } });
  });
});

describe('the machine of an instance', () => {
  it('can be copied: the id of the image is printed when it is ready', async () => {
    const said = ['--description', 'before the upgrade', '--tag', 'team=web'];
    const { code, stdout } = await unikorn('snapshot', 'web-3', '--image-name', 'copy', ...said);
    expect(code).toBe(0);
    const image = await cli(product, 'image', 'get', stdout.trim(), '--region', 'north', '-o', 'json');
    expect(JSON.parse(image.stdout)).toMatchObject({
      metadata: {
        description: 'before the upgrade',
        tags: expect.arrayContaining([{ name: 'team', value: 'web' }]) as unknown,
      },
      status: { state: 'ready' },
    });
  });

  it('has a console, which is opened on demand', async () => {
    const opened: string[] = [];
    const terminal = fakeTerminal({
      env: environmentOf(product),
      openBrowser: (url) => Promise.resolve(void opened.push(url)),
    });
    expect(JSON.parse((await unikorn('console', 'web-3', '-o', 'json')).stdout)).toHaveProperty('url');
    const { stdout } = await cliOn(terminal, 'instance', 'console', 'web-3', '--open');
    expect(opened).toEqual([stdout.trim()]);
    expect((await unikorn('console', 'web-3')).stdout).toMatch(/^https:\S+\n$/);
  });

  it('shows its console output, and follows it until Ctrl-C', async () => {
    expect((await unikorn('logs', 'web-3', '--lines', '1')).stdout.split('\n')).toHaveLength(2);
    const stop = new AbortController();
    const terminal = fakeTerminal({ env: environmentOf(product), signal: stop.signal });
    const following = cliOn(terminal, 'instance', 'logs', 'web-3', '-f');
    await expect.poll(() => terminal.written().stdout).toContain('login:');
    stop.abort(new Interrupted());
    expect(await following).toMatchObject({ code: 0, stdout: like(/^\[ {4}0\.000000\] [^]*\n$/) });
  });

  it('has a key, which is written to a file for its owner only', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'unikorn-'));
    const file = join(directory, 'key');
    await writeFile(file, '');
    await chmod(file, 0o644);
    expect(await unikorn('ssh-key', 'web-5', '-f', file)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: like(new RegExp(`^ssh -i ${file} debian@10\\.`)),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await unikorn('ssh-key', 'web-5')).stdout).toBe(await readFile(file, 'utf8'));
    expect(await unikorn('ssh-key', 'web-5', '-f', directory)).toMatchObject({
      code: 2,
      stderr: telling('cannot be written'),
    });
    expect(await unikorn('ssh-key', 'web-3')).toMatchObject({
      code: 3,
      stderr: like(/the machine has no key: .*\nwith a certificate of the authority team: ssh debian@10\./),
    });
    await rm(directory, { recursive: true });
  });

  it('is logged in to by ssh, and a user in a terminal sees where to before it answers', async () => {
    const configDirectory = await mkdtemp(join(tmpdir(), 'unikorn-'));
    const env = environmentOf(product);
    const calls: (readonly string[])[] = [];
    const runProgram = (_program: string, args: readonly string[]) => Promise.resolve(calls.push(args));
    for (const interactive of [true, false]) {
      const terminal = fakeTerminal({ env, configDirectory, interactive, runProgram });
      const { stderr } = await cliOn(terminal, 'instance', 'ssh', 'web-5');
      expect(/connecting to debian@10\.\S+; Ctrl-C stops it\n/.test(stderr)).toBe(interactive);
    }
    expect(calls.flat().filter((arg) => arg.startsWith('debian@10.'))).toHaveLength(2);
    await rm(configDirectory, { recursive: true });
  });
});

describe('the state and history of an instance', () => {
  it('is explained: in one line if it is ready, otherwise from the root cause, and for programs as the API response', async () => {
    expect((await unikorn('explain', 'web-3')).stdout).toBe('✓ web-3: the instance is ready\n');
    const stuck = await unikorn('explain', 'trainer', '--all-projects');
    expect(stuck).toMatchObject({
      code: 0,
      stdout: like(
        /^✗ provider resource: .*\n {2}failed for .*\n {2}what to do: .*\n└─ ✗ machine: failed\n {3}└─ ✗ instance trainer: failed\n✓ region south, .*network training, image .*, flavor .*, quota\n$/,
      ),
    });
    expect((await cli(product, 'network', 'explain', 'training', '--all-projects')).stdout).toBe(
      '✓ training: the network is ready\n',
    );
    expect(JSON.parse((await unikorn('explain', 'trainer', '--all-projects', '-o', 'json')).stdout)).toMatchObject({
      ready: false,
      summary: telling('provider resource'),
    });
  });

  it('shows who did what, also after the instance is deleted', async () => {
    const {
      metadata: { id },
    } = await read('web-4');
    expect((await unikorn('history', 'web-4')).stdout).toMatch(
      /^TIME +WHO +WHAT +OUTCOME +DETAIL\n\S+Z +demo +create +accepted\n[^]*power +(Building → )?Running\n/,
    );
    await unikorn('delete', 'web-4', '--yes');
    expect(await unikorn('history', 'web-4', '--limit', '1')).toMatchObject({ code: 0, stdout: telling('gone') });
    expect(await unikorn('history', 'web-400')).toMatchObject({ code: 4 });
    expect(await unikorn('list', '--deleted')).toMatchObject({
      code: 0,
      stdout: like(new RegExp(`^NAME +ID +DELETED [^]*web-4 +${id} +2`)),
    });
    expect(await unikorn('list')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('web-4 ') as unknown });
    expect(await unikorn('history', id, '--limit', '1', '-o', 'json')).toMatchObject({
      code: 0,
      stdout: telling('"outcome": "gone"'),
    });
  });

  it('is followed until the requested state', async () => {
    await create('soon', '--no-wait');
    expect(await unikorn('watch', 'soon', '--until', 'provisioned')).toMatchObject({
      code: 0,
      stdout: like(/soon provisioned.*\n$/),
    });
    await unikorn('delete', 'soon', '--no-wait', '--yes');
    expect(await unikorn('watch', 'soon', '--until', 'gone')).toMatchObject({
      code: 0,
      stdout: like(/deleted soon .*\n$/),
    });
    expect(await unikorn('watch', 'trainer', '--all-projects', '--until', 'provisioned')).toMatchObject({
      code: 3,
      stderr: telling('see more: unikorn instance explain trainer'),
    });
    expect(await unikorn('watch', '--until', 'gone')).toMatchObject({ code: 2 });
  });
});
