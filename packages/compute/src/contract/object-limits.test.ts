import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ObjectLimits } from '@unikorn/core/limits';

import { seen, startInstances, type Instances } from '../handlers/instances/instances.fixture.ts';

/** Existing objects count too: a group for the role of the caller, the caller, and a project. */
const objectLimits: ObjectLimits = {
  projects: 3,
  groups: 3,
  users: 2,
  serviceAccounts: 3,
  oauth2Providers: 2,
  sshCertificateAuthorities: 2,
  securityGroups: 2,
  images: 2,
};

let running: Instances;
beforeAll(async () => {
  running = await startInstances({ identityConfiguration: { objectLimits }, regionConfiguration: { objectLimits } });
});
afterAll(() => running.stop());

interface Creation {
  readonly path: string;
  readonly body: (name: string) => object;
  readonly words: string;
}

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';
const within = () => `/identity/api/v1/organizations/${running.organizationId}`;
const imageSpec = {
  architecture: 'x86_64',
  virtualization: 'any',
  os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' },
  uri: 'https://images.example.com/disk.raw',
};

const creations: Readonly<Record<keyof ObjectLimits, () => Creation>> = {
  projects: () => ({
    path: `${within()}/projects`,
    body: (name) => ({ metadata: { name }, spec: { groupIDs: [] } }),
    words: 'project',
  }),
  groups: () => ({
    path: `${within()}/groups`,
    body: (name) => ({ metadata: { name }, spec: { userIDs: [], serviceAccountIDs: [], roleIDs: [] } }),
    words: 'group',
  }),
  users: () => ({
    path: `${within()}/users`,
    body: (name) => ({ spec: { subject: `${name}@example.com`, state: 'active', groupIDs: [] } }),
    words: 'organization user',
  }),
  serviceAccounts: () => ({
    path: `${within()}/serviceaccounts`,
    body: (name) => ({ metadata: { name }, spec: { groupIDs: [] } }),
    words: 'service account',
  }),
  oauth2Providers: () => ({
    path: `${within()}/oauth2providers`,
    body: (name) => ({ metadata: { name }, spec: { issuer: 'https://login.example.com', clientID: name } }),
    words: 'oauth2 provider',
  }),
  sshCertificateAuthorities: () => ({
    path: '/region/api/v2/sshcertificateauthorities',
    body: (name) => ({ metadata: { name }, spec: { ...running.scope, publicKey } }),
    words: 'ssh certificate authority',
  }),
  securityGroups: () => ({
    path: '/region/api/v2/securitygroups',
    body: (name) => ({ metadata: { name }, spec: { networkId: running.networkId, rules: [] } }),
    words: 'security group',
  }),
  images: () => ({
    path: `/region/api/v1/organizations/${running.organizationId}/regions/${running.regionId}/images`,
    body: (name) => ({ metadata: { name }, spec: imageSpec }),
    words: 'image',
  }),
};

describe.each(Object.entries(creations))('%s', (kind, creation) => {
  it('are refused at the limit, with a remedy, and are accepted again after one is deleted', async () => {
    const { path, body, words } = creation();
    const create = (name: string) => running.request('POST', path, { token: running.operatorToken, body: body(name) });
    const made: string[] = [];
    let answer = await create('made-0');
    while (answer.status < 300) {
      made.push(seen(answer).metadata.id);
      answer = await create(`made-${made.length}`);
      expect(made.length, kind).toBeLessThan(5);
    }
    expect(made.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: 'forbidden',
        error_description: expect.stringContaining(`for the kind ${words}: delete one`) as string,
      },
    });
    expect(
      (await running.request('DELETE', `${path}/${made[0]}`, { token: running.operatorToken })).status,
    ).toBeLessThan(300);
    await running.eventually(
      async () => (await create('again')).status,
      (status) => status < 300,
    );
  });
});
