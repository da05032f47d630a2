import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { HistoryEntry } from '@unikorn/core/history';
import { annotations } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';
import { isWrite } from '@unikorn/core/testing';

import { reasonOf, seen, startInstances, type Instances } from '../handlers/instances/instances.fixture.ts';
import { ComputeInstance, GoneInstance, historyLabels, InstanceHistory } from '../kinds/index.ts';
import { debianImage, gpuFlavor } from '../testing/index.ts';

/** A short form of the entries. */
function told(entries: readonly HistoryEntry[], type: HistoryEntry['type']): readonly string[] {
  return entries.filter((entry) => entry.type === type).map(({ action, outcome }) => `${action} ${outcome}`);
}

describe('the history of an instance', () => {
  let compute: Instances;
  let writes = 0;

  beforeAll(async () => {
    compute = await startInstances({
      around: (call, happen) => {
        if (isWrite(call) && (call.kind === InstanceHistory || call.kind === GoneInstance)) writes++;
        return happen();
      },
    });
  });
  afterAll(() => compute.stop());

  const historyOf = async (id: string, query = '', token = compute.token) => {
    const { status, body } = await compute.call('GET', `/api/v2/instances/${id}/history${query}`, { token });
    return { status, entries: body as readonly HistoryEntry[] };
  };
  const made = async (name: string, spec?: object) => {
    const {
      metadata: { id },
    } = seen(await compute.create(name, spec));
    await compute.until(id, 'provisioned');
    return id;
  };
  const stored = async (id: string) =>
    (await compute.store.list(InstanceHistory, { selector: matching({ [historyLabels.subject]: id }) })).items.flatMap(
      ({ spec }) => spec.entries,
    );

  it('records every change, also create and verbs without a body, with user and time', async () => {
    const id = await made('audited');
    await compute.update(id, 'audited', { imageId: debianImage });
    await compute.until(id, 'provisioned');
    await compute.ask('POST', `/${id}/stop`);
    await compute.world.advance(60_000);
    await compute.ask('POST', `/${id}/start`);
    await compute.world.advance(60_000);
    await compute.ask('POST', `/${id}/reboot?hard=true`);
    await compute.world.advance(60_000);
    await compute.ask('POST', `/${id}/snapshot`, { metadata: { name: 'copy' } });
    await compute.ask('GET', `/${id}/sshkey`);
    await compute.ask('GET', `/${id}/consolesession`);
    await compute.ask('DELETE', `/${id}`);
    const { entries } = await historyOf(id);
    expect(told(entries, 'intent')).toEqual([
      'create accepted',
      'update accepted',
      'stop accepted',
      'start accepted',
      'hard reboot accepted',
      'snapshot accepted',
      'sshkey accepted',
      'consolesession accepted',
      'delete accepted',
    ]);
    const intents = entries.filter(({ type }) => type === 'intent');
    const [{ actor } = { actor: '' }] = intents;
    expect(actor).not.toBe('');
    for (const intent of intents)
      expect(intent).toMatchObject({
        actor,
        time: expect.stringMatching(/^2026-/) as unknown,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
        uid: expect.any(String) as unknown,
      });
    expect(told(entries, 'transition')).toEqual(expect.arrayContaining(['rebuild begun', 'rebuild done']));
    expect(intents[1]?.changes).toEqual([{ field: 'spec.imageId', action: 'rebuild' }]);
    await compute.gone(id);
  });

  it('contains a request before its response is sent; a creation is stored in the instance itself', async () => {
    const {
      metadata: { id },
    } = seen(await compute.create('durable'));
    expect(
      (await compute.store.get(ComputeInstance, id))?.metadata.annotations?.[annotations.principalCreator],
    ).toMatch(/./);
    await compute.ask('DELETE', `/${id}`);
    expect(told(await stored(id), 'intent')).toEqual(['create accepted', 'delete accepted']);
    await compute.gone(id);
  });

  it('shows the transitions of the instance, the calls to region, and the saga steps', async () => {
    const id = await made('followed', { flavorId: gpuFlavor });
    await compute.ask('POST', `/${id}/stop`);
    await compute.eventually(
      () => compute.read(id),
      ({ status }) => status['powerState'] === 'Stopped',
    );
    const { entries } = await historyOf(id);
    expect(told(entries, 'saga')).toEqual(['charge done', 'hold done', 'put done']);
    expect(told(entries, 'call')).toEqual(['createServer done', 'stop done']);
    expect(told(entries, 'transition')).toEqual(
      expect.arrayContaining(['provisioning Provisioned', 'power Running', 'health Healthy', 'power Stopped']),
    );
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('shows refusals, and the undo of a saga', async () => {
    const id = await made('refused');
    await compute.limit({ publicips: 0 });
    expect((await compute.update(id, 'refused', { networking: { publicIP: true } })).status).toBe(403);
    await compute.limit({ publicips: 5 });
    expect((await compute.update(id, 'renamed')).status).toBe(422);
    const { entries } = await historyOf(id);
    expect(told(entries, 'intent')).toEqual(['create accepted', 'update refused', 'update refused']);
    expect(told(entries, 'saga')).toContain('charge failed');
    expect(new Set(entries.map(({ actor }) => actor).filter((actor) => actor !== undefined)).size).toBe(1);
    expect(entries.at(-1)?.message).toContain('metadata.name');
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('shows refusals of region, with the user and the reason', async () => {
    const id = await made('stopped');
    await compute.ask('POST', `/${id}/stop`);
    await compute.eventually(
      () => compute.read(id),
      ({ status }) => status['powerState'] === 'Stopped',
    );
    const { status, body } = await compute.ask('POST', `/${id}/stop`);
    expect(status).toBe(400);
    const { entries } = await historyOf(id);
    const [{ actor } = { actor: '' }] = entries;
    const calls = entries.filter(({ type }) => type === 'call');
    expect(told(calls, 'call')).toEqual(['createServer done', 'stop done', 'stop failed']);
    expect(calls.at(-1)).toMatchObject({ actor, message: reasonOf({ body }) });
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('shows refused requests of colleagues, and none of callers of other organizations', async () => {
    const id = await made('coveted');
    const stranger = await compute.openTenant();
    const tried = [
      await stranger.ask('DELETE', `/${id}`),
      await stranger.update(id, 'coveted'),
      await stranger.ask('POST', `/${id}/stop`),
      await stranger.ask('GET', `/${id}/sshkey`),
    ];
    expect(tried.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const { token } = await compute.found.robot(compute.organizationId, ['auditor']);
    expect((await compute.call('POST', `/api/v2/instances/${id}/stop`, { token })).status).toBe(403);
    await compute.world.advance(5_000);
    expect(told(await stored(id), 'intent')).toEqual(['create accepted', 'stop refused']);
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('is kept after the instance is deleted, and distinguishes instances with the same id', async () => {
    const id = await made('again');
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
    expect(told((await historyOf(id)).entries, 'transition')).toEqual(
      expect.arrayContaining(['deletion begun', 'deletion gone']),
    );
    expect(await made('again')).toBe(id);
    const { entries } = await historyOf(id);
    const creations = entries.filter(({ type, action }) => type === 'intent' && action === 'create');
    expect(new Set(creations.map(({ uid }) => uid)).size).toBe(2);
    expect(entries.map(({ time }) => time)).toEqual(entries.map(({ time }) => time).sort());
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('can be read, also after the deletion, only by callers who could read the instance', async () => {
    const id = await made('private');
    const colleague = await compute.found.robot(compute.organizationId, ['reader']);
    const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
    const readers = async () => [
      (await historyOf(id)).status,
      (await historyOf(id, '', colleague.token)).status,
      (await historyOf(id, '', stranger.token)).status,
    ];
    expect(await readers()).toEqual([200, 403, 404]);
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
    expect(await readers()).toEqual([200, 403, 404]);
    expect((await historyOf('f0000000-0000-4000-8000-00000000dead')).status).toBe(404);
  });

  it('is not written for a request of a caller who may not read it', async () => {
    const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
    const colleague = await compute.found.robot(compute.organizationId, ['reader']);
    const {
      metadata: { id },
    } = seen(await compute.create('unwritten'));
    writes = 0;
    expect([
      (await historyOf(id, '', stranger.token)).status,
      (await historyOf(id, '', colleague.token)).status,
      writes,
    ]).toEqual([404, 403, 0]);
    expect([(await historyOf(id)).status, writes]).toEqual([200, 1]);
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('ends with the latest entry, and has at most the requested number of entries', async () => {
    const id = await made('limited');
    const { entries } = await historyOf(id);
    expect((await historyOf(id, '?limit=2')).entries).toEqual(entries.slice(-2));
    expect((await historyOf(id, '?limit=0')).status).toBe(400);
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
  });

  it('costs one write for a creation, and at most two for a change and three for a deletion, at low load', async () => {
    const count = async (step: () => Promise<unknown>) => {
      await compute.world.advance(5_000);
      writes = 0;
      await step();
      await compute.world.advance(5_000);
      return writes;
    };
    let id = '';
    expect(await count(async () => (id = await made('cheap')))).toBe(1);
    expect(await count(() => compute.update(id, 'cheap', {}, { description: 'other' }))).toBeLessThanOrEqual(2);
    expect(
      await count(async () => {
        await compute.ask('DELETE', `/${id}`);
        await compute.gone(id);
      }),
    ).toBeLessThanOrEqual(3);
  });
});
