import { expect, it, onTestFinished } from 'vitest';

import { localCalls } from '@unikorn/core/calls';
import { everyOne } from '@unikorn/core/testing/carriers';
import { absentId } from '@unikorn/identity/testing';

import { startServers } from '../handlers/servers/servers.fixture.ts';
import { regionClient } from './index.ts';

const on = { principal: {}, impersonate: false };
const kind = 'instances.compute.unikorn-cloud.org';
const user = `${kind}/${absentId}`;

async function stage() {
  const scene = await startServers();
  onTestFinished(() => scene.stop());
  const { store, world, telemetry, region } = scene;
  const as = (commonName: string) =>
    regionClient(localCalls({ service: region.service, commonName, store, world, telemetry, instance: 'test' }));
  return { ...scene, as, client: as('unikorn-compute') };
}

it('lists what a user holds, and what the users of a kind hold, with the runs that hold it', async () => {
  const { client, networkId, organizationId, projectId, securityGroup } = await stage();
  const groupId = await securityGroup();
  const other = `${kind}/${networkId}`;
  await client.hold(on, { what: 'network', id: networkId }, { reference: user, protects: true, claim: 'run-1' });
  await client.hold(on, { what: 'securityGroup', id: groupId }, { reference: other });
  await client.hold(on, { what: 'network', id: networkId }, { reference: `clusters.example.com/${absentId}` });

  const held = {
    used: { what: 'network', id: networkId },
    user,
    protects: true,
    claims: ['run-1'],
    organizationId,
    projectId,
  };
  expect(await everyOne(client.references(on, { user }))).toEqual([held]);
  const all = await everyOne(client.references(on, { userKind: kind }));
  expect(all).toHaveLength(2);
  expect(all).toEqual(
    expect.arrayContaining([
      held,
      {
        used: { what: 'securityGroup', id: groupId },
        user: other,
        protects: false,
        claims: [],
        organizationId,
        projectId,
      },
    ]),
  );
});

it('shows a service the references of the kinds that it may read, and a user nothing', async () => {
  const { as, client, networkId, securityGroup } = await stage();
  await client.hold(on, { what: 'network', id: networkId }, { reference: user });
  await client.hold(on, { what: 'securityGroup', id: await securityGroup() }, { reference: user });
  expect(await everyOne(as('uni-storage').references(on, { user }))).toMatchObject([{ used: { what: 'network' } }]);
  const asUser = { principal: { actor: 'jane@example.com', type: 'user' }, impersonate: true };
  await expect(everyOne(client.references(asUser, { user }))).rejects.toMatchObject({ status: 403 });
});
