import { describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';
import { interpose } from '@unikorn/core/testing';

import { Project } from '../kinds/project.ts';
import { Allocation, allocationIdOf, QuotaLedger } from '../kinds/quota.ts';
import { chargeFor, organizationId, otherProjectId, outcomeOf, projectId, servers, stage } from './ledger.fixture.ts';
import { readQuotas, setLimits } from './standing.ts';

const quiet = (committed: number, reserved = 0) => ({
  totals: committed + reserved === 0 ? {} : { servers: { committed, reserved } },
  pending: [],
});

describe('a charge', () => {
  it('is counted, and the allocation names the resource', async () => {
    const { process, books } = await stage();
    const allocation = await process('one').charge(chargeFor('i', servers(1, 2)));
    expect(allocation.metadata.name).toBe(
      allocationIdOf(organizationId, { kind: 'instances.compute.unikorn-cloud.org', id: 'i' }),
    );
    expect(allocation.spec).toEqual({
      kind: 'instances.compute.unikorn-cloud.org',
      id: 'i',
      allocations: [servers(1, 2)],
    });
    expect(await books()).toEqual(quiet(1, 2));
  });

  it('that is repeated charges once, sequentially and concurrently, in one process and in two', async () => {
    const { world, process, books, store } = await stage();
    const [one, two] = [process('one'), process('two')];
    await one.charge(chargeFor('i', servers(2)));
    await two.charge(chargeFor('i', servers(2)));
    const racing = Promise.all([one, two, one, two].map((ledger) => ledger.charge(chargeFor('j', servers(3)))));
    await world.advance(1_000);
    await racing;
    expect(await books()).toEqual(quiet(5));
    expect((await store.list(Allocation)).items).toHaveLength(2);
  });

  it('of two resources with the same id, but different kinds or organizations, is separate', async () => {
    const { process, books, store } = await stage();
    const ledger = process('one');
    const instance = chargeFor('shared', servers(2));
    const server = {
      ...instance,
      resource: { kind: 'servers.region.unikorn-cloud.org', id: 'shared' },
      amounts: [servers(3)],
    };
    const charged = [await ledger.charge(instance), await ledger.charge(server)];
    expect(new Set(charged.map(({ metadata }) => metadata.name)).size).toBe(2);
    expect(await books()).toEqual(quiet(5));
    await ledger.release(organizationId, allocationIdOf(organizationId, server.resource));
    expect((await store.list(Allocation)).items.map(({ spec }) => spec.kind)).toEqual([
      'instances.compute.unikorn-cloud.org',
    ]);
    expect(await books()).toEqual(quiet(2));
    expect(allocationIdOf('a0000000-0000-4000-8000-000000000002', instance.resource)).not.toBe(
      allocationIdOf(organizationId, instance.resource),
    );
  });

  it('of the same resource with other amounts replaces them', async () => {
    const { process, books } = await stage();
    const ledger = process('one');
    await ledger.charge(chargeFor('i', servers(2), { kind: 'gpus', committed: 8, reserved: 0 }));
    const changed = await ledger.charge(chargeFor('i', servers(7)));
    expect(changed.spec.allocations).toEqual([servers(7)]);
    expect(changed.metadata.annotations).toMatchObject({ 'unikorn-cloud.org/modifier': 'unikorn-compute' });
    expect(await books()).toEqual(quiet(7));
  });

  it('beyond the limit is refused with kind, total and limit, and leaves nothing behind', async () => {
    const { process, books, store } = await stage();
    const ledger = process('one');
    await ledger.charge(chargeFor('i', servers(9)));
    await expect(ledger.charge(chargeFor('j', servers(1, 1)))).rejects.toThrow(
      'total servers allocation of 11 would exceed quota limit of 10',
    );
    expect(await outcomeOf(ledger.charge(chargeFor('j', servers(2))))).toBe('quota_exceeded');
    expect(await books()).toEqual(quiet(9));
    expect((await store.list(Allocation)).items).toHaveLength(1);
  });

  it('of twenty concurrent ones with a limit of ten succeeds exactly ten times, from one process or from five', async () => {
    for (const processes of [1, 5]) {
      const { world, process, books, allocated } = await stage();
      const ledgers = Array.from({ length: processes }, (_, number) => process(`process-${number}`));
      const racing = Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          outcomeOf(ledgers[number % processes]?.charge(chargeFor(`i${number}`, servers(1))) ?? Promise.resolve()),
        ),
      );
      await world.advance(10_000);
      const outcomes = await racing;
      expect(outcomes.filter((outcome) => outcome === 'fine')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(10);
      expect(await books()).toEqual(quiet(10));
      expect(await allocated()).toEqual({ servers: { committed: 10, reserved: 0 } });
    }
  });

  it('needs a project of the organization that is not being deleted', async () => {
    const { process, books, store } = await stage();
    const ledger = process('one');
    await ledger.charge(chargeFor('kept', servers(1)));
    await modify(store, Project, projectId, (project) => ({
      ...project,
      metadata: { ...project.metadata, finalizers: ['unikorn'] },
    }));
    await store.delete(Project, projectId);
    expect(await outcomeOf(ledger.charge(chargeFor('i', servers(1))))).toBe('invalid_request');
    expect(
      await outcomeOf(
        ledger.charge({ ...chargeFor('i', servers(1)), scope: { organizationId, projectId: organizationId } }),
      ),
    ).toBe('not_found');
    expect(
      await outcomeOf(
        ledger.charge({ ...chargeFor('kept', servers(1)), scope: { organizationId, projectId: otherProjectId } }),
      ),
    ).toBe('conflict');
    expect(await outcomeOf(ledger.charge(chargeFor('kept', servers(2))))).toBe('fine');
    expect(await books()).toEqual(quiet(2));
  });

  it('of an unknown organization is refused and creates no ledger', async () => {
    const { process, store } = await stage();
    expect(
      await outcomeOf(
        process('one').charge({ ...chargeFor('i', servers(1)), scope: { organizationId: projectId, projectId } }),
      ),
    ).toBe('not_found');
    expect((await store.list(QuotaLedger)).items).toEqual([]);
  });

  it('that may only change does not create', async () => {
    const { process, books } = await stage();
    expect(await outcomeOf(process('one').charge({ ...chargeFor('i', servers(1)), ifAbsent: 'refuse' }))).toBe(
      'not_found',
    );
    expect(await books()).toBeUndefined();
  });

  it('does not wait for others of its organization: a hundred charges take a few ledger writes', async () => {
    const { store, process, books } = await stage();
    await setLimits(store, organizationId, { servers: 1_000 });
    let writes = 0;
    const counting = interpose(store, (call, happen) => {
      if (call.verb === 'updateStatus') writes++;
      return happen();
    });
    const ledger = process('one', counting);
    await Promise.all(Array.from({ length: 100 }, (_, number) => ledger.charge(chargeFor(`i${number}`, servers(1)))));
    expect(await books()).toEqual(quiet(100));
    expect(writes).toBeLessThan(10);
  });
});

describe('limits', () => {
  it('that are exceeded still allow decreases, releases, and charges of other kinds', async () => {
    const { store, process, books } = await stage();
    const ledger = process('one');
    await setLimits(store, organizationId, { servers: 20 });
    await ledger.charge(chargeFor('i', servers(8)));
    await ledger.charge(chargeFor('j', servers(8)));
    await modify(store, QuotaLedger, organizationId, (current) => ({ ...current, spec: { limits: { servers: 4 } } }));

    expect(await outcomeOf(ledger.charge(chargeFor('k', servers(1))))).toBe('quota_exceeded');
    expect(await outcomeOf(ledger.charge(chargeFor('k', { kind: 'networks', committed: 1, reserved: 0 })))).toBe(
      'fine',
    );
    expect(await outcomeOf(ledger.charge(chargeFor('i', servers(7))))).toBe('fine');
    await ledger.release(organizationId, allocationIdOf(organizationId, chargeFor('j').resource));
    expect((await books())?.totals).toEqual({
      servers: { committed: 7, reserved: 0 },
      networks: { committed: 1, reserved: 0 },
    });
  });

  it('are those of the catalogue until they are set, and omitted ones stay unchanged', async () => {
    const { store } = await stage();
    const quantities = async () =>
      Object.fromEntries((await readQuotas(store, organizationId)).map(({ kind, quantity }) => [kind, quantity]));
    const defaults = {
      networks: 5,
      loadbalancers: 5,
      clusters: 5,
      servers: 10,
      gpus: 40,
      publicips: 5,
      filestorage: 2 ** 40,
      volume: 0,
    };
    expect(await quantities()).toEqual(defaults);
    await setLimits(store, organizationId, { servers: 3 });
    await setLimits(store, organizationId, { gpus: 1 });
    expect(await quantities()).toEqual({ ...defaults, servers: 3, gpus: 1 });
  });

  it('cannot be lowered below the usage, also during concurrent charges', async () => {
    const { store, process } = await stage();
    const ledger = process('one');
    const [charged, lowered] = await Promise.all([
      outcomeOf(ledger.charge(chargeFor('i', servers(8)))),
      outcomeOf(setLimits(store, organizationId, { servers: 7 })),
    ]);
    expect([charged, lowered].filter((outcome) => outcome === 'fine')).toHaveLength(1);
    await setLimits(store, organizationId, { servers: 30 });
    await ledger.charge(chargeFor('j', servers(9)));
    expect(await outcomeOf(setLimits(store, organizationId, { servers: 1 }))).toBe('quota_exceeded');
  });

  it('that is too low is refused with what is used and reserved, and with what to do', async () => {
    const { store, process } = await stage();
    await process('one').charge(chargeFor('i', servers(4, 2), { kind: 'filestorage', committed: 2048, reserved: 0 }));
    await expect(setLimits(store, organizationId, { servers: 5 })).rejects.toThrow(
      'the limit of servers cannot be 5: it must cover what is taken (used: 4, reserved: 2). Set it to 6 or more, or first delete resources that are no longer needed',
    );
    await expect(setLimits(store, organizationId, { filestorage: 1024 })).rejects.toThrow(
      'the limit of filestorage cannot be 1024 bytes: it must cover what is taken (used: 2048 bytes, reserved: 0 bytes). Set it to 2048 bytes or more',
    );
    await setLimits(store, organizationId, { servers: 6, filestorage: 2048 });
  });
});

describe('a release', () => {
  it('releases a charge once, for any number of requests', async () => {
    const { world, process, books, store } = await stage();
    const [one, two] = [process('one'), process('two')];
    await one.charge(chargeFor('i', servers(4)));
    await one.charge(chargeFor('j', servers(1)));
    const id = allocationIdOf(organizationId, chargeFor('i').resource);
    const racing = Promise.all([one, two, one].map((ledger) => ledger.release(organizationId, id)));
    await world.advance(1_000);
    await racing;
    await two.release(organizationId, id);
    expect(await books()).toEqual(quiet(1));
    expect((await store.list(Allocation)).items).toHaveLength(1);
  });

  it.each(['a release', 'a charge'])(
    '%s that read before another process released everything releases nothing twice',
    async (which) => {
      const { world, shared, process, books, allocated } = await stage();
      const id = allocationIdOf(organizationId, chargeFor('i').resource);
      await process('one').charge(chargeFor('i', servers(4)));
      await process('one').charge(chargeFor('bystander', servers(5)));
      await world.settle();
      const gate = Promise.withResolvers<undefined>();
      let looks = 0;
      const stalling = interpose(shared, async (call, happen) => {
        const result = await happen();
        if (call.kind.id === Allocation.id && call.verb === 'get' && ++looks === 1) await gate.promise;
        return result;
      });
      const late =
        which === 'a release'
          ? process('two', stalling).release(organizationId, id)
          : process('two', stalling).charge(chargeFor('i', servers(1)));
      await world.settle();
      await process('one').release(organizationId, id);
      gate.resolve(undefined);
      await late;
      expect((await books())?.totals).toEqual({ servers: { committed: which === 'a release' ? 5 : 6, reserved: 0 } });
      expect((await books())?.totals).toEqual(await allocated());
    },
  );

  it('by another organization does nothing', async () => {
    const { process, books } = await stage();
    const ledger = process('one');
    await ledger.charge(chargeFor('i', servers(4)));
    await ledger.release(projectId, allocationIdOf(organizationId, chargeFor('i').resource));
    expect(await books()).toEqual(quiet(4));
  });
});
