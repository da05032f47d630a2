import type { Ending } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

/** A mistake in the files, and its position, such as `stack.yaml:14`. */
export interface Mistake {
  readonly at: string;
  readonly message: string;
}

/** Ends the command if there are mistakes, and reports all of them together. */
export function demandNone(mistakes: readonly Mistake[], ending: Exclude<Ending, 'done'> = 'usage'): void {
  const [only, ...others] = mistakes
    .toSorted((one, other) => one.at.localeCompare(other.at, undefined, { numeric: true }))
    .map(({ at, message }) => `${at}: ${message}`);
  if (only === undefined) return;
  if (others.length === 0) throw new Failure(ending, only, 'nothing was changed');
  throw new Failure(ending, `${others.length + 1} problems were found; nothing was changed`, only, ...others);
}
