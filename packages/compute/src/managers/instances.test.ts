import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { modifyStatus } from '@unikorn/core/store';
import { capture, silentTelemetry } from '@unikorn/core/testing';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { linkTag } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import { bear, change, until } from '../provisioners/instance/stage.fixture.ts';
import { standardFlavor, startCompute, ubuntuImage, type RunningCompute } from '../testing/index.ts';

let compute: RunningCompute;
const lines: string[] = [];
/** The servers that region was asked for. */
const looks: string[] = [];
let lists = 0;
const ids: string[] = [];

beforeAll(async () => {
  compute = await startCompute({
    telemetry: { ...silentTelemetry(), log: pino(capture(lines)) },
    regionClient: (regionClient) => ({
      ...regionClient,
      server: (on, id) => (looks.push(id), regionClient.server(on, id)),
    }),
    around: (call, happen) => {
      if (call.verb === 'list' && (call.kind.id === ComputeInstance.id || call.kind.id === Server.id)) lists++;
      return happen();
    },
  });
  for (const name of ['one', 'two', 'three', 'four', 'five']) ids.push(await bear(compute, { name }));
  for (const id of ids) await until(compute, id, 'Provisioned');
});
afterEach(() => {
  looks.length = 0;
  lines.length = 0;
});
afterAll(() => compute.stop());

const [first = () => '', second = () => ''] = [0, 1].map((index) => () => ids[index] ?? '');
const instanceOf = (id: string) => compute.store.get(ComputeInstance, id);
const counted = async (name: string) =>
  Number((await compute.telemetry.registry.getSingleMetricAsString(name)).split(' ').at(-1));
const warnings = () => lines.filter((line) => line.includes('names an instance that it does not belong to'));

/** A server whose tag names an instance, as only compute may write it. */
async function claim(name: string, instance: string): Promise<string> {
  const { metadata } = (await instanceOf(first())) ?? { metadata: { name: '' } };
  const spec = { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
  return (
    await compute.toRegion.createServer(asService(metadata), {
      metadata: { name, tags: [{ name: linkTag, value: instance }] },
      spec,
    })
  ).metadata.id;
}

describe('reverse lookup lists everything and scans: index by id', () => {
  it('a change of a server is shown by its instance immediately, with one read', async () => {
    [lists, looks.length] = [0, 0];
    const start = compute.world.now();
    await modifyStatus(compute.store, Server, second(), ({ metadata, status }) => ({
      metadata,
      status: { ...status, phase: 'Stopped' as const },
    }));
    await compute.world.settle();
    expect((await instanceOf(second()))?.status?.powerState).toBe('Stopped');
    expect({ lists, looks, waited_ms: compute.world.now() - start }).toEqual({
      lists: 0,
      looks: [second()],
      waited_ms: 0,
    });
  });

  it('the deletion of a server is noticed immediately, too', async () => {
    const [id = ''] = ids.splice(-1);
    await compute.store.delete(ComputeInstance, id);
    await compute.eventually(
      () => compute.store.get(Server, id),
      (server) => server === undefined,
    );
    await compute.world.settle();
    expect(await instanceOf(id)).toBeUndefined();
  });

  it('a server without an instance wakes no instance', async () => {
    const { metadata } = (await instanceOf(first())) ?? { metadata: { name: '' } };
    const spec = { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
    await compute.toRegion.createServer(asService(metadata), { metadata: { name: 'plain' }, spec });
    await compute.world.settle();
    expect({ looks, warnings: warnings() }).toEqual({ looks: [], warnings: [] });
  });
});

describe('missing or duplicate reverse mapping is silently dropped: warning log and counters', () => {
  it('a server whose instance does not exist is counted and logged', async () => {
    const before = await counted('unikorn_compute_reverse_map_missing_total');
    const orphan = await claim('orphan', 'no-such-instance');
    await compute.world.settle();
    expect(await counted('unikorn_compute_reverse_map_missing_total')).toBeGreaterThan(before);
    expect(warnings()[0]).toContain(orphan);
    expect(warnings()[0]).toContain('no-such-instance');
  });

  it('a server whose instance has another server is counted and logged, and the instance shows it', async () => {
    const duplicate = await claim('duplicate', first());
    await until(compute, first(), 'Errored');
    expect(await counted('unikorn_compute_reverse_map_duplicate_total')).toBeGreaterThan(0);
    expect(warnings().some((line) => line.includes(duplicate))).toBe(true);
    await compute.store.delete(Server, duplicate);
    await until(compute, first(), 'Provisioned');
  });
});

describe('a network with many instances', () => {
  it('wakes only those that are not settled', async () => {
    await change(compute, second(), { imageId: 'no-such-image' });
    await until(compute, second(), 'Errored');
    looks.length = 0;
    const body = { metadata: { name: 'network', description: 'changed' }, spec: { dnsNameservers: ['10.0.0.53'] } };
    expect((await compute.request('PUT', `/region/api/v2/networks/${compute.networkId}`, { body })).status).toBe(202);
    await compute.world.settle();
    expect([...new Set(looks)]).toEqual([second()]);
  });
});
