import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { addReference, ReferenceRecord } from '@unikorn/core/references';
import { annotations, labels, referenceOf } from '@unikorn/core/resource';
import { Saga } from '@unikorn/core/saga';
import { Allocation } from '@unikorn/identity/kinds';
import { Network, Server } from '@unikorn/region/kinds';

import { ComputeInstance, GoneInstance, historyLabels } from '../kinds/index.ts';
import { priceAnnotation } from '../sagas/index.ts';
import { period_ms, startMonitor, stuckAfter_ms, type RunningMonitor } from './monitor.fixture.ts';

let monitor: RunningMonitor;
afterEach(() => monitor.stop());

const absentId = 'f0000000-0000-4000-8000-000000000001';
const found = 'the monitor found a problem';

describe('the monitor', () => {
  it('finds nothing for instances without problems', async () => {
    monitor = await startMonitor();
    for (let number = 0; number < 3; number++) await monitor.openPair(`web-${number}`);
    await monitor.passes(3);
    expect(await monitor.standing()).toEqual({});
    expect(monitor.said(found)).toEqual([]);
  });

  it('finds orphan servers, whose instances do not exist', async () => {
    monitor = await startMonitor();
    await monitor.openServer(absentId, { link: absentId });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'orphan-server': 1 });
    expect(monitor.said(found)).toMatchObject([
      {
        checker: 'orphan-server',
        id: absentId,
        finding: `it is the server of instance ${absentId}, which does not exist`,
      },
    ]);
    expect(await monitor.store.get(Server, absentId)).toBeDefined();
  });

  it('deletes an orphan server if the history proves that its instance was deleted before', async () => {
    monitor = await startMonitor();
    const older = `${absentId.slice(0, -1)}0`;
    for (const [subject, deletedAt] of [
      [absentId, '2025-12-31T23:59:59Z'],
      [older, '2025-12-31T23:59:59Z'],
      [older, '2026-01-01T00:00:00Z'],
    ] as const)
      await monitor.store.create(GoneInstance, {
        metadata: { name: `${subject}.${Date.parse(deletedAt)}`, labels: { [historyLabels.subject]: subject } },
        spec: { uid: subject, createdAt: deletedAt, deletedAt, flavorId: 'f', imageId: 'i', entries: [] },
      });
    await monitor.openServer(absentId, { link: absentId });
    await monitor.openServer(older, { link: older });
    const id = await monitor.openPair('web');
    await monitor.passes(1);
    expect((await monitor.store.get(Server, absentId))?.metadata.deletionTimestamp).toBeUndefined();
    await monitor.passes(1);
    expect((await monitor.store.get(Server, absentId))?.metadata.deletionTimestamp).toBeDefined();
    expect((await monitor.store.get(Server, id))?.metadata.deletionTimestamp).toBeUndefined();
    expect(monitor.said('the server of a deleted instance was deleted')).toMatchObject([
      { serverId: absentId, instanceId: absentId },
    ]);
    await monitor.passes(1);
    expect((await monitor.store.get(Server, older))?.metadata.deletionTimestamp).toBeUndefined();
    expect(await monitor.standing()).toEqual({ 'orphan-server': 1 });
  });

  it('finds instances in error, and says why', async () => {
    monitor = await startMonitor();
    const since = '2026-01-01T00:00:00Z';
    const id = await monitor.openPair('broken', {
      status: {
        conditions: [
          { type: 'Available', status: 'False', reason: 'Errored', message: 'no capacity', lastTransitionTime: since },
        ],
      },
    });
    await monitor.passes(2);
    expect(await monitor.standing()).toMatchObject({ 'instance-in-error': 1 });
    expect(monitor.said(found)).toContainEqual(
      expect.objectContaining({
        checker: 'instance-in-error',
        id,
        finding: `it is in error since ${since}: no capacity`,
      }),
    );
  });

  it('counts instances by region and state, while it runs in this process', async () => {
    monitor = await startMonitor();
    await monitor.openPair('one');
    await monitor.openPair('two');
    const waiting = await monitor.openInstance('waiting', { status: { conditions: [] } });
    await monitor.passes(1);
    const counts = async () =>
      Object.entries(await monitor.counted('unikorn_compute_instances')).map(([by, count]) => [
        by.split(' ')[1],
        count,
      ]);
    expect(await counts()).toEqual([
      ['running', 2],
      ['pending', 1],
    ]);
    await monitor.store.delete(ComputeInstance, waiting);
    await monitor.passes(1);
    expect(await counts()).toEqual([
      ['running', 2],
      ['deprovisioning', 1],
    ]);
  });

  it('finds provisioned instances without a server', async () => {
    monitor = await startMonitor();
    const id = await monitor.openInstance('web');
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'instance-without-server': 1 });
    expect(monitor.said(found)).toMatchObject([{ checker: 'instance-without-server', id }]);
  });

  it('finds a missing reverse mapping: a server with the id of an instance that does not name it', async () => {
    monitor = await startMonitor();
    const [silent, foreign] = [await monitor.openInstance('silent'), await monitor.openInstance('foreign')];
    await monitor.openServer(silent);
    await monitor.openServer(foreign, { link: silent });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'missing-link': 2, 'duplicate-link': 1 });
    expect(monitor.said(found)).toContainEqual(
      expect.objectContaining({ id: silent, finding: 'its server names no instance' }),
    );
    expect(monitor.said(found)).toContainEqual(
      expect.objectContaining({ id: foreign, finding: `its server names instance ${silent}` }),
    );
  });

  it('finds a duplicate reverse mapping: several servers that name one instance', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    await monitor.openServer(absentId, { link: id });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'duplicate-link': 1 });
    expect(monitor.said(found)).toMatchObject([
      { checker: 'duplicate-link', id, finding: `server ${absentId} also names this instance` },
    ]);
  });

  it('finds records without labels, which the deletion of their network would not find', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web', { without: [labels.network] });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'incomplete-record': 1 });
    expect(monitor.said(found)).toMatchObject([
      { checker: 'incomplete-record', id, finding: `these labels are missing: ${labels.network}` },
    ]);
  });

  it('finds a stale status: the instance has not shown a value of its server for longer than a period', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web', { status: { powerState: 'Stopped', privateIp: '10.0.0.9' } });
    await monitor.openPair('paused', { spec: { pause: true }, status: { powerState: 'Stopped' } });
    await monitor.openPair('replaced', {
      status: {
        powerState: 'Stopped',
        replacement: { action: 'recreate', since: '2026-01-01T00:00:00Z', changes: [] },
      },
    });
    const ailing = await monitor.openInstance('ailing');
    await monitor.openServer(ailing, { link: ailing, status: { conditions: [] } });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'stale-status': 2 });
    expect(monitor.said(found)).toContainEqual(
      expect.objectContaining({
        checker: 'stale-status',
        id,
        finding: 'it does not show the current value of its server: the power state, the private address',
      }),
    );
    expect(monitor.said(found)).toContainEqual(
      expect.objectContaining({
        checker: 'stale-status',
        id: ailing,
        finding: 'it does not show the current value of its server: the health',
      }),
    );
  });

  it('checks every status field that is copied from the server, such as the last reboot', async () => {
    monitor = await startMonitor();
    const id = await monitor.openInstance('rebooted');
    await monitor.openServer(id, { link: id, status: { rebootedAt: '2026-01-01T00:00:00Z' } });
    await monitor.passes(2);
    expect(monitor.said(found)).toMatchObject([
      { checker: 'stale-status', id, finding: 'it does not show the current value of its server: the last reboot' },
    ]);
  });

  it('does not report values that change between passes', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    for (const phase of ['Stopping', 'Stopped', 'Pending'] as const) {
      const server = await monitor.store.get(Server, id);
      if (server)
        await monitor.store.updateStatus(Server, { metadata: server.metadata, status: { ...server.status, phase } });
      await monitor.passes(1);
    }
    expect(await monitor.standing()).toEqual({});
  });
});

describe('an instance is stuck', () => {
  const available = (reason: string, lastTransitionTime: string) => ({
    conditions: [
      { type: 'Available', status: 'False', reason, message: 'its server is being built', lastTransitionTime },
    ] as const,
  });
  const long = Math.ceil(stuckAfter_ms / period_ms) + 3;

  it('provisioning if it has been in progress for too long', async () => {
    monitor = await startMonitor();
    const since = new Date(monitor.world.now()).toISOString();
    const id = await monitor.openInstance('web', { status: available('Provisioning', since) });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({});
    await monitor.passes(long);
    expect(await monitor.standing()).toEqual({ 'stuck-provisioning': 1 });
    expect(monitor.said(found)).toMatchObject([
      { id, finding: expect.stringContaining('its server is being built') as string },
    ]);
  });

  it('provisioning if no controller has noticed a change', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    const instance = await monitor.store.get(ComputeInstance, id);
    if (!instance) throw new Error('it is not there');
    const modified = { [annotations.modifiedTimestamp]: new Date(monitor.world.now()).toISOString() };
    await monitor.store.update(ComputeInstance, {
      metadata: { ...instance.metadata, annotations: modified },
      spec: { ...instance.spec, imageId: 'other' },
    });
    await monitor.passes(long);
    expect(await monitor.standing()).toEqual({ 'stuck-provisioning': 1 });
  });

  it('deleting if the deletion takes too long, although it is paused', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web', { spec: { pause: true } });
    await monitor.store.delete(ComputeInstance, id);
    await monitor.passes(long);
    expect(await monitor.standing()).toEqual({ 'stuck-deleting': 1 });
  });

  it('neither while it is paused nor in error, which is a finding of its own', async () => {
    monitor = await startMonitor();
    const since = new Date(monitor.world.now()).toISOString();
    await monitor.openInstance('paused', { spec: { pause: true }, status: available('Provisioning', since) });
    await monitor.openInstance('failed', { status: available('Errored', since) });
    await monitor.passes(long);
    expect(await monitor.standing()).toEqual({ 'instance-in-error': 1 });
  });

  it('not before the time limit after its last change', async () => {
    monitor = await startMonitor();
    const since = new Date(monitor.world.now()).toISOString();
    await monitor.passes(long);
    await monitor.openInstance('web', {
      annotations: { [annotations.modifiedTimestamp]: new Date(monitor.world.now()).toISOString() },
      status: available('Provisioning', since),
    });
    await monitor.passes(3);
    expect(await monitor.standing()).toEqual({});
  });
});

describe('reference drift', () => {
  const network = { kind: Network, name: 'a0000000-0000-4000-8000-000000000001' };
  const references = async () => (await monitor.store.list(ReferenceRecord)).items;
  const hold = (id: string, claim: string) =>
    addReference(
      { store: monitor.store, world: monitor.world },
      network.kind,
      { name: network.name },
      { reference: referenceOf(ComputeInstance, id), claim },
    );

  it('is found and corrected: references of an instance that does not exist', async () => {
    monitor = await startMonitor();
    await hold(absentId, 'a-run-that-died');
    await monitor.passes(1);
    expect(await references()).toHaveLength(1);
    await monitor.passes(1);
    expect(monitor.said(found)).toMatchObject([
      { id: absentId, finding: `a reference to network ${network.name} is left, but the instance does not exist` },
    ]);
    expect(await references()).toEqual([]);
    await monitor.passes(1);
    expect(await monitor.standing()).toEqual({});
    expect(await monitor.counted('unikorn_compute_monitor_settled_references_total')).toEqual({ settled: 1 });
  });

  it('is not corrected while a saga runs', async () => {
    monitor = await startMonitor();
    const run = 'e0000000-0000-4000-8000-000000000001';
    await monitor.store.create(Saga, {
      metadata: { name: run },
      spec: { saga: 'compute.instance.write', input: {}, holder: 'test', term: 1 },
    });
    await hold(absentId, run);
    await monitor.passes(3);
    expect(await references()).toHaveLength(1);
    await monitor.store.delete(Saga, run);
    await monitor.passes(1);
    expect(await references()).toEqual([]);
  });

  it('is found and corrected: missing and unneeded references', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    const [own] = await references();
    await monitor.store.delete(ReferenceRecord, own?.metadata.name ?? '');
    const other = 'a0000000-0000-4000-8000-000000000009';
    await monitor.store.create(Network, {
      metadata: { name: other },
      spec: { prefix: '10.0.0.0/24', dnsNameservers: [] },
    });
    await addReference(
      { store: monitor.store, world: monitor.world },
      Network,
      { name: other },
      { reference: referenceOf(ComputeInstance, id), claim: 'left-behind' },
    );
    await monitor.passes(3);
    expect((await references()).map(({ spec }) => spec.used.id)).toEqual([network.name]);
    expect(await monitor.standing()).toEqual({});
  });
});

describe('allocation drift', () => {
  async function chargedFor(id: string) {
    const allocation = (await monitor.allocations()).find(({ spec }) => spec.id === id);
    return (
      allocation && Object.fromEntries(allocation.spec.allocations.map(({ kind, committed }) => [kind, committed]))
    );
  }

  it('is found and corrected: a wrong charge', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web', { annotations: { [priceAnnotation]: '{"gpus":2,"publicIP":false}' } });
    await monitor.passes(2);
    expect(await monitor.standing()).toEqual({ 'allocation-drift': 1 });
    expect(monitor.said(found)).toMatchObject([
      { id, finding: 'it costs {"servers":1,"gpus":2}, but is charged {"servers":1}' },
    ]);
    expect(await chargedFor(id)).toEqual({ servers: 1, gpus: 2, publicips: 0 });
    await monitor.passes(1);
    expect(await monitor.standing()).toEqual({});
    expect(await monitor.counted('unikorn_compute_monitor_settled_charges_total')).toEqual({ settled: 1 });
  });

  it('is found and corrected: a missing charge', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    await monitor.store.delete(Allocation, (await monitor.allocations())[0]?.metadata.name ?? '');
    await monitor.passes(3);
    expect(await chargedFor(id)).toEqual({ servers: 1, gpus: 0, publicips: 0 });
    expect(await monitor.standing()).toEqual({});
  });

  it('is found and corrected: a charge for an instance that does not exist', async () => {
    monitor = await startMonitor();
    await monitor.charge(absentId);
    await monitor.passes(1);
    expect(await monitor.allocations()).toHaveLength(1);
    await monitor.passes(1);
    expect(await monitor.allocations()).toEqual([]);
  });

  it('does not include an instance that is being deleted and no longer charged: it is not charged again', async () => {
    monitor = await startMonitor();
    const id = await monitor.openPair('web');
    await monitor.store.delete(ComputeInstance, id);
    await monitor.store.delete(Allocation, (await monitor.allocations())[0]?.metadata.name ?? '');
    await monitor.passes(3);
    expect(await monitor.standing()).toEqual({});
    expect(await monitor.allocations()).toEqual([]);
  });

  it('does not include a charge just before its instance is stored', async () => {
    monitor = await startMonitor();
    await monitor.passes(1);
    await monitor.charge(absentId, { gpus: 1 });
    await monitor.passes(1);
    expect(await chargedFor(absentId)).toBeDefined();
  });

  it('that cannot be corrected stays a finding, and is retried', async () => {
    monitor = await startMonitor();
    await monitor.openPair('web', { annotations: { [priceAnnotation]: '{"gpus":99999,"publicIP":false}' } });
    await monitor.passes(4);
    expect(await monitor.standing()).toEqual({ 'allocation-drift': 1 });
    expect(await monitor.counted('unikorn_compute_monitor_settled_charges_total')).toEqual({ failed: 3 });
    expect(await monitor.counted('unikorn_compute_monitor_findings_total')).toEqual({ 'allocation-drift': 1 });
  });

  it('of an instance whose price cannot be read is reported and not changed', async () => {
    monitor = await startMonitor();
    await monitor.openPair('web', { annotations: { [priceAnnotation]: 'cheap' } });
    await monitor.passes(3);
    expect(await monitor.standing()).toEqual({ 'incomplete-record': 1 });
    expect(await monitor.counted('unikorn_compute_monitor_settled_charges_total')).toEqual({});
  });
});

describe('a report of the monitor', () => {
  it('stays readable with many problems, and is written once', async () => {
    monitor = await startMonitor();
    for (let number = 0; number < 25; number++)
      await monitor.openServer(`${absentId.slice(0, -2)}${10 + number}`, { link: absentId });
    await monitor.passes(4);
    expect(await monitor.standing()).toEqual({ 'orphan-server': 25 });
    expect(monitor.said(found)).toHaveLength(20);
    expect(monitor.said('the monitor found more problems of this kind')).toMatchObject([
      { checker: 'orphan-server', more: 5 },
    ]);
    expect(await monitor.counted('unikorn_compute_monitor_findings_total')).toEqual({ 'orphan-server': 25 });
  });

  it('includes the end of a problem, and is in the history of the instance', async () => {
    monitor = await startMonitor();
    const id = await monitor.openInstance('web');
    await monitor.passes(2);
    await monitor.openServer(id, { link: id });
    await monitor.passes(1);
    expect(monitor.said('a problem that the monitor found is solved')).toMatchObject([
      { checker: 'instance-without-server', ids: [id], count: 1 },
    ]);
    expect(monitor.noted).toEqual([
      [id, 'instance-without-server', 'found'],
      [id, 'instance-without-server', 'over'],
    ]);
    expect(await monitor.standing()).toEqual({});
  });

  it('continues after a failed pass', async () => {
    let failing = false;
    monitor = await startMonitor({
      around: (call, happen) => {
        if (failing && call.verb === 'list' && call.kind === Allocation)
          throw new Problem('storage_unavailable', 'the disk is gone');
        return happen();
      },
    });
    const id = await monitor.openInstance('web');
    failing = true;
    await monitor.passes(2);
    expect(monitor.said('a monitor pass failed and will be retried')).toHaveLength(2);
    failing = false;
    await monitor.passes(2);
    expect(monitor.said(found)).toMatchObject([{ id }]);
  });
});

it('a pass lists charges and references page by page and reads nothing else, for any number of instances', async () => {
  const reads: string[] = [];
  let listening = false;
  monitor = await startMonitor({
    around: (call, happen) => {
      if (listening) reads.push(`${call.verb} ${call.kind.kind}`);
      return happen();
    },
  });
  for (let number = 0; number < 8; number++) await monitor.openPair(`web-${number}`);
  await monitor.passes(1);
  listening = true;
  await monitor.passes(1);
  // References to resources of region, and to projects.
  expect(reads).toEqual(['list Allocation', 'list Reference', 'list Reference']);
});
