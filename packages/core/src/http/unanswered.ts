import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** Nothing was changed, or another service decides how to go on. */
export const tryAgain = 'try again in a moment';

/** How a client goes on after a request that ended without a result. */
export function adviceFor(
  { method, idempotency }: Pick<Route, 'method' | 'idempotency'>,
  { caller, headers }: Pick<Request, 'caller' | 'headers'>,
): string {
  if (method === 'GET' || caller.accountType === 'system') return tryAgain;
  const change = 'the change may have been made:';
  if (idempotency !== 'replay') return `${change} read the resource before you send it again`;
  return headers['idempotency-key'] === undefined
    ? `${change} list the resources before you send it again. With an Idempotency-Key, it is safe to send it again`
    : `${change} it is safe to send it again with the same Idempotency-Key`;
}

/** The request did not end in time, because a system that it needs, such as the store, is slow or does not answer. */
export function tooLate(timeout_ms: number, advice: string): Problem {
  return new Problem(
    'unavailable',
    `no result within ${timeout_ms / 1000} seconds, because a system that the request needs is too slow at the moment; ${advice}`,
  );
}

/**
 * Adds the advice to a failure of the store. The answer to a write can be lost, and a handler can write more than once.
 * So after a failure of the store, it is not known what a handler has changed.
 */
export function advised(thrown: unknown, advice: string): unknown {
  if (!isProblem(thrown, 'storage_unavailable')) return thrown;
  const { code, message, retryAfter_s } = thrown;
  return new Problem(code, `${message}; ${advice}`, { cause: thrown.cause ?? thrown, ...defined({ retryAfter_s }) });
}
