import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  cliOn,
  environmentOf,
  fakeTerminal,
  hurry,
  startProduct,
  type FakeTerminalOptions,
  type Product,
  type Ran,
} from '../testing/product.ts';

const example = fileURLToPath(new URL('../../../../examples/stack', import.meta.url));
const all = [
  'network/shop',
  'sshca/shop-staff',
  'securitygroup/shop-web',
  'filestorage/shop-media',
  'instance/shop-1',
  'instance/shop-2',
  'loadbalancer/shop',
];

let product: Product;
let folder: string;

beforeAll(async () => {
  product = await startProduct();
  await hurry(product, { build_ms: 200, delete_ms: 100, loadBalancer_ms: 100, fileStorage_ms: 100 });
  folder = await mkdtemp(join(tmpdir(), 'unikorn-files-'));
  await cp(example, join(folder, 'stack'), { recursive: true });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function files(args: string, options: FakeTerminalOptions = {}): Promise<Ran> {
  return cliOn(fakeTerminal({ env: environmentOf(product), cwd: folder, ...options }), ...args.split(' '));
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, 'stack', file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

function lines(said: string, resources: readonly string[] = all): string {
  return resources.map((resource) => `${resource} ${said}\n`).join('');
}

describe('a stack', () => {
  test('is shown before it exists, without changes', async () => {
    const shown = await files('diff -f stack');
    expect(shown.code, shown.stderr).toBe(1);
    expect(shown.stdout).toContain('+++ instance/shop-1 (stack/instances.yaml:1)\n');
    expect(await files('apply -f stack --dry-run')).toMatchObject({ code: 0, stdout: shown.stdout });
    expect((await files('network list -o name')).stdout).not.toContain('shop');
  });

  test('is created in the order of dependencies, whatever the order of the files', async () => {
    const made = await files('apply -f stack');
    expect(made).toMatchObject({ code: 0, stdout: lines('created') });
    const balancer = JSON.parse((await files('loadbalancer get shop -o json')).stdout) as {
      spec: { listeners: [{ pool: { members: { address: string }[] } }] };
    };
    const addresses = JSON.parse((await files('instance list -o json')).stdout) as {
      metadata: { name: string };
      status: { privateIP: string };
    }[];
    expect(balancer.spec.listeners[0].pool.members.map(({ address }) => address)).toEqual(
      ['shop-1', 'shop-2'].map((name) => addresses.find(({ metadata }) => metadata.name === name)?.status.privateIP),
    );
  });

  test('is not changed if it matches the files', async () => {
    expect(await files('apply -f stack')).toMatchObject({ code: 0, stdout: lines('unchanged'), stderr: '' });
    expect(await files('diff -f stack')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await files('apply -f stack -o name')).stdout).toBe(all.map((resource) => `${resource}\n`).join(''));
    expect(JSON.parse((await files('apply -f stack -o json')).stdout)).toHaveLength(all.length);
  });

  test('is compared by the names that the files use', async () => {
    await edit('network.yaml', '[9.9.9.9]', '[9.9.9.9, 1.1.1.1]');
    await edit('instances.yaml', 'debian-13-amd64', 'ubuntu-24.04-amd64');
    const { code, stdout } = await files('diff -f stack');
    expect(code).toBe(1);
    expect(stdout).toContain('     - 9.9.9.9\n+    - 1.1.1.1\n');
    expect(stdout).toContain(
      '-  imageId: debian-13-amd64\n+  imageId: ubuntu-24.04-amd64\n   networking:\n     securityGroups:\n       - shop-web\n',
    );
    expect(stdout).toContain('shop-1 would be rebuilt');
    expect(stdout).toContain('lost permanently: the root disk');
  });

  test('is not changed at all without confirmation of a loss', async () => {
    const piped = await files('apply -f stack');
    expect(piped).toMatchObject({ code: 3, stdout: '' });
    expect(piped.stderr).toContain('shop-1 would be rebuilt');
    expect(piped.stderr).toContain('there is no terminal to ask for confirmation');
    expect(await files('apply -f stack --allow restart')).toMatchObject({ code: 3, stdout: '' });
    expect(await files('apply -f stack', { interactive: true, input: 'n\n' })).toMatchObject({ code: 3, stdout: '' });
    expect((await files('diff -f stack')).stdout).toContain('+    - 1.1.1.1\n');
  });

  test('is changed after confirmation, and then matches the files', async () => {
    const { code, stdout, stderr } = await files('apply -f stack', { interactive: true, input: 'y\n' });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(
      all
        .map(
          (resource) =>
            `${resource} ${['network/shop', 'instance/shop-1'].includes(resource) ? 'configured' : 'unchanged'}\n`,
        )
        .join(''),
    );
    expect(stderr.match(/Proceed\?/g)).toHaveLength(1);
    expect(await files('diff -f stack')).toMatchObject({ code: 0, stdout: '' });
  });

  test('is refused as a whole if a field can only be set at creation', async () => {
    await edit('network.yaml', 'prefix: 10.20.0.0/24', 'prefix: 10.21.0.0/24');
    await edit('storage.yaml', 'sizeGiB: 50', 'sizeGiB: 60');
    const { code, stdout, stderr } = await files('apply -f stack');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(
      'stack/network.yaml:8: spec.prefix of network/shop cannot be changed; its value is 10.20.0.0/24.',
    );
    await edit('network.yaml', 'prefix: 10.21.0.0/24', 'prefix: 10.20.0.0/24');
    await edit('storage.yaml', 'sizeGiB: 60', 'sizeGiB: 50');
    expect(await files('diff -f stack')).toMatchObject({ code: 0 });
  });

  test('is deleted in reverse order, and a protected resource keeps its dependencies', async () => {
    await edit('instances.yaml', 'networkId: shop', 'networkId: shop\n  deletionProtection: true');
    expect(await files('apply -f stack')).toMatchObject({ code: 0 });
    expect(await files('delete -f stack')).toMatchObject({ code: 2, stdout: '' });
    expect(await files('delete -f stack', { interactive: true, input: 'n\n' })).toMatchObject({ code: 3, stdout: '' });
    const { code, stdout, stderr } = await files('delete -f stack --yes');
    expect(code).toBe(3);
    expect(stdout.trim().split('\n')).toEqual([
      'loadbalancer/shop deleted',
      'instance/shop-2 deleted',
      'filestorage/shop-media deleted',
    ]);
    expect(stderr).toContain('is protected');
    expect(stderr).toContain('network/shop is kept, because ');
  });

  test('is created again, and deleted when nothing is protected', async () => {
    await edit('instances.yaml', 'deletionProtection: true', 'deletionProtection: false');
    expect(await files('apply -f stack')).toMatchObject({ code: 0 });
    expect(await files('delete -f stack', { interactive: true, input: 'y\n' })).toMatchObject({
      code: 0,
      stdout: lines('deleted', [
        'loadbalancer/shop',
        'instance/shop-1',
        'instance/shop-2',
        'securitygroup/shop-web',
        'filestorage/shop-media',
        'network/shop',
        'sshca/shop-staff',
      ]),
    });
    expect(await files('delete -f stack')).toMatchObject({ code: 0, stdout: lines('absent') });
  });
});

describe('files', () => {
  test('can create a project with its resources, and members by their names', async () => {
    const input = `kind: instance
metadata: { name: inner }
spec: { networkId: inner, flavorId: sim-standard-4, imageId: debian-13-amd64 }
---
kind: network
metadata: { name: inner }
spec: { projectId: inside, regionId: south, prefix: 10.40.0.0/24 }
---
kind: project
metadata: { name: inside }
spec: { groupIDs: [crew] }
---
kind: group
metadata: { name: crew }
spec: { roleIDs: [reader], subjects: [erik@example.com] }
---
kind: user
spec: { subject: erik@example.com, groupIDs: [crew-of-all] }
---
kind: group
metadata: { name: crew-of-all }
`;
    const resources = [
      'group/crew-of-all',
      'user/erik@example.com',
      'group/crew',
      'project/inside',
      'network/inner',
      'instance/inner',
    ];
    expect(await files('apply -f -', { input })).toMatchObject({ code: 0, stdout: lines('created', resources) });
    for (const noun of ['network', 'instance'])
      expect(await files(`${noun} get inner --project inside -o name`)).toMatchObject({ code: 0, stdout: 'inner\n' });
    expect(
      await files('apply -f -', {
        input: input
          .replace('groupIDs: [crew-of-all]', 'groupIDs: [crew-of-all, crew]')
          .replace(', subjects: [erik@example.com]', ''),
      }),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('network/inner unchanged\ninstance/inner unchanged\n') as string,
    });
    expect(await files('delete --yes -f -', { input })).toMatchObject({
      code: 0,
      stdout: lines('deleted', resources.toReversed()),
    });
  });

  test('with mistakes are refused as a whole, with the place of each', async () => {
    const input =
      'kind: network\nmetadata: { name: a }\nspec: { regionId: nrth, prefix: 10.50.0.0/24 }\n---\nkind: network\nmetadata: { name: b }\nspec: { prefx: 10.51.0.0/24 }\n';
    const { code, stdout, stderr } = await files('apply -f -', { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('standard input:3: there is no region nrth; did you mean north?');
    expect(stderr).toContain('standard input:7: spec of a network has no prefx; did you mean prefix?');
    expect(await files('diff -f -', { input })).toMatchObject({ code: 2, stdout: '' });
  });

  test('have all mistakes reported together, without consequential errors', async () => {
    const input = `kind: nework
metadata: { name: typo }
---
kind: network
metadata: { nam: nameless }
spec: { prefx: 10.51.0.0/24 }
---
kind: network
metadata: { name: number }
spec: { regionId: north, prefix: 5 }
---
just words
---
kind: instance
metadata: { name: lost }
spec: { networkId: nowhere, flavorId: sim-standard-4, imageId: debian-13-amd64 }
---
kind: instance
metadata: { name: doubtful }
spec: { networkId: frontend, flavorId: sim-standard-44, imageId: debian-133-amd64 }
---
kind: securitygroup
metadata: { name: beside }
spec: { networkId: typo }
`;
    const { code, stdout, stderr } = await files('apply -f -', { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(/^standard input:/, '')),
    ).toEqual([
      'error: 9 problems were found; nothing was changed',
      expect.stringContaining('1: kind nework does not exist'),
      expect.stringContaining('5: metadata.name must be'),
      '6: spec needs prefix',
      expect.stringContaining('6: spec of a network has no prefx'),
      expect.stringMatching(/^10: spec.prefix must be/),
      expect.stringContaining('12: a resource has kind, metadata and spec'),
      expect.stringContaining('16: there is no network nowhere'),
      expect.stringContaining('20: there is no flavor sim-standard-44'),
      expect.stringContaining('20: there is no image debian-133-amd64'),
    ]);
  });

  test('have their mistakes reported even if the services cannot be reached', async () => {
    const input = 'kind: network\nmetadata: &m { name: cyc, tags: *m }\n';
    const env = {
      UNIKORN_URL: 'http://127.0.0.1:1',
      UNIKORN_TOKEN: 'x',
      UNIKORN_ORGANIZATION: 'o',
      UNIKORN_PROJECT: 'p',
    };
    expect(await files('apply -f -', { input, env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: standard input:2: *m refers to itself\nnothing was changed\n',
    });
  });

  test('that several commands apply concurrently create each resource once, also after its deletion', async () => {
    const input = `kind: network
metadata: { name: once }
spec: { regionId: north, prefix: 10.70.0.0/24 }
---
kind: loadbalancer
metadata: { name: once }
spec: { networkId: once, listeners: [{ name: web, protocol: tcp, port: 80, pool: { members: [{ address: 10.70.0.5, port: 80 }] } }] }
`;
    for (let round = 1; round <= 2; round += 1) {
      const ran = await Promise.all([1, 2, 3].map(() => files('apply -f -', { input })));
      expect(ran.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0]);
      for (const noun of ['network', 'loadbalancer']) {
        expect(ran.filter(({ stdout }) => stdout.includes(`${noun}/once created\n`))).toHaveLength(1);
        expect((await files(`${noun} list -o name`)).stdout.split('\n').filter((name) => name === 'once')).toHaveLength(
          1,
        );
      }
      expect(await files('delete --yes -f -', { input })).toMatchObject({ code: 0 });
    }
  });

  test('are not refused again after the cause of a refusal has ended', async () => {
    const { adminToken, organizationId } = product.credentials;
    const operator = {
      env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: adminToken, UNIKORN_ORGANIZATION: organizationId },
    };
    const { quantity, used } = JSON.parse((await files('quota get servers -o json', operator)).stdout) as {
      readonly quantity: number;
      readonly used: number;
    };
    const input =
      'kind: instance\nmetadata: { name: patient }\nspec: { networkId: frontend, flavorId: sim-standard-4, imageId: debian-13-amd64 }\n';
    expect(await files(`quota update servers=${used}`, operator)).toMatchObject({ code: 0 });
    expect(await files('apply -f -', { input })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('quota') as string,
    });
    expect(await files(`quota update servers=${quantity}`, operator)).toMatchObject({ code: 0 });
    expect(await files('apply -f -', { input })).toMatchObject({ code: 0, stdout: 'instance/patient created\n' });
    expect(await files('delete --yes -f -', { input })).toMatchObject({ code: 0 });
  });

  test('with an ambiguous resource show how to correct it', async () => {
    const create = () => files('network create twin --prefix 10.71.0.0/24 --no-wait -o name');
    await create();
    await create();
    const { code, stderr } = await files('apply -f -', {
      input: 'kind: network\nmetadata: { name: twin }\nspec: { regionId: north, prefix: 10.71.0.0/24 }\n',
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: standard input:1: several networks are called twin, but a file can define only one\n {2}ID[^]*keep one and delete the others: unikorn network delete ID\n/,
    );
    const ids = (await files('network list -o name')).stdout.match(/[0-9a-f-]{36}/g) ?? [];
    expect(ids).toHaveLength(2);
    expect(await files(`network delete ${ids.join(' ')} --yes`)).toMatchObject({ code: 0 });
  });

  test('are not applied at all where the service would refuse one change, but can be compared', async () => {
    const input = (description: string) => `kind: network
metadata: { name: frontend, description: ${description} }
spec: { regionId: north, prefix: 10.0.0.0/24 }
---
kind: network
metadata: { name: fresh }
spec: { regionId: north, prefix: 10.72.0.0/24 }
`;
    const { stdout: token } = await files('serviceaccount create onlooker --group readers');
    const { organizationId, projectId } = product.credentials;
    const onlooker = (command: string) =>
      files(`${command} -f - --organization ${organizationId} --project ${projectId}`, {
        env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: token.trim() },
        input: input('other'),
      });
    expect(await onlooker('diff')).toMatchObject({ code: 1 });
    expect(await onlooker('apply')).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: standard input:1: network/frontend cannot be changed now: your roles do not allow update on region:networks:v2 here\nnothing was changed\n',
    });
  });

  test('do not touch a resource that is being deleted', async () => {
    const input = `kind: instance
metadata: { name: brief }
spec: { networkId: frontend, flavorId: sim-standard-4, imageId: debian-13-amd64 }
`;
    expect(await files('apply -f -', { input })).toMatchObject({ code: 0 });
    await hurry(product, { delete_ms: 600_000 });
    const deleted = await files('instance delete brief --no-wait --yes');
    const refused = await files('apply -f -', { input });
    await hurry(product, { delete_ms: 100 });
    expect(deleted).toMatchObject({ code: 0 });
    expect(refused).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: standard input:1: instance/brief is being deleted; apply again after it is deleted\nnothing was changed\n',
    });
  });

  test('cannot use a resource of another project in a project that does not exist yet', async () => {
    const input = `kind: project
metadata: { name: later }
---
kind: network
metadata: { name: later }
spec: { projectId: later, regionId: north, prefix: 10.55.0.0/24 }
---
kind: instance
metadata: { name: later }
spec: { networkId: later, flavorId: sim-standard-4, imageId: debian-13-amd64, sshCertificateAuthorityId: team }
`;
    expect(await files('diff -f -', { input })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'standard input:10: there is no sshca team: the project does not exist yet',
      ) as string,
    });
  });

  test('that fail in part create the rest, show skipped resources, and continue when they are applied again', async () => {
    const input = (prefix: string) => `kind: network
metadata: { name: wide }
spec: { regionId: north, prefix: ${prefix} }
---
kind: securitygroup
metadata: { name: wide }
spec: { networkId: wide }
---
kind: network
metadata: { name: narrow }
spec: { regionId: north, prefix: 10.61.0.0/24 }
`;
    const first = await files('apply -f -', { input: input('10.60.0.0/31') });
    expect(first).toMatchObject({ code: 3, stdout: 'network/narrow created\n' });
    expect(first.stderr).toContain('network/wide, defined at standard input:1: ');
    expect(first.stderr).toContain('securitygroup/wide was skipped, because it needs network/wide');
    expect(first.stderr).toContain('2 of 3 could not be applied');
    const second = await files('apply -f -', { input: input('10.60.0.0/24') });
    expect(second).toMatchObject({
      code: 0,
      stdout: 'network/wide created\nnetwork/narrow unchanged\nsecuritygroup/wide created\n',
    });
    expect(await files('delete --yes -f -', { input: input('10.60.0.0/24') })).toMatchObject({ code: 0 });
  });

  test('with an instance that cannot become ready show the root cause', async () => {
    const input = `kind: instance
metadata: { name: learner }
spec: { projectId: research, networkId: training, flavorId: sim-gpu-8, imageId: ubuntu-24.04-gpu-amd64 }
`;
    // Names are looked up in the project of the file.
    const { code, stdout, stderr } = await files('apply -f -', { input });
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'instance/learner created\n' });
    expect(stderr).toContain('error: instance/learner, defined at standard input:1: learner could not be provisioned');
    expect(stderr).toContain('see more: unikorn instance explain learner');
    expect(await files('delete --yes -f -', { input })).toMatchObject({
      code: 0,
      stdout: 'instance/learner deleted\n',
    });
  });

  test('can use new resources in an existing instance, and disrupt it only as confirmed before', async () => {
    const input = (authority: string) => `kind: instance
metadata: { name: web-1 }
spec: { networkId: frontend, flavorId: sim-standard-4, imageId: debian-13-amd64, sshCertificateAuthorityId: ${authority} }
---
kind: sshca
metadata: { name: ${authority} }
spec: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG49qvA3x0wp+GDytpDZQxiiLNVwSD6uSNlaLMV5DrlL ${authority} }
`;
    expect((await files('diff -f -', { input: input('first') })).stdout).toContain(
      'the effect on web-1 is not known before everything that it refers to exists\n',
    );
    const refused = await files('apply -f -', { input: input('first') });
    expect(refused).toMatchObject({ code: 3, stdout: 'sshca/first created\n' });
    expect(refused.stderr).toContain('web-1 would be recreated');
    expect(await files('apply -f - --allow recreate', { input: input('second') })).toMatchObject({
      code: 0,
      stdout: 'sshca/second created\ninstance/web-1 configured\n',
    });
  });
});

describe('what get -o yaml prints', () => {
  test.each([
    'instance get web-1',
    'instance list',
    'network get frontend',
    'securitygroup get web',
    'project get website',
  ])('for %s is accepted by diff and apply, and changes nothing', async (command) => {
    const { stdout } = await files(`${command} -o yaml`);
    await writeFile(join(folder, 'got.yaml'), stdout);
    expect(await files('diff -f got.yaml')).toMatchObject({ code: 0, stdout: '' });
    const applied = await files('apply -f got.yaml');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toMatch(/^(?:\S+ unchanged\n)+$/);
  });
});

describe('a set', () => {
  const network = 'kind: network\nmetadata: { name: pruned }\nspec: { regionId: north, prefix: 10.66.0.0/24 }\n';
  const machine =
    'kind: instance\nmetadata: { name: pruned-1 }\nspec: { networkId: pruned, flavorId: sim-standard-4, imageId: debian-13-amd64 }\n';

  test('loses the resources that its files no longer contain, after confirmation, and no others', async () => {
    await writeFile(join(folder, 'set.yaml'), `${network}---\n${machine}`);
    expect(await files('apply -f set.yaml --prune shop')).toMatchObject({
      code: 0,
      stdout: 'network/pruned created\ninstance/pruned-1 created\n',
    });
    await writeFile(join(folder, 'set.yaml'), network);
    expect(await files('apply -f set.yaml --prune shop --dry-run')).toMatchObject({
      code: 0,
      stdout: 'instance/pruned-1 would be deleted\n',
    });
    expect(await files('apply -f set.yaml --prune shop')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('this deletes instance/pruned-1') as string,
    });
    expect(await files('apply -f set.yaml --prune shop', { interactive: true, input: 'n\n' })).toMatchObject({
      code: 3,
    });
    expect((await files('instance list -o name')).stdout).toContain('pruned-1\n');
    expect(await files('apply -f set.yaml --prune other --yes --project research --dry-run')).toMatchObject({
      code: 0,
    });
    expect(await files('apply -f set.yaml --prune shop --yes')).toMatchObject({
      code: 0,
      stdout: 'network/pruned unchanged\ninstance/pruned-1 deleted\n',
    });
    expect((await files('network list -o name')).stdout).toMatch(/^frontend\n[^]*^pruned\n/m);
  });

  test('is shown before it is deleted by its files', async () => {
    expect(await files('delete -f set.yaml --dry-run')).toMatchObject({
      code: 0,
      stdout: 'network/pruned would be deleted\n',
    });
    expect((await files('network list -o name')).stdout).toContain('pruned\n');
    expect(await files('delete -f set.yaml --yes')).toMatchObject({ code: 0, stdout: 'network/pruned deleted\n' });
  });
});

describe('a file that takes access away', () => {
  const group = (name: string, roles: string) =>
    `kind: group\nmetadata: { name: ${name} }\nspec: { roleIDs: [${roles}], subjects: [] }\n`;
  const project = 'kind: project\nmetadata: { name: website }\nspec: { groupIDs: [developers] }\n';
  const fromReaders =
    'removes role reader and user carol@example.com from group readers, and with it the access that depends on it';
  const fromWebsite = 'removes group readers from project website, and with it the access that depends on it';

  test('is refused without a terminal, and the refusal names everything that it takes away', async () => {
    await writeFile(join(folder, 'access.yaml'), `${group('readers', 'user')}---\n${project}`);
    expect(await files('apply -f access.yaml')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: there is no terminal to ask for confirmation\nthis ${fromReaders}\nthis ${fromWebsite}\nadd --yes to confirm; --dry-run shows everything that would be done\n`,
    });
    expect((await files('group get readers')).stdout).toContain('carol@example.com');
  });

  test('asks once, also with --quiet, and changes nothing after a no', async () => {
    for (const quiet of ['', ' --quiet'])
      expect(await files(`apply -f access.yaml${quiet}`, { interactive: true, input: 'n\n' })).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining(
          `this ${fromReaders}\nthis ${fromWebsite}\nProceed? [y/N] error: nothing was changed\n`,
        ) as string,
      });
    expect((await files('project get website')).stdout).toContain('readers');
  });

  test('asks together with the plans of instances', async () => {
    const disruption =
      'kind: instance\nmetadata: { name: web-2 }\nspec: { networkId: frontend, flavorId: sim-standard-4, imageId: ubuntu-24.04-amd64 }\n';
    const input = `${project}---\n${disruption}`;
    await writeFile(join(folder, 'mixed.yaml'), input);
    const piped = await files('apply -f mixed.yaml');
    expect(piped).toMatchObject({ code: 3, stdout: '' });
    expect(piped.stderr).toContain('web-2 would be rebuilt');
    expect(piped.stderr).toContain(`this also ${fromWebsite}: only --yes confirms it\n`);
    const asked = await files('apply -f mixed.yaml --quiet', { interactive: true, input: 'n\n' });
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    expect(asked.stderr).toMatch(/web-2 would be rebuilt[^]*this also removes group readers[^]*\nProceed\? \[y\/N\] /);
    expect(await files('apply -f mixed.yaml --allow rebuild')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`this ${fromWebsite}, and there is no terminal`) as string,
    });
  });

  test('is applied with --yes, and asks nothing if it takes nothing away', async () => {
    expect(await files('apply -f access.yaml --yes')).toMatchObject({
      code: 0,
      stdout: 'group/readers configured\nproject/website configured\n',
    });
    await writeFile(join(folder, 'access.yaml'), group('readers', 'user, reader'));
    expect(await files('apply -f access.yaml')).toMatchObject({ code: 0, stdout: 'group/readers configured\n' });
  });
});
