import { isDeepStrictEqual } from 'node:util';

import { labels } from '@unikorn/core/resource';
import type { AllocationSummary } from '@unikorn/identity/client';

import type { ComputeInstance } from '../../kinds/index.ts';
import { amountsOf, storedPrice } from '../../sagas/index.ts';
import type { Finding } from '../finding.ts';

/**
 * The charge of an instance must match its cost. For an instance that is being deleted, the controller settles the
 * charge after the server is deleted.
 */
export function checkCharge(
  id: string,
  instance: ComputeInstance | undefined,
  allocation: AllocationSummary | undefined,
): readonly Finding[] {
  if (instance?.metadata.deletionTimestamp !== undefined) return [];
  const { uid, generation } = instance?.metadata ?? {};
  const evidence = `${uid} ${generation} ${allocation?.time} ${JSON.stringify(allocation?.amounts)}`;
  try {
    const message = wrongWith(instance, allocation);
    return message === undefined ? [] : [{ checker: 'allocation-drift', id, evidence, message }];
  } catch {
    return [
      {
        checker: 'incomplete-record',
        id,
        evidence,
        message: 'its recorded cost cannot be read',
      },
    ];
  }
}

function wrongWith(
  instance: ComputeInstance | undefined,
  allocation: AllocationSummary | undefined,
): string | undefined {
  if (!instance) return allocation && 'its quota is charged, but the instance does not exist';
  if (!allocation) return 'its quota is not charged';
  if (allocation.scope.projectId !== instance.metadata.labels?.[labels.project])
    return 'its quota is charged to another project';
  const [charged, costs] = [chargedFor(allocation), costOf(instance)];
  return isDeepStrictEqual(charged, costs)
    ? undefined
    : `it costs ${JSON.stringify(costs)}, but is charged ${JSON.stringify(charged)}`;
}

/** By kind, without zero amounts. */
type Amounts = Readonly<Record<string, number>>;

function chargedFor(allocation: AllocationSummary): Amounts {
  return amounts(allocation.amounts.map(({ kind, committed, reserved }) => [kind, committed + reserved]));
}

function costOf(instance: ComputeInstance): Amounts {
  return amounts(
    Object.entries(amountsOf(storedPrice(instance))).map(([kind, { committed, reserved }]) => [
      kind,
      committed + reserved,
    ]),
  );
}

function amounts(entries: readonly (readonly [string, number])[]): Amounts {
  return Object.fromEntries(entries.filter(([, amount]) => amount > 0));
}
