import type { Ending } from './exit-codes.ts';

/** An error that ends a command: the message, the exit code, and hints. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly ending: Exclude<Ending, 'done'>;
  /** Each hint is one line, such as `unikorn login https://cloud.example.com`. */
  readonly hints: readonly string[];

  constructor(ending: Exclude<Ending, 'done'>, message: string, ...hints: readonly string[]) {
    super(message);
    this.ending = ending;
    this.hints = hints;
  }
}

/** Not an error: diff has found differences. Its exit code shows this to scripts. */
export class Differences extends Error {
  override readonly name = 'Differences';
}

/** Another program ran for this command. Its exit code is the result. */
export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded';
  readonly code: number;

  constructor(code: number) {
    super(`the program ended with ${code}`);
    this.code = code;
  }
}
