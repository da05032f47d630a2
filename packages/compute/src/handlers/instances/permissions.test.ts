import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Method } from '@unikorn/identity/testing';

import { idsOf, seen, startInstances, type Instances } from './instances.fixture.ts';

/** All permissions for instances, and none for images. */
const withoutImages = {
  name: 'without-images',
  scopes: {
    organization: [
      { name: 'compute:instances', operations: ['read'] },
      { name: 'compute:instances/snapshot', operations: ['create'] },
    ],
  },
} as const;

let compute: Instances;
let id: string;
beforeAll(async () => {
  compute = await startInstances({ identityConfiguration: { roles: [withoutImages] } });
  ({ id } = seen(await compute.create('machine')).metadata);
  await compute.until(id, 'provisioned');
});
afterAll(() => compute.stop());

/** In an order in which each of them is possible. */
const verbs: readonly (readonly [Method, string])[] = [
  ['POST', 'reboot'],
  ['POST', 'snapshot'],
  ['POST', 'stop'],
  ['POST', 'start'],
  ['GET', 'consoleoutput'],
  ['GET', 'consolesession'],
  ['GET', 'terminal'],
  ['GET', 'sshkey'],
];

const bodies: Readonly<Record<string, object>> = { snapshot: { metadata: { name: 'copy' } } };

function tried(token: string, method: Method, word: string) {
  const body = bodies[word];
  return compute.call(method, `/api/v2/instances/${id}/${word}`, { token, ...(body ? { body } : {}) });
}

describe('operational verbs need more than read', () => {
  it.each(['auditor', 'without-images'])('%s may read the instance and nothing else', async (role) => {
    const { token } = await compute.found.robot(compute.organizationId, [role]);
    expect((await compute.call('GET', `/api/v2/instances/${id}`, { token })).status).toBe(200);
    for (const [method, word] of verbs) expect([word, (await tried(token, method, word)).status]).toEqual([word, 403]);
  });

  it('an administrator may do all of it', async () => {
    for (const [method, word] of verbs)
      expect([word, (await tried(compute.token, method, word)).status]).toEqual([
        word,
        expect.toBeOneOf([200, 201, 202]),
      ]);
  });

  it('a snapshot needs the right of the user, and not only of compute, to make images', async () => {
    const { token } = await compute.found.robot(compute.organizationId, ['without-images']);
    expect(await tried(token, 'POST', 'snapshot')).toMatchObject({
      status: 403,
      body: { error_description: 'your roles do not allow create on region:images here' },
    });
  });
});

describe('an instance of another organization', () => {
  it('is not found, for every operation', async () => {
    const stranger = await compute.openTenant();
    const asked = [
      await stranger.ask('GET', `/${id}`),
      await stranger.ask('DELETE', `/${id}`),
      await stranger.update(id, 'machine'),
      ...(await Promise.all(verbs.map(([method, word]) => stranger.ask(method, `/${id}/${word}`, bodies[word])))),
    ];
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 404));
    expect(idsOf(await stranger.ask('GET'))).toEqual([]);
  });
});
