import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';

import { Identity, Server } from '../../kinds/index.ts';
import { simulatedProvider } from '../../providers/simulated/index.ts';
import { images, mentioning, seen, startServers } from './servers.fixture.ts';

const readerMail = 'reader@example.com';

let region: Awaited<ReturnType<typeof startServers>>;
let id: string;
/** Whether statuses of servers can be written. */
let statuses: 'written' | 'refused' = 'written';
beforeAll(async () => {
  region = await startServers({
    configuration: { monitorPeriod_ms: 10_000 },
    knobs: { power_ms: 3_000 },
    identityConfiguration: { globalBindings: { [readerMail]: ['platform-reader'] } },
    around: (call, happen) =>
      statuses === 'refused' && call.kind === Server && call.verb === 'updateStatus'
        ? Promise.reject(new Problem('conflict', 'somebody is always faster'))
        : happen(),
  });
  await region.found.user(readerMail);
  id = seen(await region.create()).metadata.id;
  await region.until(id, 'provisioned');
});
afterAll(() => region.stop());

const phase = async () => (await region.read(id)).status['powerState'];
const verb = (name: string) => region.servers('POST', `/${id}/${name}`);
const settled = (wanted: string) => region.eventually(phase, (seenPhase) => seenPhase === wanted);

describe('the power of a server', () => {
  it('is switched off and on, and the phase follows', async () => {
    expect((await verb('stop')).status).toBe(202);
    expect(await phase()).toBe('Stopping');
    await settled('Stopped');
    expect((await region.read(id)).metadata.provisioningStatus).toBe('provisioned');
    expect((await verb('start')).status).toBe(202);
    expect(await phase()).toBe('Pending');
    await settled('Running');
  });

  it('is rebooted without a change of phase', async () => {
    expect((await verb('softreboot')).status).toBe(202);
    await region.world.advance(3_000);
    expect((await verb('hardreboot')).status).toBe(202);
    expect(await phase()).toBe('Running');
    await region.world.advance(3_000);
  });

  it('is rebooted hard also during a soft reboot, and shows it until the end', async () => {
    expect((await verb('softreboot')).status).toBe(202);
    const { rebootingSince, rebootedAt } = (await region.read(id)).status;
    expect(rebootingSince).toMatch(/^2026-/);
    await region.world.advance(1_000);
    expect((await verb('softreboot')).status).toBe(400);
    expect((await verb('hardreboot')).status).toBe(202);
    const hard = (await region.read(id)).status['rebootingSince'];
    expect(hard).not.toBe(rebootingSince);
    await region.world.advance(2_500);
    // The soft reboot would have ended by now.
    expect((await region.read(id)).status).toMatchObject({ rebootingSince: hard });
    expect((await region.read(id)).status['rebootedAt']).toBe(rebootedAt);
    const over = await region.eventually(
      () => region.read(id),
      ({ status }) => status['rebootingSince'] === undefined,
    );
    expect(over.status).toMatchObject({ powerState: 'Running', rebootedAt: hard });
  });

  it('cannot be switched to its current state, or while it changes', async () => {
    expect(await verb('start')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await verb('stop')).status).toBe(202);
    expect((await verb('stop')).status).toBe(400);
    await settled('Stopped');
    await verb('start');
    await settled('Running');
  });

  it('is switched even if the status cannot be written', async () => {
    statuses = 'refused';
    const answer = await verb('stop');
    statuses = 'written';
    expect(answer.status).toBe(202);
    await settled('Stopped');
    await verb('start');
    await settled('Running');
  });
});

describe('a server returns', () => {
  it('its console, with the requested length', async () => {
    await region.world.advance(60_000);
    const whole = await region.servers('GET', `/${id}/consoleoutput`);
    const last = await region.servers('GET', `/${id}/consoleoutput?length=1`);
    expect(whole).toMatchObject({ status: 200, body: { contents: mentioning('Linux version') } });
    expect(JSON.stringify(last.body)).not.toContain('\\n');
    expect((await region.servers('GET', `/${id}/consoleoutput?length=0`)).status).toBe(400);
  });

  it('a separate console session for every caller, which is not cached', async () => {
    const [one, other] = [
      await region.servers('GET', `/${id}/consolesessions`),
      await region.servers('GET', `/${id}/consolesessions`),
    ];
    expect(one).toMatchObject({
      status: 200,
      body: { url: mentioning('https://') },
      headers: { 'cache-control': 'no-store' },
    });
    expect(one.body).not.toEqual(other.body);
  });

  it('the key of its network, unless it is opened in another way', async () => {
    expect(await region.servers('GET', `/${id}/sshkey`)).toMatchObject({
      status: 200,
      body: { privateKey: mentioning('PRIVATE KEY') },
      headers: { 'cache-control': 'no-store' },
    });
    const closed = seen(await region.create({ sshInjection: 'none' }, { name: 'closed' })).metadata.id;
    expect((await region.servers('GET', `/${closed}/sshkey`)).status).toBe(404);
    const trusting = seen(
      await region.create({ sshCertificateAuthorityId: await region.authority() }, { name: 'trusting' }),
    ).metadata.id;
    expect((await region.servers('GET', `/${trusting}/sshkey`)).status).toBe(404);
  });
});

describe('a snapshot of a server', () => {
  it('is an image of the organization, with the description of its source, which does not change', async () => {
    const cloud = simulatedProvider({ store: region.store, world: region.world, regionId: region.regionId });
    const before = await cloud.images.list({ availableTo: [] });
    const answer = await region.servers('POST', `/${id}/snapshot`, {
      metadata: { name: 'copy', description: 'before the upgrade', tags: [{ name: 'a', value: 'b' }] },
      spec: {},
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        metadata: {
          name: 'copy',
          description: 'before the upgrade',
          tags: [
            { name: 'a', value: 'b' },
            { name: 'images.unikorn-cloud.org:organization-id', value: region.organizationId },
            { name: 'images.unikorn-cloud.org:source', value: 'snapshot' },
          ],
        },
        spec: { architecture: 'x86_64', softwareVersions: { kubernetes: 'v1.31.0' } },
      },
    });
    expect(seen(answer).metadata.id).not.toBe(images.ubuntu);
    expect(await cloud.images.list({ availableTo: [] })).toEqual(before);
  });

  it('is refused while the server is busy', async () => {
    await verb('softreboot');
    expect((await region.servers('POST', `/${id}/snapshot`, { metadata: { name: 'copy' }, spec: {} })).status).toBe(
      400,
    );
    await region.world.advance(3_000);
  });
});

describe('verbs', () => {
  it.each(['start', 'stop', 'softreboot', 'hardreboot', 'sshkey', 'consoleoutput', 'consolesessions', 'snapshot'])(
    '%s needs more than the right to read, and comes to 404 where there is no server',
    async (name) => {
      const method = ['sshkey', 'consoleoutput', 'consolesessions'].includes(name) ? 'GET' : 'POST';
      const body = name === 'snapshot' ? { body: { metadata: { name: 'copy' }, spec: {} } } : {};
      expect((await region.call('GET', `/api/v2/servers/${id}`, { token: `user:${readerMail}` })).status).toBe(200);
      expect(
        (await region.call(method, `/api/v2/servers/${id}/${name}`, { token: `user:${readerMail}`, ...body })).status,
      ).toBe(403);
      expect(
        (
          await region.call(method, `/api/v2/servers/f0000000-0000-4000-8000-00000000dead/${name}`, {
            token: region.token,
            ...body,
          })
        ).status,
      ).toBe(404);
    },
  );

  it('are 404 if the provider does not have the server, and 503 if the provider is unavailable', async () => {
    const { metadata } = seen(await region.create({}, { name: 'vanished' }));
    await region.until(metadata.id, 'provisioned');
    const identityId = (await region.store.list(Identity)).items[0]?.metadata.name ?? '';
    await region.operator(region.regionId).drift(identityId, metadata.id, 'deleted');
    expect((await region.servers('POST', `/${metadata.id}/stop`)).status).toBe(404);
    await region.operator(region.regionId).turn({ service: 'down' });
    expect(await region.servers('POST', `/${id}/stop`)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
    });
    await region.operator(region.regionId).turn({ service: 'up' });
  });

  it('work again once the monitor has found the server lost and it is created again', async () => {
    const { metadata } = seen(await region.create({}, { name: 'lost' }));
    const before = await region.until(metadata.id, 'provisioned');
    const identityId = (await region.store.list(Identity)).items[0]?.metadata.name ?? '';
    await region.operator(region.regionId).drift(identityId, metadata.id, 'deleted');
    await region.until(metadata.id, 'provisioning');
    await region.world.advance(5_000);
    expect((await region.servers('GET', `/${metadata.id}/consoleoutput`)).status).toBe(404);
    const after = await region.until(metadata.id, 'provisioned');
    expect(after.status['privateIP']).toBe(before.status['privateIP']);
    expect((await region.servers('GET', `/${metadata.id}/consoleoutput`)).status).toBe(200);
  });
});
