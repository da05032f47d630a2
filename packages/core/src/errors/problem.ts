import { problems, type ProblemCode, type ProblemEntry } from './registry.ts';

interface ProblemOptions {
  /** The underlying error, for the log only; users never see it. */
  readonly cause?: unknown;
  /** After how long it is worth asking again, where that is not what the table says. */
  readonly retryAfter_s?: number;
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
  readonly #retryAfter_s: number | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options);
    this.code = code;
    this.#retryAfter_s = options.retryAfter_s;
  }

  get retryAfter_s(): number | undefined {
    const entry: ProblemEntry = problems[this.code];
    return this.#retryAfter_s ?? entry.retryAfter_s;
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
