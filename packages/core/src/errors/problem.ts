import { problems, type ProblemCode } from './registry.ts';

interface ProblemOptions {
  /** What really happened, for the log only; a user never sees it. */
  readonly cause?: unknown;
}

/**
 * The one error type of the platform. Its message is shown to users, so it is lower case, has no full stop, never holds
 * another tenant's data, and names what the reader can change.
 *
 * @example throw new Problem('not_found', `network ${id} does not exist`);
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options);
    this.code = code;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

export function isProblem(error: unknown, code?: ProblemCode): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

/** A value that was thrown, as an Error; JavaScript can throw anything. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a value that is not an error was thrown: ${String(thrown)}`);
}
