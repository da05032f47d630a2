import type { Saga } from './types.ts';

const ranks: Readonly<Partial<Record<string, number>>> = { stuck: 0, unwinding: 1, running: 2 };

/**
 * The sagas that need an operator come first, and then the oldest.
 *
 * @example sagasByUrgency(await dataOf(unikorn.compute.GET('/api/v1/sagas')));
 */
export function sagasByUrgency(sagas: readonly Saga[]): readonly Saga[] {
  return sagas.toSorted(
    (one, other) =>
      (ranks[one.state] ?? 3) - (ranks[other.state] ?? 3) ||
      Date.parse(one.startedTime) - Date.parse(other.startedTime),
  );
}
