import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { programOf } from './index.ts';
import { cliOn, fakeTerminal, startProduct, type FakeTerminalOptions, type Product } from './testing/product.ts';

/** Why these verbs do not ask. A verb that is not here has a row below that proves that it asks. */
const harmless: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['list', 'get', 'show', 'watch', 'explain', 'history', 'plan', 'check', 'activity', 'diff', 'status', 'doctor']
      .concat(['logs', 'console', 'ssh', 'ssh-key', 'whoami', 'can-i', 'completion'])
      .map((verb) => [verb, 'it reads']),
  ),
  ...Object.fromEntries(
    ['create', 'add', 'snapshot', 'login', 'use', 'set', 'rename'].map((verb) => [verb, 'it adds']),
  ),
  start: 'it loses nothing',
  stop: 'disks and addresses stay',
  reboot: 'disks and addresses stay',
  invite: 'it replaces a link that was not used by a link for the same user',
  verify: 'it only proves who owns a domain',
  passwd: 'it demands the current password',
  update: 'a setting can be set again; those that lose data or access are below',
};

interface Row {
  readonly args: readonly string[];
  /** What the question and the refusal name. */
  readonly names: string;
  readonly as?: 'platform' | 'context';
}

/** Each command that destroys something, as it is typed, and what it destroys. */
const rows: Readonly<Record<string, Row>> = {
  'instance delete': { args: ['web-2'], names: 'instance web-2, and with it its disk, its data and its addresses' },
  'instance update': { args: ['web-2', '--image', 'ubuntu-24.04-amd64'], names: 'web-2 would be rebuilt: its disk' },
  'instance resize': { args: ['web-2', 'sim-standard-8'], names: 'web-2 would be recreated: its machine' },
  'network delete': {
    args: ['spare'],
    names: 'network spare, and with it everything in it: securitygroup spare-group',
  },
  'securitygroup delete': { args: ['spare-group'], names: 'securitygroup spare-group' },
  'loadbalancer delete': { args: ['spare-balancer'], names: 'loadbalancer spare-balancer, and with it its addresses' },
  'filestorage delete': { args: ['spare-storage'], names: 'filestorage spare-storage, and with it all data on it' },
  'filestorageclass delete': { args: ['spare-class'], names: 'filestorageclass spare-class', as: 'platform' },
  'sshca delete': { args: ['spare-ca'], names: 'sshca spare-ca' },
  'image delete': { args: ['spare-image', '--region', 'north'], names: 'image spare-image' },
  'region delete': { args: ['spare-region'], names: 'region spare-region', as: 'platform' },
  'region simulation': {
    args: ['spare-region', '--down'],
    names: 'the cloud of region spare-region, and with it every change of the resources in it',
    as: 'platform',
  },
  'region drift': {
    args: ['north', 'web-2', '--as', 'deleted'],
    names: 'the machine of instance web-2 in region north, and with it its disk and its data',
    as: 'platform',
  },
  'organization delete': {
    args: ['spare-organization'],
    names: 'organization spare-organization, and with it everything in it',
    as: 'platform',
  },
  'project delete': { args: ['spare-project'], names: 'project spare-project, and with it everything in it' },
  'group delete': { args: ['readers'], names: 'group readers, and with it the roles that its members have through it' },
  'group remove': {
    args: ['readers', '--user', 'carol@example.com', '--user', 'bob@example.com', '--role', 'reader'],
    names: 'role reader and user carol@example.com from group readers, and with it the access that depends on it',
  },
  'group update': {
    args: ['readers', '--role', 'user'],
    names: 'role reader from group readers, and with it the access that depends on it',
  },
  'user update': { args: ['carol@example.com', '--group', 'developers'], names: 'group readers from user carol' },
  'serviceaccount update': {
    args: ['spare-account', '--group', 'developers'],
    names: 'group readers from serviceaccount spare-account',
  },
  'project update': {
    args: ['website', '--group', 'developers'],
    names: 'group readers from project website, and with it the access that depends on it',
  },
  'user delete': { args: ['carol@example.com'], names: 'user carol@example.com, and with it their roles' },
  'serviceaccount delete': {
    args: ['spare-account'],
    names: 'serviceaccount spare-account, and with it the access of the programs that use it',
  },
  'serviceaccount rotate': {
    args: ['spare-account'],
    names: 'the token of serviceaccount spare-account, and with it the access of the programs that use the current one',
  },
  'loginprovider delete': {
    args: ['spare-provider'],
    names: 'loginprovider spare-provider, and with it the login of every user who logs in with it',
  },
  'oauth2client delete': { args: ['spare-client'], names: 'oauth2client spare-client', as: 'platform' },
  'oauth2client rotate-secret': {
    args: ['spare-client'],
    names: 'the secret of oauth2client spare-client, and with it the login of its users',
    as: 'platform',
  },
  'globalrole grant': {
    args: ['Eve@example.com', 'platform-reader'],
    names: 'platform-administrator of Eve@example.com',
    as: 'platform',
  },
  'globalrole revoke': {
    args: ['eve@example.com'],
    names: 'platform-administrator of eve@example.com',
    as: 'platform',
  },
  'context delete': { args: ['spare'], names: 'context spare, and with it the token for', as: 'context' },
  logout: { args: ['spare'], names: 'context spare, and with it the token for', as: 'context' },
  apply: {
    args: ['--prune', 'spare', '-f', 'kept.yaml', '--region', 'north'],
    names: 'network/spare-set, which the set spare contained before',
  },
  delete: {
    args: ['-f', 'spare.yaml'],
    names: 'network/spare, and with it all their data: securitygroup spare-group',
  },
};

function leaves(command: Command): readonly Command[] {
  const inner = command.commands.filter((other) => other.name() !== 'help' && !other.name().startsWith('__'));
  return inner.length === 0 ? [command] : inner.flatMap(leaves);
}

const program = await programOf(fakeTerminal());
const commands = leaves(program).map((command) => ({
  command,
  path: command.parent === program ? command.name() : `${command.parent?.name() ?? ''} ${command.name()}`,
}));
const destructive = commands.filter(
  ({ path, command }) =>
    path in rows || !(command.name() in harmless) || command.options.some(({ long }) => long === '--yes'),
);

let product: Product;
let folder: string;

const environments = {
  tenant: () => ({ UNIKORN_STATE: product.state, UNIKORN_PROJECT: 'website' }),
  platform: () => ({ UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken }),
  context: () => ({}),
};

function run(as: keyof typeof environments, args: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal({ env: environments[as](), cwd: folder, configDirectory: folder, ...options });
  return cliOn(terminal, ...args);
}

async function done(as: keyof typeof environments, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(as, args);
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
}

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f spare@example.com\n';

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(join(tmpdir(), 'unikorn-destruction-'));
  await writeFile(join(folder, 'ca.pub'), publicKey);
  const manifest = (name: string, prefix: string) =>
    `kind: network\nmetadata: {name: ${name}}\nspec: {prefix: ${prefix}}\n`;
  await writeFile(join(folder, 'spare.yaml'), manifest('spare', '10.200.0.0/24'));
  await writeFile(join(folder, 'kept.yaml'), manifest('spare', '10.200.0.0/24'));
  await writeFile(join(folder, 'set.yaml'), manifest('spare-set', '10.201.0.0/24'));
  const north = ['--region', 'north'];
  await done('tenant', 'network', 'create', 'spare', '--prefix', '10.200.0.0/24', ...north);
  await done('tenant', 'securitygroup', 'create', 'spare-group', '--network', 'spare');
  await done(
    'tenant',
    'loadbalancer',
    'create',
    'spare-balancer',
    '--network',
    'frontend',
    '--listener',
    'http:tcp:80=web-1:80',
    '--no-wait',
  );
  await done(
    'tenant',
    'filestorage',
    'create',
    'spare-storage',
    '--size',
    '1GiB',
    '--class',
    'files-north',
    '--no-wait',
  );
  await done('tenant', 'sshca', 'create', 'spare-ca', '--public-key', join(folder, 'ca.pub'));
  await done(
    'tenant',
    'image',
    'create',
    'spare-image',
    ...north,
    '--from',
    'https://example.com/spare.raw',
    '--os-family',
    'debian',
    '--os-distro',
    'debian',
    '--os-version',
    '13',
    '--no-wait',
  );
  await done('tenant', 'project', 'create', 'spare-project');
  await done('tenant', 'serviceaccount', 'create', 'spare-account', '--group', 'readers');
  await done(
    'tenant',
    'loginprovider',
    'create',
    'spare-provider',
    '--issuer',
    'https://login.example.com',
    '--client-id',
    'unikorn',
  );
  await done('tenant', 'apply', '--prune', 'spare', '-f', join(folder, 'set.yaml'), ...north);
  await done('platform', 'region', 'create', 'spare-region', '--type', 'simulated');
  await done(
    'platform',
    'filestorageclass',
    'create',
    'spare-class',
    ...north,
    '--provisioner',
    'simulated',
    '--protocol',
    'nfsv3',
  );
  await done('platform', 'organization', 'create', 'spare-organization');
  await done('platform', 'oauth2client', 'create', 'spare-client', '--redirect-uri', 'https://example.com/callback');
  await done('platform', 'globalrole', 'grant', 'eve@example.com', 'platform-administrator');
  expect(
    await run('context', ['login', product.url, '--token', '-', '--context', 'spare'], {
      input: `${product.credentials.token}\n`,
    }),
  ).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('every command that destroys something', () => {
  it.each(destructive)('$path can be confirmed with --yes, and is proven below', ({ command, path }) => {
    expect(command.options.map(({ long }) => long)).toContain('--yes');
    expect(Object.keys(rows)).toContain(path);
  });

  it('exists: no row is left of a command that is gone', () => {
    expect(Object.keys(rows).filter((path) => !commands.some((each) => each.path === path))).toEqual([]);
    const verbs = new Set(commands.map(({ command }) => command.name()));
    expect(Object.keys(harmless).filter((verb) => !verbs.has(verb))).toEqual([]);
  });

  for (const [path, { args, names, as = 'tenant' }] of Object.entries(rows))
    it(`${path} asks, and refuses without a terminal`, async () => {
      const typed = [...path.split(' '), ...args.map((arg) => (arg.endsWith('.yaml') ? join(folder, arg) : arg))];
      const piped = await run(as, typed);
      expect(piped).toMatchObject({ code: expect.toBeOneOf([2, 3]) as number, stdout: '' });
      expect(piped.stderr).toContain('there is no terminal to ask for confirmation');
      expect(piped.stderr).toContain('--yes');
      expect(piped.stderr).toContain(names);
      const asked = await run(as, typed, { interactive: true, input: 'n\n', columns: 400 });
      expect(asked).toMatchObject({ code: 3, stdout: '' });
      expect(asked.stderr).toContain(names);
      expect(asked.stderr).toMatch(/\? \[y\/N\] [^]*nothing was \w+\n$/);
    });

  it('destroys nothing that was not confirmed', async () => {
    const names = async (as: keyof typeof environments, noun: string) =>
      (await run(as, [noun, 'list', '-o', 'name'])).stdout;
    expect(await names('tenant', 'network')).toContain('spare-set\n');
    expect(await names('context', 'context')).toContain('spare\n');
    expect((await run('platform', ['globalrole', 'list'])).stdout).toMatch(/eve@example\.com +platform-administrator/);
    expect((await run('tenant', ['group', 'get', 'readers'])).stdout).toContain('carol@example.com');
  });
});

it('a change that takes nothing away is not asked about', async () => {
  await done('tenant', 'group', 'update', 'readers', '--description', 'who may look');
  await done('tenant', 'project', 'update', 'website', '--group', 'developers', '--group', 'readers');
  await done('platform', 'globalrole', 'grant', 'eve@example.com', 'platform-administrator', 'platform-reader');
  await done('tenant', 'group', 'remove', 'readers', '--user', 'bob@example.com');
});

it('platform-wide roles that changed since the question are not replaced', async () => {
  const who = 'mallory@example.com';
  await done('platform', 'globalrole', 'grant', who, 'platform-administrator');
  const answers = async function* () {
    await vi.waitFor(() => {
      expect(terminal.written().stderr).toContain('[y/N]');
    });
    await done('platform', 'globalrole', 'grant', who, 'platform-administrator', 'platform-reader');
    yield 'y\n';
  };
  const terminal = fakeTerminal({
    env: environments.platform(),
    cwd: folder,
    configDirectory: folder,
    interactive: true,
    input: answers(),
  });
  const { code, stderr } = await cliOn(terminal, 'globalrole', 'revoke', who);
  expect(code).not.toBe(0);
  expect(stderr).toContain('If-Match');
  expect((await run('platform', ['globalrole', 'list'])).stdout).toContain(who);
});
