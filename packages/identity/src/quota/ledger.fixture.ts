import { isProblem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { Allocation, QuotaLedger } from '../kinds/quota.ts';
import type { Charge } from './allocation.ts';
import { combine, toAmounts, type AmountEntry, type Amounts } from './amounts.ts';
import { Ledger } from './ledger.ts';

export const organizationId = 'a0000000-0000-4000-8000-000000000001';
export const projectId = 'b0000000-0000-4000-8000-000000000001';
export const otherProjectId = 'b0000000-0000-4000-8000-000000000002';

export function servers(committed: number, reserved = 0): AmountEntry {
  return { kind: 'servers', committed, reserved };
}

export function chargeFor(id: string, ...amounts: readonly AmountEntry[]): Charge {
  return {
    scope: { organizationId, projectId },
    resource: { kind: 'instances.compute.unikorn-cloud.org', id },
    amounts,
    naming: { name: 'undefined' },
    author: { subject: 'unikorn-compute' },
    ifAbsent: 'charge',
  };
}

/**
 * An organization with two projects, and as many processes as a test starts. None of them owns the store exclusively.
 */
export async function stage(seed = 1) {
  const world = virtualWorld(seed);
  const telemetry = silentTelemetry();
  const store = openMemoryStore({ world, kinds: [Organization, Project, Allocation, QuotaLedger] });
  const shared = interpose(store, (_call, happen) => happen(), { sole: false });
  await store.create(Organization, { metadata: { name: organizationId }, spec: {} });
  for (const name of [projectId, otherProjectId]) {
    await store.create(Project, {
      metadata: { name, labels: { [labels.organization]: organizationId } },
      spec: { groupIDs: [] },
    });
  }
  const process = (processName: string, over: Store = shared) =>
    new Ledger({ store: over, world, telemetry, processName });
  const books = async () => {
    await world.settle();
    return (await store.get(QuotaLedger, organizationId))?.status;
  };
  const allocated = async (): Promise<Amounts> => {
    const { items } = await store.list(Allocation);
    return items.map(({ spec }) => toAmounts(spec.allocations)).reduce((sum, amounts) => combine(sum, amounts, 1), {});
  };
  return { world, telemetry, store, shared, process, books, allocated };
}

/** The code of the problem that a promise fails with, or `fine`. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'fine';
  } catch (error) {
    if (isProblem(error)) return error.code;
    throw error;
  }
}
