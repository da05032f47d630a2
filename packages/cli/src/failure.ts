import type { Ending } from './exit-codes.ts';

/** A command that cannot go on: what happened and why, how that counts for scripts, and what to do about it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly ending: Exclude<Ending, 'done'>;
  /** Each a line of its own, such as `unikorn login https://cloud.example.com`. */
  readonly hints: readonly string[];

  constructor(ending: Exclude<Ending, 'done'>, message: string, ...hints: readonly string[]) {
    super(message);
    this.ending = ending;
    this.hints = hints;
  }
}

/** Not a failure: a command that looks for differences has shown some, and scripts are told by how it ends. */
export class Differences extends Error {
  override readonly name = 'Differences';
}
