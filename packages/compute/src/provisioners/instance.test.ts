import { describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { OnBehalf } from '@unikorn/core/calls';
import { annotations, findCondition } from '@unikorn/core/resource';
import { modify, modifyStatus } from '@unikorn/core/store';
import { timestamp } from '@unikorn/core/world';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { linkTag } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import { debianImage, gpuFlavor, standardFlavor, ubuntuImage } from '../testing/index.ts';
import { away, ObservedCompute } from './instance/observed.fixture.ts';
import { bear, change, charges, messageOf, serversOf, standing, until } from './instance/stage.fixture.ts';

const anyText: unknown = expect.any(String);
const observed = new ObservedCompute();

/** Changes a field of a server that its instance does not show. */
async function touch(id: string, time: string): Promise<void> {
  await modify(observed.running.store, Server, id, ({ metadata, spec }) => ({
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.modifiedTimestamp]: time } },
    spec,
  }));
}

/** Another server whose tag names the instance. */
async function twinOf(id: string): Promise<string> {
  const metadata = (await observed.instance(id))?.metadata ?? { name: '' };
  const spec = { networkId: observed.running.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
  return (
    await observed.running.toRegion.createServer(asService(metadata), {
      metadata: { name: 'twin', tags: [{ name: linkTag, value: id }] },
      spec,
    })
  ).metadata.id;
}

describe('server `error` shown as endless `provisioning`: propagate as error', () => {
  it('an instance whose server cannot be built shows the reason, does not retry, and recovers with the server', async () => {
    await observed.turn({ buildFailureRate: 1 });
    const id = await bear(observed.running, { name: 'failing' });
    await until(observed.running, id, 'Errored');
    expect(await messageOf(observed.running, id)).toBe(
      findCondition((await observed.server(id))?.status?.conditions, 'Available')?.message,
    );
    expect(await messageOf(observed.running, id)).toContain('could not be started on its host');
    observed.counts.looks = 0;
    await observed.running.world.advance(120_000);
    expect(observed.counts.looks).toBe(0);
    await observed.turn({ buildFailureRate: 0 });
    await modifyStatus(observed.running.store, Server, id, ({ metadata, status }) => ({
      metadata,
      status: { ...status, providerCreateFailures: 0 },
    }));
    await until(observed.running, id, 'Provisioned');
  });
});

describe('a dependency of the server of an instance', () => {
  it.each([
    ['provisioning', 'DependencyNotReady'],
    ['provisioning', 'DependencyFailed'],
    ['error', 'DependencyNotFound'],
  ] as const)('is shown by the instance as by its server, which is %s: %s', async (provisioningStatus, reason) => {
    const provisioningStatusDetail = { reason, message: 'the security group is the reason' };
    observed.between = (regionClient) => ({
      ...regionClient,
      server: async (on, id) => {
        const server = await regionClient.server(on, id);
        return server && { ...server, metadata: { ...server.metadata, provisioningStatus, provisioningStatusDetail } };
      },
    });
    const id = await bear(observed.running, { name: 'needy' });
    await until(observed.running, id, reason);
    expect(await messageOf(observed.running, id)).toBe('the security group is the reason');
  });
});

describe('a change without disruption', () => {
  it('is one update of its server, and its address stays', async () => {
    const id = await observed.provisioned('public');
    const before = await observed.instance(id);
    await change(observed.running, id, { networking: { publicIp: true, allowedSourceAddresses: ['10.1.2.3/24'] } });
    const after = await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual(['update public']);
    expect(after?.status).toMatchObject({ publicIp: anyText, privateIp: before?.status?.privateIp });
    expect(after?.status?.replacement).toBeUndefined();
  });
});

describe('an instance that is deleted', () => {
  it('shows the message of region if its machine is not deleted', async () => {
    const id = await observed.provisioned('locked');
    observed.between = (regionClient) => ({
      ...regionClient,
      deleteServer: () => Promise.reject(new Problem('forbidden', 'the machine is locked')),
    });
    await observed.running.store.delete(ComputeInstance, id);
    await observed.running.eventually(
      () => messageOf(observed.running, id),
      (message) => message?.includes('the machine is locked') ?? false,
    );
    expect(await observed.server(id)).toBeDefined();
  });
});

describe('flavor change', () => {
  it('old server deleted, then exactly one create once it is gone; Available goes False/Provisioning, then True', async () => {
    await observed.turn({ delete_ms: 5_000 });
    const id = await observed.provisioned('larger');
    const before = await observed.server(id);
    const { privateIp } = (await observed.instance(id))?.status ?? {};
    const { store } = observed.running;
    const shown = new Set<string | undefined>();
    const watched = new AbortController();
    const { resourceVersion: from } = await store.list(ComputeInstance);
    const watching = (async () => {
      for await (const event of store.watch(ComputeInstance, { from, name: id, signal: watched.signal })) {
        if (event.type !== 'bookmark') shown.add(event.object.status?.privateIp);
      }
    })();
    await change(observed.running, id, { flavorId: gpuFlavor });
    await until(observed.running, id, 'Provisioning');
    await observed.running.eventually(
      async () => (await observed.server(id))?.metadata.deletionTimestamp,
      (time) => time !== undefined,
    );
    await observed.running.world.advance(1_000);
    expect(observed.calls).toEqual(['delete']);
    // Clients compare the address: the next machine has it again.
    expect((await observed.instance(id))?.status).toMatchObject({ privateIp });
    expect((await observed.instance(id))?.status).not.toHaveProperty('macAddress');
    await until(observed.running, id, 'Provisioned');
    const [server, ...others] = await serversOf(observed.running, id);
    expect(others).toEqual([]);
    expect(server?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(server?.spec.flavorID).toBe(gpuFlavor);
    expect(observed.calls).toEqual(['delete', 'create larger']);
    expect((await observed.instance(id))?.status).toMatchObject({ privateIp });
    expect(privateIp).toMatch(/^10\./);
    watched.abort();
    await watching;
    expect([...shown]).toEqual([privateIp]);
  });

  it('repeated deletes are harmless: lost responses lead to the same result', async () => {
    const id = await observed.provisioned('lost-answers');
    observed.between = (regionClient) => ({
      ...regionClient,
      deleteServer: async (on, server) => regionClient.deleteServer(on, server).then(away),
    });
    await change(observed.running, id, { flavorId: gpuFlavor });
    await until(observed.running, id, 'Provisioned');
    expect(observed.calls.filter((call) => call.startsWith('create'))).toEqual(['create lost-answers']);
  });

  it('that is reverted before it began does nothing', async () => {
    const id = await observed.provisioned('hesitant', { afterRebuild: 'stop' });
    observed.between = (regionClient) => ({ ...regionClient, deleteServer: away });
    await change(observed.running, id, { flavorId: gpuFlavor });
    await observed.running.eventually(
      async () => (await observed.instance(id))?.status?.replacement,
      (seen) => seen !== undefined,
    );
    await change(observed.running, id, { flavorId: standardFlavor });
    const instance = await until(observed.running, id, 'Provisioned');
    expect(observed.calls).toEqual([]);
    expect(instance?.status).toMatchObject({ powerState: 'Running' });
    expect(instance?.status?.replacement).toBeUndefined();
  });
});

describe('rebuild is a visible state: old and new values before it begins and until it is done', () => {
  it('a new image is rebuilt in place by region, and announced before the call to region', async () => {
    await observed.turn({ build_ms: 5_000 });
    const id = await observed.provisioned('repaved');
    const [uid, privateIp] = [
      (await observed.server(id))?.metadata.uid,
      (await observed.instance(id))?.status?.privateIp,
    ];
    const shown: unknown[] = [];
    observed.between = (regionClient) => ({
      ...regionClient,
      updateServer: async (on, server, body) => {
        shown.push((await observed.instance(id))?.status?.replacement);
        return regionClient.updateServer(on, server, body);
      },
    });
    await change(observed.running, id, { imageId: debianImage });
    await observed.running.eventually(
      () => messageOf(observed.running, id),
      (message) => message?.includes('is being rebuilt') ?? false,
    );
    const replacement = {
      action: 'rebuild',
      since: anyText,
      changes: [{ field: 'imageId', from: ubuntuImage, to: debianImage }],
    };
    expect(shown).toEqual([replacement]);
    expect((await observed.instance(id))?.status?.replacement).toEqual(replacement);
    expect(await messageOf(observed.running, id)).toContain('its root disk is replaced because spec.imageId changed');
    const after = await until(observed.running, id, 'Provisioned');
    expect(after?.status).toMatchObject({ privateIp });
    expect(after?.status?.replacement).toBeUndefined();
    expect((await observed.server(id))?.metadata.uid).toBe(uid);
    expect(observed.calls).toEqual(['update repaved']);
  });

  it('a new machine is announced before the old one is deleted', async () => {
    const id = await observed.provisioned('announced');
    const shown: unknown[] = [];
    observed.between = (regionClient) => ({
      ...regionClient,
      deleteServer: async (on, server) => {
        shown.push((await observed.instance(id))?.status?.replacement);
        return regionClient.deleteServer(on, server);
      },
    });
    await change(observed.running, id, { flavorId: gpuFlavor, imageId: debianImage });
    await until(observed.running, id, 'Provisioned');
    const changes = [
      { field: 'flavorId', from: standardFlavor, to: gpuFlavor },
      { field: 'imageId', from: ubuntuImage, to: debianImage },
    ];
    expect(shown).toEqual([{ action: 'recreate', since: anyText, changes }]);
  });

  it('an instance with afterRebuild stop is stopped once after its disk is replaced', async () => {
    const id = await observed.provisioned('parked', { afterRebuild: 'stop' });
    await change(observed.running, id, { imageId: debianImage });
    await until(observed.running, id, 'Provisioned');
    await observed.running.eventually(
      () => observed.instance(id),
      (instance) => instance?.status?.powerState === 'Stopped',
    );
    expect(observed.calls).toEqual(['update parked', 'stop']);
    await observed.running.toRegion.power(
      asService((await observed.instance(id))?.metadata ?? { name: '' }),
      id,
      'start',
    );
    await observed.running.eventually(
      () => observed.instance(id),
      (instance) => instance?.status?.powerState === 'Running',
    );
    expect(observed.calls).toEqual(['update parked', 'stop']);
  });

  it('an instance that is already stopped needs no stop', async () => {
    const id = await observed.provisioned('still', { afterRebuild: 'stop' });
    observed.between = (regionClient) => ({
      ...regionClient,
      power: () => Promise.reject(new Problem('invalid_request', 'the server does not run')),
    });
    await change(observed.running, id, { imageId: debianImage });
    expect((await until(observed.running, id, 'Provisioned'))?.status?.replacement).toBeUndefined();
  });
});

describe('zero or two tagged servers', () => {
  it('two: the instance says which, and nothing is sent to any of them until only its own is left', async () => {
    const id = await observed.provisioned('twice');
    const twin = await twinOf(id);
    await until(observed.running, id, 'Errored');
    expect(await messageOf(observed.running, id)).toContain(`${id} and ${twin}`);
    await change(observed.running, id, { flavorId: gpuFlavor });
    await until(observed.running, id, 'Errored');
    await observed.running.world.advance(60_000);
    expect(observed.calls).toEqual([]);
    expect(
      await observed.running.telemetry.registry.getSingleMetricAsString('unikorn_compute_ambiguous_link_total'),
    ).toMatch(/ [1-9]/);
    await observed.running.store.delete(Server, twin);
    await until(observed.running, id, 'Provisioned');
  });

  it('two: an instance that is deleted stays, with both of them and what it costs, until only its own is left', async () => {
    const id = await observed.provisioned('torn');
    const twin = await twinOf(id);
    await until(observed.running, id, 'Errored');
    await observed.running.store.delete(ComputeInstance, id);
    await observed.running.world.advance(60_000);
    expect(await standing(observed.running, id)).toBe('going');
    expect(await messageOf(observed.running, id)).toContain(`${id} and ${twin}`);
    expect(observed.calls).toEqual([]);
    expect(await serversOf(observed.running, id)).toHaveLength(2);
    expect(await charges(observed.running, id)).toHaveLength(1);
    await observed.running.store.delete(Server, twin);
    await until(observed.running, id, 'gone');
    expect(observed.calls).toEqual(['delete']);
    expect(await charges(observed.running, id)).toEqual([]);
  });

  it('zero: a server that was deleted behind its back is made anew once it is certain, and the loss is told', async () => {
    const id = await observed.provisioned('bereft');
    const before = await observed.server(id);
    await observed.turn({ build_ms: 20_000 });
    await observed.running.store.delete(Server, id);
    await observed.running.eventually(
      () => observed.server(id),
      (server) => server !== undefined && server.metadata.uid !== before?.metadata.uid,
    );
    await observed.running.world.settle();
    expect((await observed.instance(id))?.status).toMatchObject({
      powerState: 'Building',
      replacement: { action: 'recreate', changes: [] },
    });
    expect(await messageOf(observed.running, id)).toContain(
      'its machine was lost and is recreated without its disk and its public address',
    );
    await until(observed.running, id, 'Provisioned');
    const { replacement, diskLostAt } = (await observed.instance(id))?.status ?? {};
    expect({ replacement, isTold: diskLostAt !== undefined }).toEqual({ replacement: undefined, isTold: true });
    expect(observed.calls).toEqual(['create bereft']);
  });

  it('zero: once another server is asked for, that is said at once, and no longer that the old one is looked for', async () => {
    const id = await observed.provisioned('outspoken');
    const before = await observed.server(id);
    await observed.running.store.delete(Server, id);
    await observed.turn({ call_ms: 3_000 });
    const after = await observed.running.eventually(
      () => observed.server(id),
      (server) => server !== undefined && server.metadata.uid !== before?.metadata.uid,
    );
    expect(after?.status).toBeUndefined();
    expect(await messageOf(observed.running, id)).toMatch(/is recreated without .*: its machine will be created$/);
    await observed.turn({ call_ms: 0 });
    await until(observed.running, id, 'Provisioned');
  });

  it('zero, until the server is found again: it has its disk, and no loss is shown', async () => {
    const id = await observed.provisioned('found');
    await observed.running.world.advance(5_000);
    const replacement = { action: 'recreate', since: timestamp(observed.running.world.now()), changes: [] } as const;
    await modifyStatus(observed.running.store, ComputeInstance, id, ({ metadata, status }) => ({
      metadata,
      status: { ...status, replacement },
    }));
    await touch(id, '2026-01-01T00:00:00Z');
    const found = await observed.running.eventually(
      () => observed.instance(id),
      (instance) => instance?.status?.replacement === undefined,
    );
    expect(found?.status).not.toHaveProperty('diskLostAt');
    expect(observed.calls).toEqual([]);
  });
});

describe('a region that cannot be reached', () => {
  it('does not count as deleted servers: settled instances stay unchanged', async () => {
    const id = await observed.provisioned('steady');
    const before = await observed.instance(id);
    observed.between = (regionClient) => ({ ...regionClient, server: away });
    await touch(id, '2026-01-01T00:00:00Z');
    await observed.running.world.advance(120_000);
    expect(await observed.instance(id)).toEqual(before);
    expect(observed.calls).toEqual([]);
  });

  it('is shown by a waiting instance, which continues when the region is back', async () => {
    observed.between = (regionClient) => ({ ...regionClient, server: away });
    const id = await bear(observed.running, { name: 'unanswered' });
    await until(observed.running, id, 'DependencyFailed');
    expect(await messageOf(observed.running, id)).toContain('its region cannot be reached at the moment');
    observed.letPass();
    await until(observed.running, id, 'Provisioned');
  });

  it('or answers 404 for everything, creates nothing and forgets no address', async () => {
    const id = await observed.provisioned('denied');
    const { privateIp } = (await observed.instance(id))?.status ?? {};
    observed.between = (regionClient) => ({ ...regionClient, server: () => Promise.resolve(undefined) });
    await touch(id, '2026-01-01T00:00:00Z');
    await observed.running.world.advance(120_000);
    expect(observed.calls).toEqual([]);
    expect((await observed.instance(id))?.status).toMatchObject({ privateIp });
    observed.letPass();
    await until(observed.running, id, 'Provisioned');
    const { replacement, diskLostAt } = (await observed.instance(id))?.status ?? {};
    expect({ replacement, diskLostAt }).toEqual({ replacement: undefined, diskLostAt: undefined });
  });

  it('or answers 404 for everything, lets no instance that is deleted leave its server behind', async () => {
    const id = await observed.provisioned('kept');
    observed.between = (regionClient) => ({ ...regionClient, server: () => Promise.resolve(undefined) });
    await observed.running.store.delete(ComputeInstance, id);
    await observed.running.world.advance(120_000);
    expect(await standing(observed.running, id)).toBe('going');
    expect(await charges(observed.running, id)).toHaveLength(1);
    observed.letPass();
    await until(observed.running, id, 'gone');
    expect(await observed.server(id)).toBeUndefined();
  });
});

describe('delete', () => {
  it('server delete first; allocation is deleted strictly after the server is gone; finalizer last', async () => {
    await observed.turn({ delete_ms: 5_000 });
    const id = await observed.provisioned('leaving');
    await observed.running.store.delete(ComputeInstance, id);
    await observed.running.world.advance(3_000);
    expect(observed.calls).toEqual(['delete']);
    expect((await observed.server(id))?.metadata.deletionTimestamp).toBeDefined();
    expect(await charges(observed.running, id)).toHaveLength(1);
    expect(findCondition((await observed.instance(id))?.status?.conditions, 'Available')?.message).toContain(
      'its machine is being deleted',
    );
    await observed.running.eventually(
      () => observed.server(id),
      (server) => server === undefined,
    );
    await until(observed.running, id, 'gone');
    expect(await charges(observed.running, id)).toEqual([]);
  });

  const states: readonly [string, (name: string) => Promise<string>][] = [
    [
      'whose server never came to be',
      (name) =>
        bear(observed.running, { name, spec: { imageId: 'no-such-image' } }).then(
          async (id) => (await until(observed.running, id, 'Errored'), id),
        ),
    ],
    ['that no controller has processed yet', (name) => bear(observed.running, { name })],
    [
      'that is being built',
      (name) =>
        observed
          .turn({ build_ms: 60_000 })
          .then(() => bear(observed.running, { name }))
          .then(async (id) => (await until(observed.running, id, 'Provisioning'), id)),
    ],
    [
      'whose machine is being replaced',
      (name) =>
        observed
          .provisioned(name)
          .then(
            async (id) => (
              await observed.turn({ delete_ms: 5_000 }),
              await change(observed.running, id, { flavorId: gpuFlavor }),
              await observed.running.world.advance(1_000),
              id
            ),
          ),
    ],
    [
      'that is paused',
      (name) =>
        observed.provisioned(name).then(async (id) => (await change(observed.running, id, { pause: true }), id)),
    ],
  ];
  it.each(states)('an instance %s leaves nothing behind', async (state, prepare) => {
    const id = await prepare(state.replaceAll(' ', '-'));
    await observed.running.store.delete(ComputeInstance, id);
    await until(observed.running, id, 'gone');
    expect(await observed.server(id)).toBeUndefined();
    expect(await charges(observed.running, id)).toEqual([]);
  });

  it('and create again gives the same id, and a new server', async () => {
    const id = await observed.provisioned('again');
    await observed.running.store.delete(ComputeInstance, id);
    await until(observed.running, id, 'gone');
    expect(await observed.provisioned('again')).toBe(id);
    expect(await charges(observed.running, id)).toHaveLength(1);
  });
});

describe('record `observedAt` and staleness', () => {
  it('is written with other changes, otherwise if it is older than a minute, and never without a read', async () => {
    const id = await observed.provisioned('observed');
    const { observedAt } = (await observed.instance(id))?.status ?? {};
    observed.counts.writes = 0;
    await observed.running.world.advance(5_000);
    await touch(id, '2026-01-01T00:00:01Z');
    await observed.running.world.settle();
    expect(observed.counts.writes).toBe(0);
    await observed.running.world.advance(61_000);
    await touch(id, '2026-01-01T00:00:02Z');
    await observed.running.world.settle();
    expect(Date.parse((await observed.instance(id))?.status?.observedAt ?? '')).toBeGreaterThan(
      Date.parse(observedAt ?? ''),
    );
  });
});

describe('the power state', () => {
  it('stays the last known one while the server has none', async () => {
    const id = await observed.provisioned('speechless');
    const silent = {
      regionId: observed.running.regionId,
      networkId: observed.running.networkId,
      publicIP: '203.0.113.9',
    };
    observed.between = (regionClient) => ({
      ...regionClient,
      server: async (on, server) =>
        regionClient.server(on, server).then((found) => found && { ...found, status: silent }),
    });
    await touch(id, '2026-01-01T00:00:00Z');
    await observed.running.world.settle();
    expect((await observed.instance(id))?.status).toMatchObject({ publicIp: '203.0.113.9', powerState: 'Running' });
  });
});

describe("region is asked with compute's own rights", () => {
  it('and in the name of the principal of the instance', async () => {
    const asked: OnBehalf[] = [];
    observed.between = (regionClient) => ({
      ...regionClient,
      server: (on, server) => (asked.push(on), regionClient.server(on, server)),
      createServer: (on, server) => (asked.push(on), regionClient.createServer(on, server)),
      updateServer: (on, server, body) => (asked.push(on), regionClient.updateServer(on, server, body)),
      deleteServer: (on, server) => (asked.push(on), regionClient.deleteServer(on, server)),
    });
    const id = await bear(observed.running, { name: 'principled' });
    await until(observed.running, id, 'Provisioned');
    await change(observed.running, id, { networking: { publicIp: true } });
    await until(observed.running, id, 'Provisioned');
    await observed.running.store.delete(ComputeInstance, id);
    await until(observed.running, id, 'gone');
    expect(observed.calls).toEqual(['create principled', 'update principled', 'delete']);
    const owner = {
      organizationId: observed.running.organizationId,
      projectId: observed.running.projectId,
      actor: 'test',
    };
    for (const on of asked) expect(on).toEqual({ principal: owner, impersonate: false });
  });
});
