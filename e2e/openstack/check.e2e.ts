import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Check } from '../../packages/region/src/provider/index.ts';
import { checkCloud, openstackKinds, OpenstackRegion } from '../../packages/region/src/providers/openstack/index.ts';
import type { OpenstackSettings } from '../../packages/region/src/providers/openstack/settings.ts';
import { access, asAdministrator, makeProject } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { regionSecret } from './provider.fixture.ts';

const world = systemWorld;
const regionId = world.uuid();
const store = openMemoryStore({ world, kinds: openstackKinds });
let cloud: Caller;
let secret: Readonly<Record<string, string>>;

beforeAll(async () => {
  cloud = await asAdministrator();
  secret = await regionSecret();
});
afterAll(() => store.close());

async function check(settings: Partial<OpenstackSettings> = {}, others: Readonly<Record<string, string>> = {}) {
  const region = new OpenstackRegion({
    regionId,
    store,
    world,
    telemetry: silentTelemetry(),
    settings: { endpoint: access.authUrl, regionName: access.region, ...settings },
    secret: () => Promise.resolve({ ...secret, ...others }),
  });
  try {
    return await checkCloud(region);
  } finally {
    await region.close();
  }
}

function stateOf(checks: readonly Check[], name: string): string | undefined {
  return checks.find((one) => one.name === name)?.state;
}

/** Everything in the cloud that a check of this region made. A suite beside this one checks a region of its own. */
async function left(): Promise<readonly Json[]> {
  const names = ['unikorn-check', `unikorn-check-${regionId}`];
  const named = (list: readonly Json[]) => list.filter(({ name }: Json) => names.includes(String(name)));
  return [
    ...named((await cloud('identity', 'GET', `/projects?domain_id=${secret['domain-id']}`)).projects),
    ...named((await cloud('identity', 'GET', `/users?domain_id=${secret['domain-id']}`)).users),
    ...named((await cloud('network', 'GET', '/v2.0/networks')).networks),
    ...named((await cloud('image', 'GET', '/v2/images?visibility=all')).images),
    ...named((await cloud('compute', 'GET', '/os-server-groups?all_projects=1')).server_groups),
    ...named((await cloud('compute', 'GET', '/servers?all_tenants=1')).servers),
  ];
}

it('finds nothing missing in a cloud that is set up for a region, and leaves nothing in it', async () => {
  const checks = await check({
    network: {
      externalNetworks: { selector: { tags: [access.externalNetworkTag] } },
      providerNetworks: { physicalNetwork: access.physicalNetwork },
    },
  });
  expect(checks.filter(({ state }) => state === 'missing' || state === 'unknown')).toEqual([]);
  expect(checks.length).toBeGreaterThan(20);
  expect(await left()).toEqual([]);
});

it('names what is missing, and how to grant it', async () => {
  const checks = await check({
    network: {
      externalNetworks: { selector: { tags: ['no-such-tag'] } },
      providerNetworks: { physicalNetwork: 'no-such-network' },
    },
    compute: { flavors: { selector: { ids: ['no-such-flavor'] } }, serverGroupPolicy: 'no-such-policy' },
    identity: { clusterRoles: ['no-such-role'] },
  });
  expect(checks.filter(({ state }) => state === 'missing').map(({ name }) => name)).toEqual([
    'offer flavors',
    'find an external network',
    'create networks on VLANs of no-such-network',
    'find the roles of tenants',
  ]);
  for (const { remedy } of checks.filter(({ state }) => state === 'missing')) expect(remedy).toBeTypeOf('string');
  expect(await left()).toEqual([]);
});

it('a project in which the user is no manager is shown with the roles that it has there', async () => {
  const { projectId, removeAll } = await makeProject();
  try {
    const roleOf = async (name: string): Promise<string> =>
      (await cloud('identity', 'GET', `/roles?name=${name}`)).roles[0].id;
    const at = `/projects/${projectId}/users/${secret['user-id']}/roles`;
    await cloud('identity', 'PUT', `${at}/${await roleOf('member')}`);
    await cloud('identity', 'DELETE', `${at}/${await roleOf('manager')}`);
    const checks = await check({}, { 'project-id': projectId });
    expect(stateOf(checks, 'log in to the project of the region')).toBe('ok');
    expect(checks.find(({ name }) => name === 'have the role manager in the project of the region')).toMatchObject({
      state: 'missing',
      message: expect.stringContaining('member') as string,
      remedy: expect.stringContaining('openstack role add') as string,
    });
    expect(await left()).toEqual([]);
  } finally {
    await removeAll();
  }
});

it('a wrong password is said once, and the cloud is not asked for the rest', async () => {
  const checks = await check({}, { password: 'wrong' });
  expect(checks.map(({ name, state }) => [name, state])).toEqual([
    ['log in to the domain', 'missing'],
    ['log in to the project of the region', 'missing'],
    ['services, networks and images', 'unknown'],
    ['projects and users of tenants', 'unknown'],
  ]);
  expect(JSON.stringify(checks)).not.toContain('wrong');
});
