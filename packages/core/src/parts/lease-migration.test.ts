import { expect, it } from 'vitest';

import { Lease } from '../controller/lease.ts';
import { MigrationRecord, runMigrations } from '../migration/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, silentTelemetry, virtualWorld } from '../testing/index.ts';
import { leaseMigration } from './lease-migration.ts';

const spec = { holderIdentity: 'killed', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' };

async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Lease, MigrationRecord] });
  await store.create(Lease, { metadata: { name: 'old-controllers' }, spec });
  const leases = async () =>
    (await store.list(Lease)).items.map(({ metadata, spec: { holderIdentity } }) => [metadata.name, holderIdentity]);
  return { context: { store, world, telemetry: silentTelemetry() }, store, leases };
}

it('the lease of an earlier version is removed', async () => {
  const { context, leases } = await stage();
  await runMigrations(context, [leaseMigration({ name: 'test-leases', from: 'old-controllers' })]);
  expect(await leases()).toEqual([]);
});

it('the part that reads who was killed gets the old lease, also when the migration is interrupted', async () => {
  const { context, store, leases } = await stage();
  const migration = leaseMigration({ name: 'test-leases', from: 'old-controllers', to: 'test/controller' });
  const dying = interpose(store, (call, happen) =>
    call.verb === 'delete' ? Promise.reject(new Error('killed')) : happen(),
  );
  await expect(migration.run({ ...context, store: dying })).rejects.toThrow('killed');
  await runMigrations(context, [migration]);
  expect(await leases()).toEqual([['test-controller', 'killed']]);
});
