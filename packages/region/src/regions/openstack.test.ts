import { afterEach, beforeEach, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';

import { Region, regionKinds } from '../kinds/index.ts';
import { startCloud, type Asked } from '../providers/openstack/client/cloud.fixture.ts';
import { openstackKinds } from '../providers/openstack/index.ts';
import { openstackRegions, Providers, type SecretReference } from './index.ts';

const secretOf = (password: string) => ({
  'domain-id': 'd',
  'project-id': 'p',
  'user-id': 'u',
  password: `${password}\n`,
});

async function stage() {
  let accepted = 'first';
  const cloud = await startCloud({
    login: (asked) =>
      passwordOf(asked) === accepted ? undefined : { status: 401, body: { error: { message: 'no' } } },
    answer: ({ path, token }) => {
      if (token === 'token-1' && accepted !== 'first') return { status: 401, body: {} };
      return path.startsWith('/compute/v2.1/flavors') ? { body: { flavors: [flavor] } } : { status: 404, body: {} };
    },
  });
  const { world } = cloud;
  const store = openMemoryStore({ world, kinds: [...new Set([...regionKinds, ...openstackKinds])] });
  const stored: Record<string, Readonly<Record<string, string>>> = {};
  const secrets = {
    read: ({ namespace, name }: SecretReference) => Promise.resolve(stored[`${namespace}/${name}`]),
  };
  const openstack = openstackRegions({ store, world, telemetry: silentTelemetry(), secrets });
  const providers = new Providers({ store, world }, { openstack });
  const region = (name: string, endpoint = `${cloud.address}/identity`) =>
    store.create(Region, {
      metadata: { name },
      spec: { provider: 'openstack', openstack: { endpoint, serviceAccountSecret: { namespace: 'regions', name } } },
    });
  return {
    world,
    store,
    stored,
    providers,
    connections: cloud.connections,
    region,
    flavors: async (of: Region) => (await providers.cloud(of).flavors()).map(({ id }) => id),
    rotate: (password: string) => (accepted = password),
    stop: async () => {
      await cloud.stop();
      await store.close();
    },
  };
}

const flavor = { id: 'f', name: 'f', vcpus: 1, ram: 1024, disk: 10, 'os-flavor-access:is_public': true };

function passwordOf({ body }: Asked): string {
  return (body as { auth: { identity: { password: { user: { password: string } } } } }).auth.identity.password.user
    .password;
}

let staged: Awaited<ReturnType<typeof stage>>;
beforeEach(async () => {
  staged = await stage();
});
afterEach(() => staged.stop());

it('a region in OpenStack uses the credentials that its secret has now', async () => {
  const { world, stored, region, flavors, rotate } = staged;
  const west = await region('west');
  await expect(flavors(west)).rejects.toMatchObject({
    kind: 'permission',
    message: expect.stringContaining('has no domain-id, project-id, user-id, password') as string,
  });
  stored['regions/west'] = secretOf('first');
  expect(await flavors(west)).toEqual(['f']);

  rotate('second');
  stored['regions/west'] = secretOf('second');
  // Longer than the catalogue and the secret are remembered.
  await world.advance(3600_000);
  expect(await flavors(west)).toEqual(['f']);
});

it('a region that cannot be reached does not affect others', async () => {
  const { stored, region, flavors } = staged;
  stored['regions/west'] = secretOf('first');
  stored['regions/east'] = secretOf('first');
  const [west, east] = [await region('west'), await region('east', 'http://127.0.0.1:1/identity')];
  const down = flavors(east).catch((error: unknown) => error);
  expect(await flavors(west)).toEqual(['f']);
  for (let minute = 0; minute < 5; minute++) await staged.world.advance(60_000);
  expect(await down).toMatchObject({ kind: 'unavailable' });
  expect(await flavors(west)).toEqual(['f']);
});

it('a cloud that does not answer, or refuses the credentials, is an outage of its region', async () => {
  const { stored, providers, region, world } = staged;
  for (const name of ['west', 'east']) stored[`regions/${name}`] = secretOf('first');
  expect(await providers.outage(await region('west'))).toBeUndefined();
  expect(await providers.outage(await region('south'))).toContain('has no domain-id, project-id, user-id, password');
  const east = await region('east', 'http://127.0.0.1:1/identity');
  const down = providers.outage(east);
  await world.advance(6_000);
  expect(await down).toContain('does not answer at the moment');
});

it('nobody waits for more than five seconds to learn that a cloud is slow', async () => {
  const { store, world } = staged;
  const never = () => new Promise<never>(() => undefined);
  const simulated = () => ({ tier: 'inventory', provider: { flavors: never, volumeClasses: never } }) as const;
  const slow = await store.create(Region, { metadata: { name: 'slow' }, spec: { provider: 'simulated' } });
  const asked = new Providers({ store, world }, { simulated }).outage(slow);
  await world.advance(5_000);
  expect(await asked).toBe('the cloud of this region has not answered for 5 seconds');
});

it('a region whose settings change, or that is deleted, closes its former connections', async () => {
  const { store, stored, providers, region, flavors, connections } = staged;
  stored['regions/west'] = secretOf('first');
  const west = await region('west');
  await flavors(west);
  const before = await connections();
  expect(before).toBeGreaterThan(0);
  const changed = await modify(store, Region, 'west', (found) => ({
    ...found,
    spec: { ...found.spec, security: { organizations: [{ id: 'o' }] } },
  }));
  await flavors(changed);
  await expect.poll(connections).toBe(before);
  providers.forget('west');
  await expect.poll(connections).toBe(0);
});

it('a call in progress ends before the connections of its region are closed', async () => {
  const { stored, providers, region, flavors, connections } = staged;
  stored['regions/west'] = secretOf('first');
  const west = await region('west');
  const under = flavors(west);
  providers.forget('west');
  expect(await under).toEqual(['f']);
  await expect.poll(connections).toBe(0);
});

it('the check of a region whose secret has an application credential says what to store instead', async () => {
  const { stored, providers, region } = staged;
  stored['regions/west'] = { 'application-credential-id': 'i', 'application-credential-secret': 'hidden' };
  const checks = await providers.check(await region('west'));
  expect(checks[0]).toMatchObject({
    name: 'log in to the domain',
    state: 'missing',
    message: expect.stringMatching(/^the secret of this region has an application credential.*must store/) as string,
  });
  expect(JSON.stringify(checks)).not.toContain('hidden');
});
