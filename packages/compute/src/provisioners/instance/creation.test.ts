import { describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { deterministicId, findCondition, labels } from '@unikorn/core/resource';
import { Server } from '@unikorn/region/kinds';

import { linkTag } from '../../link/index.ts';
import { asService } from '../../on-behalf.ts';
import { standardFlavor, ubuntuImage } from '../../testing/index.ts';
import { away, ObservedCompute } from './observed.fixture.ts';
import { bear, change, messageOf, serversOf, until } from './stage.fixture.ts';

const anyText: unknown = expect.any(String);
const observed = new ObservedCompute();

describe('the creation of an instance', () => {
  it('takes one server, one read, one write and no list on a fast cloud', async () => {
    observed.counts = { writes: 0, looks: 0, lists: 0 };
    const id = await bear(observed.running, { name: 'quick' });
    const instance = await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual(['create quick']);
    expect(observed.counts).toEqual({ writes: 1, looks: 1, lists: 0 });
    expect(instance?.status).toMatchObject({
      serverId: id,
      powerState: 'Running',
      privateIp: anyText,
      macAddress: anyText,
      observedAt: anyText,
    });
    expect(findCondition(instance?.status?.conditions, 'Healthy')).toMatchObject({ status: 'True', reason: 'Healthy' });
  });

  it.each([
    ['which was not in the watch', 'overlooked', new Problem('conflict', 'the network has a server of that name')],
    [
      'which region refuses to create again',
      'retired',
      new Problem('unprocessable_content', 'spec.imageId: the image does not exist'),
    ],
  ])('uses the server that already exists, %s', async (_why, name, refusal) => {
    observed.counts.looks = 0;
    observed.between = (regionClient) => ({
      ...regionClient,
      createServer: async (on, server) => {
        observed.letPass();
        await regionClient.createServer(on, server);
        throw refusal;
      },
    });
    const id = await bear(observed.running, { name });
    await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual([`create ${name}`]);
    expect(observed.counts.looks).toBeGreaterThan(0);
  });

  it('does not begin while another server names the instance', async () => {
    const owner = await observed.provisioned('claimed');
    const { metadata, spec } = (await observed.server(owner)) ?? {};
    if (!metadata || !spec) throw new Error('there is no server');
    const name = deterministicId(observed.running.networkId, 'impostored');
    const stray = observed.running.world.uuid();
    await observed.running.store.create(Server, {
      metadata: { name: stray, labels: { ...metadata.labels, [labels.name]: 'impostor' } },
      spec: { ...spec, tags: [{ name: linkTag, value: name }] },
    });
    await observed.running.world.settle();
    expect(await bear(observed.running, { name: 'impostored' })).toBe(name);
    await until(observed.running, name, 'Errored');
    expect(await messageOf(observed.running, name)).toContain(stray);
    expect(observed.calls).toEqual([]);
    await observed.running.store.delete(Server, stray);
    await until(observed.running, name, 'Provisioned');
  });

  it('shows within two seconds that it waits for a new machine, if region has not reported anything', async () => {
    await observed.turn({ call_ms: 30_000 });
    const id = await bear(observed.running, { name: 'gradual' });
    await observed.running.world.advance(1_900);
    expect((await observed.instance(id))?.status).toBeUndefined();
    await observed.running.world.advance(200);
    expect(await messageOf(observed.running, id)).toBe('its machine will be created');
    await observed.turn({ call_ms: 0 });
    await until(observed.running, id, 'Provisioned');
  });

  it('shows why region refuses the server of a new instance', async () => {
    observed.between = (regionClient) => ({
      ...regionClient,
      createServer: () => Promise.reject(new Problem('unprocessable_content', 'the flavor is sold out')),
    });
    const id = await bear(observed.running, { name: 'unwelcome' });
    await until(observed.running, id, 'Errored');
    expect(await messageOf(observed.running, id)).toBe('the flavor is sold out');
  });

  it('links instance and server explicitly: by one id, by a field of its status, and by the only tag of the server', async () => {
    const id = await observed.provisioned('linked', { tags: [{ name: 'mine', value: '1' }] });
    const server = await observed.server(id);
    expect((await observed.instance(id))?.status?.serverId).toBe(id);
    expect(server?.spec.tags).toEqual([{ name: linkTag, value: id }]);
    expect(server?.metadata.annotations?.['unikorn-cloud.org/description']).toBe(`the machine of instance ${id}`);
  });

  it('waits for its network without polling region, and continues as soon as it is ready', async () => {
    await observed.turn({ service: 'down' });
    const body = {
      metadata: { name: 'slow' },
      spec: {
        organizationId: observed.running.organizationId,
        projectId: observed.running.projectId,
        regionId: observed.running.regionId,
        prefix: '10.0.0.0/16',
        dnsNameservers: [],
      },
    };
    const { body: made } = await observed.running.request('POST', '/region/api/v2/networks', { body });
    const networkId = (made as { metadata: { id: string } }).metadata.id;
    const id = await bear(observed.running, { name: 'patient', networkId });
    await until(observed.running, id, 'DependencyNotReady');
    expect(await messageOf(observed.running, id)).toContain('network slow');
    await observed.running.world.advance(60_000);
    expect(observed.calls).toEqual([]);
    await observed.turn({ service: 'up' });
    await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual(['create patient']);
  });

  it('shows the message of its server while that is being built', async () => {
    await observed.turn({ build_ms: 10_000 });
    const id = await bear(observed.running, { name: 'building' });
    await until(observed.running, id, 'Provisioning');
    await observed.running.eventually(
      () => messageOf(observed.running, id),
      (message) => message === 'the machine is being built',
    );
    expect((await observed.instance(id))?.status).toMatchObject({ powerState: 'Building' });
    await until(observed.running, id, 'Provisioned');
  });

  it('adopts a server whose creation had no response', async () => {
    observed.between = (regionClient) => ({
      ...regionClient,
      createServer: async (on, server) => regionClient.createServer(on, server).then(away),
    });
    const id = await bear(observed.running, { name: 'adopted' });
    await until(observed.running, id, 'Provisioned');
    expect(await serversOf(observed.running, id)).toHaveLength(1);
    expect(observed.calls).toEqual(['create adopted']);
  });

  it('parks with an error if a foreign server has its name, does not change that server, and continues after its deletion', async () => {
    const [id, metadata] = [
      deterministicId(observed.running.networkId, 'taken'),
      (await observed.instance(await observed.provisioned('owner')))?.metadata,
    ];
    if (!metadata) throw new Error('there is no instance');
    const spec = { networkId: observed.running.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
    await observed.running.toRegion.createServer(asService(metadata), { metadata: { name: 'taken' }, spec });
    expect(await bear(observed.running, { name: 'taken' })).toBe(id);
    await until(observed.running, id, 'Errored');
    expect(await messageOf(observed.running, id)).toContain(id);
    expect(observed.calls).toEqual([]);
    await observed.running.store.delete(Server, id);
    await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual(['create taken']);
  });

  it('shows the message of a refusal by region, and retries', async () => {
    const id = await bear(observed.running, { name: 'refused', spec: { imageId: 'no-such-image' } });
    await until(observed.running, id, 'Errored');
    expect(await messageOf(observed.running, id)).toBe('image no-such-image does not exist');
    await change(observed.running, id, { imageId: ubuntuImage });
    await until(observed.running, id, 'Provisioned');
  });
});
