import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { folderSecrets } from './secrets.ts';

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'secrets-'));
  await mkdir(join(path, 'vault/unikorn/west'), { recursive: true });
  await writeFile(join(path, 'vault/unikorn/west/kubeconfig'), 'first');
  await writeFile(join(path, 'vault/unikorn/note'), 'not a secret');
  await mkdir(join(path, 'outside/folder'), { recursive: true });
  await writeFile(join(path, 'outside/folder/key'), 'outside');
});
afterEach(() => rm(path, { recursive: true }));

it('a secret has the current files of its folder', async () => {
  const secrets = folderSecrets(join(path, 'vault'));
  expect(await secrets.read({ namespace: 'unikorn', name: 'west' })).toEqual({ kubeconfig: 'first' });
  await writeFile(join(path, 'vault/unikorn/west/kubeconfig'), 'second');
  expect(await secrets.read({ namespace: 'unikorn', name: 'west' })).toEqual({ kubeconfig: 'second' });
});

it('a secret that Kubernetes mounted has the same keys', async () => {
  const mounted = join(path, 'vault/unikorn/east');
  await mkdir(join(mounted, '..2026_01_01'), { recursive: true });
  await writeFile(join(mounted, '..2026_01_01/kubeconfig'), 'mounted');
  await symlink('..2026_01_01', join(mounted, '..data'));
  await symlink('..data/kubeconfig', join(mounted, 'kubeconfig'));
  expect(await folderSecrets(join(path, 'vault')).read({ namespace: 'unikorn', name: 'east' })).toEqual({
    kubeconfig: 'mounted',
  });
});

it.each([
  ['unikorn', 'north'],
  ['unikorn', 'note'],
  ['other', 'west'],
  ['..', 'outside'],
  ['unikorn', '../../outside/folder'],
  ['unikorn/../..', 'outside'],
  ['', 'unikorn'],
  ['.', 'unikorn'],
])('there is no secret %j %j', async (namespace, name) => {
  expect(await folderSecrets(join(path, 'vault')).read({ namespace, name })).toBeUndefined();
});
