import type { ComputePaths } from '@unikorn/sdk';

export type Saga = ComputePaths['/api/v1/sagas']['get']['responses'][200]['content']['application/json'][number];

const ranks: Readonly<Partial<Record<string, number>>> = { stuck: 0, unwinding: 1, running: 2 };

/** What needs an operator comes first, and then what is older. */
export function byUrgency(sagas: readonly Saga[]): readonly Saga[] {
  return sagas.toSorted(
    (one, other) =>
      (ranks[one.state] ?? 3) - (ranks[other.state] ?? 3) ||
      Date.parse(one.startedTime) - Date.parse(other.startedTime),
  );
}

/** The service of a saga: the first word of its name. */
export function serviceOf({ name }: Pick<Saga, 'name'>): string {
  return name.replace(/\..*/, '');
}
