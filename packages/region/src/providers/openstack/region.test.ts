import { expect, it, onTestFinished } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';

import type { CloudChange } from '../../provider/index.ts';
import { startCloud } from './client/cloud.fixture.ts';
import { nova } from './client/index.ts';
import { openstackKinds } from './kinds.ts';
import { OpenstackRegion } from './region.ts';

it('the changes that a piece of work makes in the cloud are noted with their numbers, and those of other work are not', async () => {
  const cloud = await startCloud({
    answer: ({ method, path }, count) => ({
      status: path.includes('refused') ? 403 : 200,
      headers: { 'x-openstack-request-id': `req-${count}` },
      body: method === 'GET' ? { flavors: [] } : {},
    }),
  });
  const store = openMemoryStore({ world: cloud.world, kinds: openstackKinds });
  const region = new OpenstackRegion({
    regionId: 'r',
    store,
    world: cloud.world,
    telemetry: silentTelemetry(),
    settings: { endpoint: `${cloud.address}/identity` },
    secret: () => Promise.resolve({ 'domain-id': 'd', 'project-id': 'p', 'user-id': 'u', password: 'hidden' }),
  });
  onTestFinished(async () => {
    await cloud.stop();
    await region.close();
    await store.close();
  });
  const session = await region.region();
  const noted: CloudChange[] = [];
  const note = (change: CloudChange) => noted.push(change);
  await region.noting(note, async () => {
    await nova.listFlavors(session);
    await nova.switchServer(session, 'one', 'stop');
    await expect(nova.switchServer(session, 'refused', 'stop')).rejects.toThrow();
    await nova.deleteServer(session, 'one');
  });
  await nova.deleteServer(session, 'two');
  expect(noted).toEqual([
    { doing: 'stopping the server', requestId: 'req-2' },
    { doing: 'deleting the server', requestId: 'req-4' },
  ]);
});
