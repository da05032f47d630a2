import { problems, type ProblemCode, type ProblemEntry } from './registry.ts';

interface ProblemOptions {
  /** The underlying error, for the log only; users never see it. */
  readonly cause?: unknown;
  /** When the client should retry, if it differs from the value in the table. */
  readonly retryAfter_s?: number;
}

/**
 * The one error type of the platform. Users read its message, so it starts in lower case, has no full stop, never
 * contains data of another tenant, and names what the user can change.
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

/**
 * The request cannot be decided yet, because an earlier run of it, or its saga, has not ended. The same request can
 * succeed in a moment, so this answer is never stored for an `Idempotency-Key`.
 */
export class StillInProgress extends Problem {
  constructor(message: string, options: ProblemOptions = {}) {
    super('conflict', message, { retryAfter_s: 1, ...options });
  }
}

/** @example if (!isProblem(error, 'conflict')) throw error; */
export function isProblem(error: unknown, code?: ProblemCode): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

/** Converts a thrown value to an Error, because JavaScript can throw any value. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a value that is not an error was thrown: ${String(thrown)}`);
}
