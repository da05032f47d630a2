import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { AuditRecord } from '@unikorn/core/http';
import { modify } from '@unikorn/core/store';
import type { Around } from '@unikorn/core/testing';
import type { RegionClient } from '@unikorn/region/client';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import { asService } from '../../on-behalf.ts';
import { standardFlavor, ubuntuImage } from '../../testing/index.ts';
import { mentioning, nowhere, seen, startInstances, type Instances } from './instances.fixture.ts';
import { snapshotTags } from './snapshot.ts';

/** The requests to servers. */
const sent: string[] = [];
const audited: AuditRecord[] = [];

function observed(regionClient: RegionClient): RegionClient {
  return {
    ...regionClient,
    power: (on, id, verb) => (sent.push(verb), regionClient.power(on, id, verb)),
    snapshot: (on, id, body, key) => (
      sent.push(`snapshot ${JSON.stringify(body.metadata.tags)}`),
      regionClient.snapshot(on, id, body, key)
    ),
    consoleOutput: (on, id, length) => (sent.push(`output ${length}`), regionClient.consoleOutput(on, id, length)),
  };
}

const nothing: Around = (_call, happen) => happen();

/** Intercepts the calls of the services to their store. */
let between = nothing;
let compute: Instances;
let id: string;
beforeAll(async () => {
  compute = await startInstances({
    regionClient: observed,
    around: (call, happen) => between(call, happen),
    onAudit: (record) => audited.push(record),
  });
  ({ id } = seen(await compute.create('machine')).metadata);
  await compute.until(id, 'provisioned');
});
beforeEach(() => {
  sent.length = 0;
  audited.length = 0;
});
afterAll(() => compute.stop());

const verb = (name: string, instance = id) => compute.ask('POST', `/${instance}/${name}`);
const powerOf = async () => (await compute.read(id)).status['powerState'];

describe('a verb of an instance', () => {
  it('stops, starts and reboots it, and reboots hard only on request', async () => {
    expect((await verb('stop')).status).toBe(202);
    await compute.eventually(powerOf, (power) => power === 'Stopped');
    expect((await verb('start')).status).toBe(202);
    await compute.eventually(powerOf, (power) => power === 'Running');
    for (const word of ['reboot', 'reboot?hard=false', 'reboot?hard=true'])
      expect(await verb(word)).toMatchObject({ status: 202, body: undefined });
    expect(sent).toEqual(['stop', 'start', 'softreboot', 'softreboot', 'hardreboot']);
  });

  it('reboots hard during a soft reboot, and shows when the reboot was requested and completed', async () => {
    await compute.world.advance(1_000);
    await compute.operator(compute.regionId).turn({ power_ms: 30_000 });
    const before = (await compute.read(id)).status['rebootedAt'];
    expect((await verb('reboot')).status).toBe(202);
    const soft = await compute.eventually(
      () => compute.read(id),
      ({ status }) => status['rebootingSince'] !== undefined,
    );
    expect((await verb('reboot?hard=true')).status).toBe(202);
    await compute.operator(compute.regionId).turn({ power_ms: 0 });
    const over = await compute.eventually(
      () => compute.read(id),
      ({ status }) => status['rebootingSince'] === undefined,
    );
    expect(over.status['rebootedAt']).not.toBe(before);
    expect(Date.parse(over.status['rebootedAt'] ?? '')).toBeGreaterThanOrEqual(
      Date.parse(soft.status['rebootingSince'] ?? ''),
    );
    expect(over.status['powerState']).toBe('Running');
  });

  it('reads console output of the requested length, a console session, and the key', async () => {
    expect(await compute.ask('GET', `/${id}/consoleoutput`)).toMatchObject({
      status: 200,
      body: { contents: expect.any(String) as unknown },
    });
    expect((await compute.ask('GET', `/${id}/consoleoutput?length=1`)).status).toBe(200);
    expect(sent).toEqual(['output undefined', 'output 1']);
    expect(await compute.ask('GET', `/${id}/consolesession`)).toMatchObject({
      status: 200,
      body: { url: mentioning('http') },
      headers: { 'cache-control': 'no-store' },
    });
    expect(await compute.ask('GET', `/${id}/sshkey`)).toMatchObject({
      status: 200,
      body: { privateKey: mentioning('PRIVATE KEY') },
      headers: { 'cache-control': 'no-store' },
    });
  });

  it('that region refuses has the same status: 400, 404 and 409 do not become 500', async () => {
    const ca = seen(await compute.create('with-ca', { sshCertificateAuthorityId: await compute.authority() })).metadata
      .id;
    await compute.until(ca, 'provisioned');
    expect(await compute.ask('GET', `/${ca}/sshkey`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    await verb('stop', ca);
    await compute.eventually(
      async () => (await compute.read(ca)).status['powerState'],
      (power) => power === 'Stopped',
    );
    const again = await verb('stop', ca);
    expect([400, 409]).toContain(again.status);
    expect(await compute.ask('GET', `/${id}/consoleoutput?length=0`)).toMatchObject({ status: 400 });
    expect(await verb('start', nowhere)).toMatchObject({ status: 404 });
  });
});

describe('a snapshot', () => {
  it.each([
    ['POST', 'start'],
    ['POST', 'stop'],
    ['POST', 'reboot'],
    ['GET', 'consoleoutput'],
    ['GET', 'consolesession'],
    ['GET', 'sshkey'],
    ['POST', 'snapshot'],
  ] as const)('%s %s is answered 503 with Retry-After while the cloud is down', async (method, word) => {
    const { operator, regionId } = compute;
    await operator(regionId).turn({ service: 'down' });
    const answer = await compute.ask(
      method,
      `/${id}/${word}`,
      word === 'snapshot' ? { metadata: { name: 'copy' } } : undefined,
    );
    await operator(regionId).turn({ service: 'up' });
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      body: { error: 'server_error', error_description: mentioning('out of service') },
    });
  });

  it('keeps the caller’s tags, drops reserved tags, and has the id of the instance as a tag', async () => {
    const tags = [
      { name: 'a', value: '1' },
      { name: 'compute.unikorn-cloud.org:x', value: '2' },
    ];
    const answer = await compute.ask('POST', `/${id}/snapshot`, { metadata: { name: 'copy', tags } });
    const kept = [
      { name: 'a', value: '1' },
      { name: 'compute.unikorn-cloud.org:instance-id', value: id },
    ];
    expect(sent).toEqual([`snapshot ${JSON.stringify(kept)}`]);
    expect(answer).toMatchObject({
      status: 201,
      body: { metadata: { name: 'copy' }, spec: { architecture: 'x86_64' } },
    });
    expect(seen(answer).metadata.tags).toEqual(expect.arrayContaining(kept));
  });

  it('is in the history of the image, with the caller who asked compute for it', async () => {
    const { server, organizationId, regionId, token } = compute;
    const image = seen(await compute.ask('POST', `/${id}/snapshot`, { metadata: { name: 'copy' } })).metadata.id;
    const history = async (path: string) => {
      const answer = await server.inject({ url: `${path}/history`, headers: { authorization: `Bearer ${token}` } });
      return answer.json<readonly { readonly action: string; readonly actor?: string }[]>();
    };
    const ofInstance = await history(`/compute/api/v2/instances/${id}`);
    const actor = ofInstance.findLast(({ action }) => action === 'snapshot')?.actor;
    expect(actor).toMatch(/./);
    expect(
      await history(`/region/api/v1/organizations/${organizationId}/regions/${regionId}/images/${image}`),
    ).toMatchObject([{ action: 'create', outcome: 'accepted', message: 'snapshot of machine', actor }]);
  });

  it('copies no tag of a reserved family, in any spelling', () => {
    const forged = [
      'compute.unikorn-cloud.org:instance-id',
      'compute.unikorn-cloud.org/instance-id',
      'images.unikorn-cloud.org:source',
    ].map((name) => ({ name, value: 'forged' }));
    expect(snapshotTags(forged, 'i')).toEqual([{ name: 'compute.unikorn-cloud.org:instance-id', value: 'i' }]);
    expect(snapshotTags(undefined, 'i')).toHaveLength(1);
  });
});

describe('with no server or two servers that name the instance, no request is sent', () => {
  const everything = ['start', 'stop', 'reboot'] as const;

  it('none: 409 that says what to wait for', async () => {
    const bare = await compute.store.create(ComputeInstance, {
      metadata: { name: compute.world.uuid(), labels: { ...(await labelsOf(id)), 'unikorn-cloud.org/name': 'bare' } },
      spec: { flavorId: standardFlavor, imageId: ubuntuImage, pause: true },
    });
    for (const word of everything)
      expect(await verb(word, bare.metadata.name)).toMatchObject({
        status: 409,
        body: { error: 'conflict', error_description: mentioning('has no machine') },
      });
    expect(await compute.ask('GET', `/${bare.metadata.name}/sshkey`)).toMatchObject({ status: 409 });
    expect(sent).toEqual([]);
  });

  it('two: 500, counted', async () => {
    const instance = await compute.store.get(ComputeInstance, id);
    if (!instance) throw new Error('the instance is not there');
    const second = {
      metadata: { name: 'twin', tags: [{ name: linkTag, value: id }] },
      spec: { flavorId: standardFlavor, imageId: ubuntuImage, networkId: compute.networkId },
    };
    const twin = await compute.toRegion.createServer(asService(instance.metadata), second);
    for (const word of everything)
      expect(await verb(word)).toMatchObject({
        status: 500,
        body: { error: 'server_error', error_description: mentioning('more than one machine') },
      });
    expect(sent).toEqual([]);
    expect(await compute.telemetry.registry.metrics()).toMatch(/unikorn_compute_ambiguous_link_total [1-9]/);
    await compute.toRegion.deleteServer(asService(instance.metadata), twin.metadata.id);
    await compute.eventually(
      () => compute.store.get(Server, twin.metadata.id),
      (server) => server === undefined,
    );
    await compute.until(id, 'provisioned');
  });
});

describe('with an instance that is being deleted', () => {
  it('every verb is 400 although its machine still exists, and no request is sent', async () => {
    const { id: going } = seen(await compute.create('leaving')).metadata;
    await compute.until(going, 'provisioned');
    await compute.operator(compute.regionId).turn({ delete_ms: 60_000 });
    await compute.ask('DELETE', `/${going}`);
    const told = await Promise.all(['start', 'stop', 'reboot'].map((word) => verb(word, going)));
    const read = await Promise.all(
      ['consoleoutput', 'consolesession', 'sshkey'].map((word) => compute.ask('GET', `/${going}/${word}`)),
    );
    const copied = await compute.ask('POST', `/${going}/snapshot`, { metadata: { name: 'copy' } });
    for (const answer of [...told, ...read, copied])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', error_description: `instance ${going} is being deleted` },
      });
    expect(sent).toEqual([]);
    await compute.operator(compute.regionId).turn({ delete_ms: 0 });
    await compute.gone(going);
  });
});

async function labelsOf(instanceId: string): Promise<Readonly<Record<string, string>>> {
  return (await compute.store.get(ComputeInstance, instanceId))?.metadata.labels ?? {};
}

describe('every request that may change something leaves an audit record', () => {
  it('also those without a body, and those that are refused', async () => {
    const made = seen(await compute.create('audited')).metadata.id;
    await compute.until(made, 'provisioned');
    await compute.update(made, 'audited', {}, { description: 'changed' });
    for (const word of ['stop', 'start', 'reboot']) await verb(word, made);
    await compute.ask('POST', `/${made}/snapshot`, { metadata: { name: 'audited' } });
    await compute.update(made, 'renamed');
    await compute.ask('DELETE', `/${made}`);
    const told = audited
      .filter(({ component }) => component.name === 'compute')
      .map(({ operation, result, actor }) => [operation.id, result.status, actor.subject !== '']);
    expect(told).toEqual([
      ['createInstance', 201, true],
      ['updateInstance', 202, true],
      ['stopInstance', 202, true],
      ['startInstance', 202, true],
      ['rebootInstance', 202, true],
      ['snapshotInstance', 201, true],
      ['updateInstance', 422, true],
      ['deleteInstance', 202, true],
    ]);
    const records = audited.filter(({ component }) => component.name === 'compute');
    expect(records.map(({ resource, scope }) => resource.id === made || scope['instanceID'] === made)).not.toContain(
      false,
    );
  });
});

describe('a protected instance', () => {
  it('is not deleted: 409 with how to end the protection; after that it is deleted', async () => {
    const guarded = seen(await compute.create('guarded', { deletionProtection: true })).metadata.id;
    expect(await compute.ask('DELETE', `/${guarded}`)).toMatchObject({
      status: 409,
      body: { error_description: mentioning('set spec.deletionProtection to false') },
    });
    expect((await compute.read(guarded)).metadata).not.toHaveProperty('deletionTime');
    await compute.update(guarded, 'guarded', { deletionProtection: false });
    expect((await compute.ask('DELETE', `/${guarded}`)).status).toBe(202);
    await compute.gone(guarded);
  });

  it('that becomes protected during a deletion request is not deleted by it', async () => {
    const late = seen(await compute.create('late')).metadata.id;
    await compute.until(late, 'provisioned');
    between = async (call, happen) => {
      if (call.verb === 'delete' && call.kind.id === ComputeInstance.id)
        await modify(compute.store, ComputeInstance, late, ({ metadata, spec }) => ({
          metadata,
          spec: { ...spec, deletionProtection: true },
        }));
      return happen();
    };
    expect((await compute.ask('DELETE', `/${late}`)).status).toBe(409);
    between = nothing;
    expect((await compute.read(late)).metadata).not.toHaveProperty('deletionTime');
  });
});

describe('a deletion', () => {
  it('is 202 and empty, 202 again while it continues, and 404 after the instance is deleted', async () => {
    const going = seen(await compute.create('going')).metadata.id;
    await compute.until(going, 'provisioned');
    await modify(compute.store, ComputeInstance, going, ({ metadata, spec }) => ({
      metadata: { ...metadata, finalizers: [...(metadata.finalizers ?? []), 'test/held'] },
      spec,
    }));
    expect(await compute.ask('DELETE', `/${going}`)).toMatchObject({ status: 202, body: undefined });
    expect(await compute.ask('DELETE', `/${going}`)).toMatchObject({ status: 202, body: undefined });
    await modify(compute.store, ComputeInstance, going, ({ metadata, spec }) => ({
      metadata: { ...metadata, finalizers: (metadata.finalizers ?? []).filter((held) => held !== 'test/held') },
      spec,
    }));
    await compute.gone(going);
    expect((await compute.ask('DELETE', `/${going}`)).status).toBe(404);
  });
});
