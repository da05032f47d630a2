import { describe, expect, it } from 'vitest';

import { Caches } from '@unikorn/core/controller';
import { Life } from '@unikorn/core/testing';

import { Allocation, allocationIdOf } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import { chargeFor, organizationId, servers, stage } from './ledger.fixture.ts';
import { LedgerSweeper } from './sweeper.ts';

type Stage = Awaited<ReturnType<typeof stage>>;

function sweep({ world, telemetry, shared, process }: Stage) {
  const context = { store: shared, world, telemetry };
  const caches = new Caches(context);
  const stop = new AbortController();
  const sweeper = new LedgerSweeper(process('sweeping'), { ...context, caches });
  const running = Promise.all([caches.run(stop.signal), sweeper.run(stop.signal)]);
  return async () => {
    stop.abort();
    await running;
  };
}

describe('the sweeper', () => {
  it('ends unfinished changes, although no request uses the ledger again', async () => {
    const scene = await stage();
    const life = new Life(scene.shared, 5);
    void scene.process('dying', life.store).charge(chargeFor('i', servers(10)));
    await scene.world.settle();
    expect((await scene.books())?.pending).toHaveLength(1);
    const stop = sweep(scene);
    await scene.world.until(async () => (await scene.books())?.pending?.length === 0, 2 * waits.quotaChange_ms);
    expect((await scene.books())?.totals).toEqual({});
    expect(await scene.telemetry.registry.metrics()).toContain('unikorn_quota_settled_total{verdict="reverted"} 1');
    await stop();
  });

  it('measures the use of quotas and their limits, while it runs in this process', async () => {
    const scene = await stage();
    await scene.process('one').charge(chargeFor('i', servers(3)));
    await scene.world.settle();
    const stop = sweep(scene);
    const measured = () => scene.telemetry.registry.metrics();
    const series = (name: string) => `${name}{organization_id="${organizationId}",kind="servers"}`;
    await scene.world.until(async () => (await measured()).includes(`${series('unikorn_quota_used')} 3`), 60_000);
    expect(await measured()).toContain(`${series('unikorn_quota_limit')} 10`);
    expect(await measured()).not.toContain('kind="networks"');
    await stop();
    expect(await measured()).not.toContain(series('unikorn_quota_used'));
  });

  it('finds totals that differ from the sum of the allocations, corrects and counts them', async () => {
    const scene = await stage();
    await scene.process('one').charge(chargeFor('i', servers(3)));
    await scene.world.settle();
    await scene.store.delete(Allocation, allocationIdOf(organizationId, chargeFor('i').resource));
    const stop = sweep(scene);
    await scene.world.until(async () => Object.keys((await scene.books())?.totals ?? {}).length === 0, 60_000);
    expect(await scene.telemetry.registry.metrics()).toContain('unikorn_quota_drift_total 1');
    await stop();
  });
});
