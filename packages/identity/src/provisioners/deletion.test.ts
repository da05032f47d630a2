import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Caches } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { findCondition, labels, provisioningStatus } from '@unikorn/core/resource';
import { readHistory } from '@unikorn/core/history';
import { addReference, ReferenceRecord, removeReference } from '@unikorn/core/references';
import { matching, type Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, Life, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import type { VirtualWorld } from '@unikorn/core/world';

import { projectHistory } from '../history/index.ts';
import { Group } from '../kinds/group.ts';
import { GoneResource, identityHistoryStorage, ResourceHistory } from '../kinds/history.ts';
import { OrganizationUser } from '../kinds/membership.ts';
import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { Allocation, QuotaLedger } from '../kinds/quota.ts';
import { ServiceAccount } from '../kinds/service-account.ts';
import { Ledger } from '../quota/index.ts';
import { organizationControllers, projectControllers } from './index.ts';

const organizationId = 'a0000000-0000-4000-8000-000000000001';
const other = 'a0000000-0000-4000-8000-000000000002';
const projectIds = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002'] as const;
const reference = 'identities.region.unikorn-cloud.org/c0000000-0000-4000-8000-000000000001';
const contents = [OrganizationUser, Group, ServiceAccount];
const everything: readonly Kind[] = [Project, Allocation, ...contents];

/** One process run with all controllers of identity. */
function start(store: Store, world: VirtualWorld, processName: string) {
  const context = { store, world, telemetry: silentTelemetry() };
  const caches = new Caches(context);
  const ledger = new Ledger({ ...context, processName });
  const history = projectHistory(context);
  const stop = new AbortController();
  const controllers = [organizationControllers, projectControllers].flatMap((controllersOf) =>
    controllersOf({ ledger, contents, history }, { ...context, caches }),
  );
  void caches.run(stop.signal);
  for (const controller of controllers) void controller.run(stop.signal);
  return {
    ledger,
    stop: () => {
      stop.abort();
    },
  };
}

function charge(ledger: Ledger, projectId: string, id: string) {
  return ledger.charge({
    scope: { organizationId, projectId },
    resource: { kind: 'instances.compute.unikorn-cloud.org', id },
    amounts: [{ kind: 'servers', committed: 1, reserved: 0 }],
    naming: { name: 'undefined' },
    author: { subject: 'unikorn-compute' },
    ifAbsent: 'charge',
  });
}

async function furnish(store: Store, organization: string, projects: readonly string[]): Promise<void> {
  const scope = { [labels.organization]: organization };
  await store.create(Organization, { metadata: { name: organization, finalizers: ['unikorn'] }, spec: {} });
  for (const name of projects)
    await store.create(Project, { metadata: { name, labels: scope, finalizers: ['unikorn'] }, spec: { groupIDs: [] } });
  await store.create(Group, {
    metadata: { name: `group-of-${organization}`, labels: scope },
    spec: { subjects: [], serviceAccountIDs: [], roleIDs: [] },
  });
  await store.create(OrganizationUser, {
    metadata: { name: `member-of-${organization}`, labels: scope },
    spec: { subject: 'a@example.com', state: 'active' },
  });
  await store.create(ServiceAccount, {
    metadata: { name: `account-of-${organization}`, labels: scope },
    spec: { tokenDigest: '', expiry: '2027-01-01T00:00:00Z' },
  });
}

async function stage(seed = 1) {
  const world = virtualWorld(seed);
  const store = openMemoryStore({
    world,
    kinds: [Organization, QuotaLedger, ReferenceRecord, ResourceHistory, GoneResource, ...everything],
  });
  await furnish(store, organizationId, projectIds);
  await furnish(store, other, []);
  const left = async (organization = organizationId) => {
    const pages = await Promise.all(
      everything.map((kind) => store.list(kind, { selector: matching({ [labels.organization]: organization }) })),
    );
    const ledger = await store.get(QuotaLedger, organization);
    return [
      ...pages.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
      ...(ledger ? ['QuotaLedger'] : []),
    ];
  };
  const gone = async (kind: Kind, name: string) => (await store.get(kind, name)) === undefined;
  return { world, store, left, gone };
}

describe('organizations and projects', () => {
  it('are provisioned and healthy as soon as a controller has seen them', async () => {
    const { world, store } = await stage();
    const { stop } = start(store, world, 'one');
    const standing = async () => {
      const objects = [await store.get(Organization, organizationId), await store.get(Project, projectIds[0])];
      return objects.map(
        (object) =>
          object && [
            provisioningStatus(object, 'controlled'),
            findCondition(object.status?.conditions, 'Healthy')?.reason,
          ],
      );
    };
    await world.until(async () => (await standing()).every((one) => one?.[0] === 'provisioned'));
    expect(await standing()).toEqual([
      ['provisioned', 'Healthy'],
      ['provisioned', 'Healthy'],
    ]);
    stop();
  });
});

describe('a project that is deleted', () => {
  it('waits for its references and shows them, refuses new ones, and releases remaining charges', async () => {
    const { world, store, gone } = await stage();
    const { ledger, stop } = start(store, world, 'one');
    const [projectId, sibling] = projectIds;
    await charge(ledger, projectId, 'orphan');
    await charge(ledger, sibling, 'kept');
    await addReference({ store, world }, Project, { name: projectId }, { reference });
    await store.delete(Project, projectId);
    const message = async () =>
      findCondition((await store.get(Project, projectId))?.status?.conditions, 'Available')?.message;
    await world.until(async () => (await message())?.includes('still used by identities') ?? false);
    await expect(
      addReference({ store, world }, Project, { name: projectId }, { reference: `${reference}2` }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(charge(ledger, projectId, 'late')).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await store.list(Allocation)).items).toHaveLength(2);

    await removeReference(store, Project, projectId, reference);
    await world.until(() => gone(Project, projectId), 5_000);
    await world.settle();
    expect((await store.list(Allocation)).items.map(({ spec }) => spec.id)).toEqual(['kept']);
    expect((await store.get(QuotaLedger, organizationId))?.status).toEqual({
      totals: { servers: { committed: 1, reserved: 0 } },
      pending: [],
    });
    stop();
  });

  it('never loses a concurrent charge of another process: it is refused, or released with the project', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 1, max: 2 ** 30 }),
        async (delay_ms, seed) => {
          const { world, store, gone } = await stage(seed);
          const shared = interpose(store, (_call, happen) => happen(), { sole: false });
          const slow = interpose(shared, async (_call, happen) => {
            await world.sleep(world.random() * 20);
            return happen();
          });
          const { stop } = start(shared, world, 'one');
          const charging = charge(
            new Ledger({ store: slow, world, telemetry: silentTelemetry(), processName: 'two' }),
            projectIds[0],
            'racing',
          ).catch(() => undefined);
          await world.advance(delay_ms);
          await store.delete(Project, projectIds[0]);
          await world.until(() => gone(Project, projectIds[0]));
          await world.advance(1_000);
          await charging;
          expect((await store.list(Allocation)).items).toEqual([]);
          expect((await store.get(QuotaLedger, organizationId))?.status?.totals ?? {}).toEqual({});
          stop();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is removed although its organization was deleted without seeing it', async () => {
    const { world, store, gone } = await stage();
    const { stop } = start(store, world, 'one');
    const late = 'b0000000-0000-4000-8000-000000000009';
    await store.create(Project, {
      metadata: { name: late, labels: { [labels.organization]: 'f0000000-0000-4000-8000-000000000009' } },
      spec: { groupIDs: [] },
    });
    await world.until(() => gone(Project, late));
    stop();
  });
});

describe('an organization that is deleted', () => {
  it('deletes its projects first, then all its objects, and none of others', async () => {
    const { world, store, left, gone } = await stage();
    const { ledger, stop } = start(store, world, 'one');
    await charge(ledger, projectIds[0], 'i');
    await addReference({ store, world }, Project, { name: projectIds[1] }, { reference });
    await store.delete(Organization, organizationId);
    await world.until(() => gone(Project, projectIds[0]));
    await world.settle();
    expect(await left()).toEqual([
      `Project ${projectIds[1]}`,
      `OrganizationUser member-of-${organizationId}`,
      `Group group-of-${organizationId}`,
      `ServiceAccount account-of-${organizationId}`,
      'QuotaLedger',
    ]);
    expect(
      findCondition((await store.get(Organization, organizationId))?.status?.conditions, 'Available')?.message,
    ).toBe('waiting for 1 project to be deleted');
    await removeReference(store, Project, projectIds[1], reference);
    await world.until(() => gone(Organization, organizationId), 5_000);
    expect(await left()).toEqual([]);
    expect(await left(other)).toHaveLength(3);
    stop();
  });

  it('is finally removed with all its objects, wherever its processes die', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 2 ** 30 }),
        async (deaths, seed) => {
          const { world, store, left, gone } = await stage(seed);
          const first = start(store, world, 'first');
          await Promise.all([charge(first.ledger, projectIds[0], 'i'), charge(first.ledger, projectIds[1], 'j')]);
          first.stop();
          await store.delete(Organization, organizationId);
          for (const [number, death] of deaths.entries()) {
            const life = new Life(store, death);
            const { stop } = start(life.store, world, `life-${number}`);
            await world.advance(20_000);
            life.die();
            stop();
          }
          const last = start(store, world, 'last');
          await world.until(() => gone(Organization, organizationId));
          expect(await left()).toEqual([]);
          expect(await left(other)).toHaveLength(3);
          for (const id of projectIds) {
            const { entries } = await readHistory(store, identityHistoryStorage, id, {});
            expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
              'create accepted',
              'deletion begun',
              'deletion gone',
            ]);
          }
          last.stop();
        },
      ),
      { numRuns: 40 },
    );
  });
});
