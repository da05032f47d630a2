import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect } from '@unikorn/sdk';

import { fieldsOf } from '../documents.ts';
import { nouns } from '../nouns/index.ts';
import { Interrupted } from '../terminal.ts';
import {
  cli,
  cliOn,
  environmentOf,
  executable,
  fakeTerminal,
  hurry,
  startProduct,
  type Product,
  type Ran,
} from '../testing/product.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await hurry(product, { image_ms: 500, fileStorage_ms: 1500 });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

const unikorn = (...args: readonly string[]) => cli(product, ...args);
const asPlatform = (...args: readonly string[]) =>
  cliOn(fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken } }), ...args);

async function answered(path: string): Promise<unknown> {
  return (await connect(product.credentials).region.untyped.send('GET', path)).data;
}

/** Polls a condition that something else makes true. */
async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
}

describe('every noun', () => {
  it.each(nouns.map(({ name }) => name))(
    '%s lists its resources, and describes each by its listed name',
    async (noun) => {
      // Only platform operators manage applications.
      const ask = noun === 'oauth2client' ? asPlatform : unikorn;
      const listed = await ask(noun, 'list', '-o', 'name', '--all-projects');
      expect(listed).toMatchObject({ code: 0 });
      for (const name of listed.stdout.split('\n').filter((line) => line !== '')) {
        const got = await ask(noun, 'get', name, '--all-projects');
        expect(got).toMatchObject({ code: 0, stderr: '' });
        expect(got.stdout).toContain(name);
      }
    },
  );

  it('without a verb lists, and distinguishes a mistake from a name', async () => {
    expect((await unikorn('networks')).stdout).toMatch(
      /^NAME +STATUS +PREFIX +REGION +AGE\nfrontend +provisioned +10\.0\.0\.0\/24 +north /,
    );
    expect(await unikorn('network', 'crate', 'web')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('(Did you mean create?)') as string,
    });
  });
});

describe('what was done', () => {
  it('is in the history of the resource, also by id after its deletion, and in the activity of its project', async () => {
    expect(await unikorn('network', 'create', 'passing', '--prefix', '10.8.0.0/24')).toMatchObject({ code: 0 });
    expect(await unikorn('network', 'update', 'passing', '--dns', '9.9.9.9')).toMatchObject({ code: 0 });
    const { stdout } = await unikorn('network', 'get', 'passing', '-o', 'json');
    const { id } = (JSON.parse(stdout) as { readonly metadata: { readonly id: string } }).metadata;
    expect((await unikorn('network', 'history', 'passing')).stdout).toMatch(/update +accepted +dnsNameservers/);
    expect(await unikorn('network', 'delete', 'passing', '--yes')).toMatchObject({ code: 0 });
    expect((await unikorn('network', 'history', id)).stdout).toMatch(/delete +accepted/);
    expect((await unikorn('network', 'history', 'passing')).code).not.toBe(0);
    const activity = (await unikorn('activity', '--limit', '3')).stdout;
    expect(activity).toMatch(/delete +network passing .*\n.*update +network passing .*\n.*create +network passing /);
    const everywhere = await unikorn('activity', '--all-projects', '-o', 'json');
    expect(JSON.parse(everywhere.stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'delete', resource: { kind: 'network', id, name: 'passing' } }),
      ]),
    );
  });
});

describe('what happens', () => {
  it('is printed as it happens with --follow, until Ctrl-C', async () => {
    expect(await unikorn('network', 'create', 'followed', '--prefix', '10.9.0.0/24')).toMatchObject({ code: 0 });
    const stop = new AbortController();
    const follow = (...args: readonly string[]) => {
      const terminal = fakeTerminal({ env: environmentOf(product), signal: stop.signal });
      return { terminal, ended: cliOn(terminal, ...args, '--follow') };
    };
    const history = follow('network', 'history', 'followed');
    const activity = follow('activity', '-o', 'json');
    const has = (text: string) =>
      expect
        .poll(() => [history, activity].map(({ terminal }) => terminal.written().stdout), { timeout: 60_000 })
        .toEqual([expect.stringContaining(text), expect.stringContaining(text)]);
    await has('create');
    expect(await unikorn('network', 'update', 'followed', '--dns', '9.9.9.9')).toMatchObject({ code: 0 });
    await has('dnsNameservers');
    stop.abort(new Interrupted());
    expect([(await history.ended).code, (await activity.ended).code]).toEqual([0, 0]);
    expect(await unikorn('network', 'delete', 'followed', '--yes')).toMatchObject({ code: 0 });
  });
});

describe('a project with a protected instance', () => {
  it('is deleted only with --ignore-protection', async () => {
    expect(await unikorn('project', 'create', 'vault')).toMatchObject({ code: 0 });
    expect(await unikorn('network', 'create', 'inner', '--project', 'vault', '--prefix', '10.7.0.0/24')).toMatchObject({
      code: 0,
    });
    const choice = ['--flavor', 'sim-standard-4', '--image', 'debian-13-amd64'];
    expect(
      await unikorn(
        'instance',
        'create',
        'gold',
        '--project',
        'vault',
        '--network',
        'inner',
        ...choice,
        '--deletion-protection',
        '--no-wait',
      ),
    ).toMatchObject({ code: 0 });
    const refused = await unikorn('project', 'delete', 'vault', '--yes');
    expect(refused).toMatchObject({
      stderr: expect.stringMatching(/instance gold is protected against deletion: .*add --ignore-protection/) as string,
    });
    expect(refused.code).not.toBe(0);
    expect(await unikorn('project', 'delete', 'vault', '--yes', '--ignore-protection')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('project vault deleted') as string,
    });
  });
});

describe('rights', () => {
  it('of a role are shown with it', async () => {
    const { stdout, code } = await unikorn('role', 'get', 'user');
    expect(code).toBe(0);
    expect(stdout).toContain('compute:instances: create, read, update, delete');
    expect((await unikorn('role', 'list', '-o', 'wide')).stdout).not.toContain('compute:instances');
  });

  it('of the caller are shown by scope, with names', async () => {
    const { stdout } = await unikorn('whoami');
    expect(stdout).toMatch(
      /^You are: +the service account demo\nOrganization demo: +change \d+ kinds of resources, read \d+\n/,
    );
    const { organizations } = JSON.parse((await unikorn('whoami', '-o', 'json')).stdout) as {
      organizations: { name: string; endpoints: { name: string }[] }[];
    };
    expect(organizations.map(({ name }) => name)).toEqual(['demo']);
    expect(organizations[0]?.endpoints.map(({ name }) => name)).toContain('compute:instances');
  });

  it('are answered with yes or no, and different exit codes', async () => {
    expect(await unikorn('can-i', 'create', 'instance')).toMatchObject({
      code: 0,
      stdout: 'yes, in the organization\n',
    });
    expect(await unikorn('can-i', 'update', 'identity:quotas')).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('no: your roles do not allow update on identity:quotas here') as string,
    });
    expect(JSON.parse((await unikorn('can-i', 'create', 'instance', '-o', 'json')).stdout)).toEqual({
      allowed: true,
      operation: 'create',
      endpoint: 'compute:instances',
    });
    const refused = await unikorn('can-i', 'update', 'identity:quotas', '-o', 'json');
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stdout)).toMatchObject({ allowed: false });
    expect(await unikorn('can-i', 'read', 'compute:instancez')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('did you mean compute:instances?') as string,
    });
    expect(await unikorn('can-i', 'juggle', 'instance')).toMatchObject({ code: 2 });
    expect(await unikorn('can-i', 'read', 'nonsense')).toMatchObject({ code: 2 });
  });
});

describe('passwords', () => {
  it('are set with a link, which is the only output', async () => {
    const { stdout, stderr, code } = await unikorn('user', 'invite', 'bob@example.com');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/give this link to bob@example\.com: it works once, until /) as string,
    });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/identity\/oauth2\/v2\/invitations\/\S+\n$/);
    expect(await unikorn('user', 'invite', 'nobody@example.com')).toMatchObject({ code: 4 });
  });

  it('cannot be changed by service accounts', async () => {
    expect(
      await cliOn(
        fakeTerminal({ env: environmentOf(product), input: 'what it was before\ncorrect horse battery staple\n' }),
        'passwd',
      ),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('only a user can change their own password') as string,
    });
    expect(await cliOn(fakeTerminal({ env: environmentOf(product), input: 'alone\n' }), 'passwd')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one per line') as string,
    });
  });
});

describe('the platform organization', () => {
  it('is not listed as a tenant, but is found by its name', async () => {
    expect((await asPlatform('organization', 'list', '-o', 'name')).stdout).toBe('demo\n');
    expect(await asPlatform('organization', 'get', 'platform')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('platform') as string,
    });
    // With one tenant, the organization is chosen automatically.
    expect(await asPlatform('group', 'list', '-o', 'name')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('administrators') as string,
    });
  });
});

describe('roles over the platform', () => {
  it('are granted to people and service accounts, listed and revoked', async () => {
    expect((await asPlatform('globalrole', 'list')).stdout).toMatch(
      /^SUBJECT +ROLES +SOURCE\n[^]*admin@example\.com +platform-administrator +configuration\n/,
    );
    expect(await asPlatform('globalrole', 'grant', 'eve@example.com', 'platform-administrator')).toMatchObject({
      code: 0,
    });
    expect(await asPlatform('globalrole', 'grant', 'demo', 'platform-reader', '--organization', 'demo')).toMatchObject({
      code: 0,
    });
    // The demo account may now read the platform's resources.
    expect(await unikorn('globalrole')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('eve@example.com') as string,
    });
    for (const who of ['eve@example.com', 'demo'])
      expect(await asPlatform('globalrole', 'revoke', who, '--yes')).toMatchObject({ code: 0 });
    expect(await unikorn('globalrole')).toMatchObject({ code: 5 });
    expect(await asPlatform('globalrole', 'grant', 'eve@example.com', 'nonsense')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('platform-reader') as string,
    });
  });
});

describe('the executable', () => {
  const inProcess = (...args: readonly string[]) =>
    new Promise<Ran>((resolve) => {
      execFile(
        process.execPath,
        [executable, ...args],
        { env: { ...environmentOf(product), NO_COLOR: '1' } },
        (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
        },
      );
    });

  it('ends with the exit code for scripts', async () => {
    expect(await inProcess('network', 'list', '-o', 'name')).toEqual({ code: 0, stdout: 'frontend\n', stderr: '' });
    expect(await inProcess('network', 'get', 'nowhere')).toMatchObject({ code: 4, stdout: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('reports in one line that its output cannot be written', async () => {
    await using full = await open('/dev/full', 'w');
    const command = spawn(process.execPath, [executable, 'network', 'list'], {
      env: { ...environmentOf(product), NO_COLOR: '1' },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    if (!command.stderr) throw new Error('it has no standard error');
    const [stderr] = await Promise.all([text(command.stderr), once(command, 'exit')]);
    expect({ code: command.exitCode, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: the output could not be written: ENOSPC.*\n$/) as string,
    });
  });
});

describe('a resource', () => {
  it('is created, changed and deleted, and each command waits', async () => {
    const created = await unikorn(
      'network',
      'create',
      'back',
      '--prefix',
      '10.7.0.0/24',
      '--tag',
      'team=a',
      '--description',
      'for databases',
    );
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/back +provisioned +10\.7\.0\.0\/24 +north/) as string,
      stderr: expect.stringContaining('network back created\n') as string,
    });

    const updated = await unikorn(
      'network',
      'update',
      'back',
      '--dns',
      '9.9.9.9',
      '--tag',
      'stage=test',
      '--untag',
      'team',
      '-o',
      'json',
    );
    const object = JSON.parse(updated.stdout) as { metadata: { id: string; provisioningStatus: string } };
    expect(object).toMatchObject({
      metadata: {
        name: 'back',
        description: 'for databases',
        tags: [{ name: 'stage', value: 'test' }],
        provisioningStatus: 'provisioned',
      },
      spec: { dnsNameservers: ['9.9.9.9'] },
    });
    expect(object).toEqual({
      kind: 'network',
      ...fieldsOf(await answered(`/api/v2/networks/${object.metadata.id}`)),
    });

    expect(await unikorn('network', 'delete', 'back', '--yes')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('network back deleted\n') as string,
    });
    expect(await unikorn('network', 'get', 'back')).toMatchObject({ code: 4, stdout: '' });
  });

  it('keeps all concurrent changes', async () => {
    const tags = ['a=1', 'b=2', 'c=3'];
    const ran = await Promise.all(tags.map((tag) => unikorn('network', 'update', 'frontend', '--tag', tag)));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await unikorn('network', 'get', 'frontend')).stdout.match(/[abc]=[123]/g)?.toSorted()).toEqual(tags);
    expect((await unikorn('network', 'list', '--tag', 'a=1', '--tag', 'b=2', '-o', 'name')).stdout).toBe('frontend\n');
    expect((await unikorn('network', 'list', '--tag', 'a=2', '-o', 'name')).stdout).toBe('');
  });

  it('is found by a part of its name, of any kind that has more than a few', async () => {
    const region = ['--region', 'north'];
    const found = async (noun: string, text: string) =>
      (await asPlatform(noun, 'list', '--search', text, '-o', 'name', '--organization', 'demo', ...region)).stdout;
    expect(await found('network', 'FRONT')).toBe('frontend\n');
    expect(await found('image', 'ubuntu-24')).toContain('ubuntu-24.04-amd64\n');
    expect(await found('image', 'ubuntu-24')).not.toContain('debian');
    expect(await found('region', 'NOR')).toBe('north\n');
    for (const { name, isShort } of nouns) {
      if (isShort) expect(await asPlatform(name, 'list', '--search', 'x')).toMatchObject({ code: 2 });
      else expect(await found(name, 'no-such-name'), name).toBe('');
    }
  });

  it('needs its id if several have the name', async () => {
    await unikorn('network', 'create', 'frontend', '--prefix', '10.8.0.0/24', '--project', 'research');
    const meant = await unikorn('network', 'get', 'frontend', '--all-projects');
    expect(meant).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /several networks are called frontend; use the id instead\n {2}ID +PREFIX +PROJECT +CREATED\n {2}[0-9a-f-]{36} +10\.\S+ +(?:website|research) /,
      ) as string,
    });
    const ids = (await unikorn('network', 'list', '-o', 'name', '--all-projects')).stdout.match(/[0-9a-f-]{36}/g) ?? [];
    expect(ids).toHaveLength(2);
    expect(await unikorn('network', 'delete', 'frontend', '--project', 'research', '--yes')).toMatchObject({ code: 0 });
  });

  it('is found by its listed name, also if its name is the id of another', async () => {
    const { stdout } = await unikorn('network', 'get', 'frontend', '-o', 'json');
    const {
      metadata: { id },
    } = JSON.parse(stdout) as { metadata: { id: string } };
    expect(await unikorn('network', 'create', id, '--prefix', '10.9.0.0/24')).toMatchObject({ code: 0 });
    const names = (await unikorn('network', 'list', '-o', 'name')).stdout.trim().split('\n');
    const disguised = names.find((name) => name !== 'frontend') ?? '';
    expect(names).not.toContain(id);
    expect((await unikorn('network', 'get', disguised)).stdout).toContain('10.9.0.0/24');
    expect((await unikorn('network', 'get', disguised, '-o', 'name')).stdout).toBe(`${disguised}\n`);
    expect(await unikorn('network', 'delete', disguised, '--yes')).toMatchObject({ code: 0 });
    expect(await unikorn('network', 'get', id, '-o', 'name')).toMatchObject({ code: 0, stdout: 'frontend\n' });
  });

  it('in another region is suggested', async () => {
    expect(await unikorn('flavor', 'get', 'sim-gpu-8', '--region', 'north')).toMatchObject({
      code: 4,
      stderr: 'error: there is no flavor sim-gpu-8 in this region\nthere is one in south, which is another region\n',
    });
  });

  it('is not changed if another name of the same command is wrong', async () => {
    expect(await unikorn('network', 'delete', 'frontend', 'fronten', '--yes')).toMatchObject({
      code: 4,
      stderr: 'error: there is no network fronten\ndid you mean frontend?\n',
    });
    expect(await unikorn('network', 'get', 'frontend')).toMatchObject({ code: 0 });
  });

  it('is refused with the message of the service and the exit code for scripts', async () => {
    expect(await unikorn('network', 'create', 'wrong', '--prefix', 'everything')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^error: --prefix: must /) as string,
    });
    expect(await unikorn('network', 'create', 'a b', '--prefix', '10.9.0.0/24')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^error: name: must be a name/) as string,
    });
    expect(await unikorn('network', 'update', 'frontend', '--dns', '9.9.9.9', '--dns', 'nine')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: --dns \(number 2\): must /) as string,
    });
    expect(await unikorn('network', 'create', 'wrong')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing option: --prefix <text>') as string,
    });
    expect(await unikorn('network', 'update', 'frontend')).toMatchObject({ code: 2 });
    expect(await unikorn('network', 'list', '--project', 'nowhere')).toMatchObject({ code: 4 });
    expect(
      await unikorn('network', 'list', '--debug', '--region', '00000000-0000-4000-8000-000000000000'),
    ).toMatchObject({ code: 4 });
  });
});

describe('waiting', () => {
  it('ends after the timeout, and the operation continues', async () => {
    const late = await unikorn(
      'loadbalancer',
      'create',
      'slow',
      '--network',
      'frontend',
      '--listener',
      'web:tcp:80=10.0.0.5:80',
      '--timeout',
      '0s',
    );
    expect(late).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringContaining('check it: unikorn loadbalancer watch slow\n') as string,
    });
    expect(await unikorn('loadbalancer', 'delete', 'slow', '--no-wait', '--yes')).toMatchObject({
      code: 0,
      stderr: 'loadbalancer slow is being deleted\n',
    });
  });

  it('that ends too early has printed the created resource for programs', async () => {
    const late = await unikorn(
      'loadbalancer',
      'create',
      'later',
      '--network',
      'frontend',
      '--listener',
      'web:tcp:80=10.0.0.5:80',
      '--timeout',
      '0s',
      '-o',
      'json',
    );
    expect(late.code).toBe(7);
    expect(JSON.parse(late.stdout)).toMatchObject({ metadata: { name: 'later', id: expect.any(String) as string } });
    expect(await unikorn('loadbalancer', 'delete', 'later', '--no-wait', '--yes')).toMatchObject({ code: 0 });
  });

  it('ends with Ctrl-C, and shows how to continue', async () => {
    // It is not ready before the wait begins, however long that takes.
    await hurry(product, { fileStorage_ms: 3_600_000 });
    const interruption = new AbortController();
    const terminal = fakeTerminal({ env: environmentOf(product), signal: interruption.signal });
    const running = cliOn(terminal, 'filestorage', 'create', 'shared', '--size', '1', '--class', 'files-north');
    await until(() => terminal.written().stderr.includes('filestorage shared: '));
    interruption.abort(new Error('Ctrl-C'));
    expect(await running).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('check it: unikorn filestorage watch shared\n') as string,
    });
    await hurry(product, { fileStorage_ms: 5_000 });
  });

  it('shows its progress on a terminal', async () => {
    const { code, stderr } = await cliOn(
      fakeTerminal({ env: environmentOf(product), interactive: true }),
      'filestorage',
      'create',
      'seen',
      '--size',
      '1',
      '--class',
      'files-north',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/[⠋-⠿] filestorage seen provisioning \d+s the file storage is being created/);
  });
});

describe('deleting a resource with data', () => {
  it('is refused without a terminal', async () => {
    expect(await unikorn('filestorage', 'delete', 'seen')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add --yes') as string,
    });
  });

  it('needs the answer yes', async () => {
    const answer = (input: string) =>
      cliOn(
        fakeTerminal({ env: environmentOf(product), interactive: true, input }),
        'filestorage',
        'delete',
        'seen',
        '--no-wait',
      );
    expect(await answer('n\n')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Delete filestorage seen, and with it all data on it? [y/N]') as string,
    });
    expect((await unikorn('filestorage', 'get', 'seen')).stdout).toMatch(/Status: +provisioned/);
    expect(await answer('y\n')).toMatchObject({ code: 0 });
  });
});

describe('watching', () => {
  it('prints each change as a line of JSON, until Ctrl-C', async () => {
    const interruption = new AbortController();
    const terminal = fakeTerminal({ env: environmentOf(product), signal: interruption.signal });
    const watching = cliOn(terminal, 'securitygroup', 'watch', '-o', 'json');
    await until(() => terminal.written().stdout !== '');
    await unikorn('securitygroup', 'create', 'ssh', '--network', 'frontend', '--rule', 'ingress:tcp:22:0.0.0.0/0');
    await unikorn('securitygroup', 'delete', 'ssh', '--yes');
    const changes = () =>
      terminal
        .written()
        .stdout.split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { type: string; object: { metadata: { name: string } } });
    await until(() => changes().some(({ type, object }) => type === 'deleted' && object.metadata.name === 'ssh'));
    interruption.abort(new Interrupted());
    expect(await watching).toMatchObject({ code: 0, stderr: '' });
    expect(changes().map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(
      expect.arrayContaining(['added web', 'added ssh', 'deleted ssh']),
    );
  });
});

describe('users and service accounts', () => {
  it('the token of a service account is printed once, as the only output, and works', async () => {
    const { code, stdout, stderr } = await unikorn('serviceaccount', 'create', 'deploy', '--group', 'administrators');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('this secret is not shown again') as string,
    });
    const as = (token: string) =>
      cliOn(
        fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: token.trim() } }),
        'network',
        'list',
        '--organization',
        product.credentials.organizationId,
        '--project',
        product.credentials.projectId,
      );
    expect(await as(stdout)).toMatchObject({ code: 0, stdout: expect.stringContaining('frontend') as string });
    const rotated = await unikorn('serviceaccount', 'rotate', 'deploy', '--yes');
    expect(await as(stdout)).toMatchObject({ code: 5 });
    expect(await as(rotated.stdout)).toMatchObject({ code: 0 });
    expect((await unikorn('serviceaccount', 'get', 'deploy', '-o', 'json')).stdout).not.toContain('accessToken');
  });

  it('a user is identified by mail address, and members of groups are added and removed', async () => {
    expect(await unikorn('user', 'create', 'dave@example.com', '--group', 'readers')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/dave@example.com +active +readers/) as string,
    });
    expect(
      await unikorn('group', 'create', 'operators', '--role', 'user', '--user', 'alice@example.com'),
    ).toMatchObject({ code: 0 });
    expect(
      (await unikorn('group', 'add', 'operators', '--user', 'dave@example.com', '--role', 'reader')).stdout,
    ).toMatch(/operators +provisioned +user,reader +alice@example.com,dave@example.com /);
    expect((await unikorn('group', 'remove', 'operators', '--user', 'alice@example.com', '--yes')).stdout).toMatch(
      /operators +provisioned +user,reader +dave@example.com /,
    );
    expect((await unikorn('user', 'update', 'dave@example.com', '--state', 'suspended')).stdout).toMatch(
      /suspended +operators,readers|suspended +readers,operators/,
    );
    expect(await unikorn('user', 'create', 'dave@example.com')).toMatchObject({
      code: 3,
      stderr: 'error: user dave@example.com already exists\nchange it: unikorn user update dave@example.com\n',
    });
    expect((await unikorn('user', 'get', 'dave@example.com')).stdout).toContain('operators');
    expect(await unikorn('user', 'delete', 'dave@example.com', '--yes')).toMatchObject({ code: 0 });
  });

  it('a user who removes their own permissions sees that it is done', async () => {
    await unikorn('group', 'create', 'wardens', '--role', 'administrator');
    const { stdout: token } = await unikorn('serviceaccount', 'create', 'warden', '--group', 'wardens');
    const terminal = fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: token.trim() } });
    expect(await cliOn(terminal, 'group', 'remove', 'wardens', '--serviceaccount', 'warden', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/wardens +\S+ .*- +\d+s\n/) as string,
    });
    expect((await unikorn('group', 'get', 'wardens')).stdout).not.toContain('warden\n');
  });

  it('quotas are changed one by one, by permitted callers', async () => {
    expect(await unikorn('quota', 'update', 'servers=20')).toMatchObject({ code: 5, stdout: '' });
    const terminal = fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken } });
    const { code, stdout } = await cliOn(
      terminal,
      'quota',
      'update',
      'servers=20',
      '--organization',
      product.credentials.organizationId,
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/gpus +\d+ +40 [^]*servers +\d+ +20 /) as string,
    });
    expect((await unikorn('quota', 'get', 'servers')).stdout).toMatch(/instance web-1 +website +1\n/);
  });

  it('regions and storage classes are added and removed by platform operators', async () => {
    const terminal = () =>
      fakeTerminal({
        env: {
          UNIKORN_URL: product.url,
          UNIKORN_TOKEN: product.credentials.adminToken,
          UNIKORN_ORGANIZATION: product.credentials.organizationId,
        },
      });
    expect(await unikorn('region', 'create', 'west', '--type', 'simulated')).toMatchObject({ code: 5, stdout: '' });
    expect(
      await cliOn(
        terminal(),
        'region',
        'create',
        'west',
        '--type',
        'simulated',
        '--simulated',
        JSON.stringify({ flavorIDs: [product.credentials.flavorId] }),
      ),
    ).toMatchObject({ code: 0, stdout: expect.stringMatching(/west +provisioned +simulated/) as string });
    expect(await unikorn('flavor', 'list', '--region', 'west', '-o', 'name')).toMatchObject({
      code: 0,
      stdout: 'sim-standard-4\n',
    });
    expect(await cliOn(terminal(), 'region', 'update', 'west', '--tenant', 'demo')).toMatchObject({ code: 0 });
    expect(
      await cliOn(
        terminal(),
        'filestorageclass',
        'create',
        'fast',
        '--region',
        'west',
        '--provisioner',
        'simulated',
        '--protocol',
        'nfsv3',
      ),
    ).toMatchObject({ code: 0, stdout: expect.stringMatching(/fast +provisioned +west +nfsv3/) as string });
    for (const words of [
      ['filestorageclass', 'delete', 'fast', '--yes'],
      ['region', 'delete', 'west', '--yes'],
    ])
      expect(await cliOn(terminal(), ...words)).toMatchObject({ code: 0 });
    expect((await unikorn('region', 'list', '-o', 'name')).stdout).not.toContain('west');
  });

  it('an image is imported from an address, and the command waits for its state', async () => {
    const made = await unikorn(
      'image',
      'create',
      'noble',
      '--from',
      'https://example.com/noble.raw',
      '--os-family',
      'debian',
      '--os-distro',
      'ubuntu',
      '--os-version',
      '24.04',
    );
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/noble +ready +ubuntu 24\.04 +x86_64/) as string,
    });
    const { stdout } = await unikorn('image', 'get', 'noble', '-o', 'json');
    const { id } = (JSON.parse(stdout) as { readonly metadata: { readonly id: string } }).metadata;
    expect((await unikorn('image', 'history', 'noble')).stdout).toMatch(/create +accepted[^]*state +ready/);
    expect(await unikorn('image', 'delete', 'noble', '--yes')).toMatchObject({ code: 0 });
    expect((await unikorn('image', 'history', id)).stdout).toMatch(/delete +accepted[^]*deletion +gone/);
    expect((await unikorn('activity', '--all-projects')).stdout).toMatch(/delete +image noble +accepted/);
  });
});
