import { ApiError, ConnectionError, errorOf, isPutOff } from './errors.ts';
import { waits } from './limits.ts';
import { reasonOf, type Platform } from './platform.ts';

/**
 * A token, or a function that returns a valid one. When a service refuses a token (401), the function is called again
 * with that token. If it returns another one, the request is sent once more.
 */
export type TokenSource = string | ((refused?: Refused) => string | Promise<string>);

export interface Refused {
  /** The token that a service refused. */
  readonly refused: string;
}

export interface TransportOptions {
  readonly token: TokenSource | undefined;
  /** The number of retries of a request that may be repeated. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  readonly platform: Platform;
}

/**
 * Sends a request with the token, retries it if that is safe, and returns only successful responses. Other responses
 * are thrown as errors.
 */
export type Transport = (request: Request) => Promise<Response>;

export function transport({ token, retries, signal, platform }: TransportOptions): Transport {
  return async (given) => {
    const request = signal ? new Request(given, { signal: AbortSignal.any([given.signal, signal]) }) : given;
    const tokens = tokensOf(token);
    for (let attempt = 0; ; attempt += 1) {
      let outcome = await attemptOf(request.clone(), await tokens.next(), platform);
      if (isRefusedToken(outcome) && (await tokens.renewed()))
        outcome = await attemptOf(request.clone(), await tokens.next(), platform);
      if (outcome.kind === 'answer') return outcome.response;
      if (attempt >= retries || outcome.done === 'for good' || (outcome.done === 'perhaps' && !repeatable(request)))
        throw outcome.error;
      await platform.sleep(
        outcome.after_ms ?? Math.min(waits.firstRetry_ms * 2 ** attempt, waits.longestRetry_ms),
        request.signal,
      );
    }
  };
}

interface Tokens {
  next(): Promise<string | undefined>;
  /** Whether there is another token than the last one. It is asked for once per request. */
  renewed(): Promise<boolean>;
}

function tokensOf(token: TokenSource | undefined): Tokens {
  let sent: string | undefined;
  let renewed: string | undefined;
  let asked = false;
  return {
    next: async () => {
      sent = renewed ?? (typeof token === 'function' ? await token() : token);
      renewed = undefined;
      return sent;
    },
    renewed: async () => {
      if (asked || typeof token !== 'function' || sent === undefined) return false;
      asked = true;
      const given = await token({ refused: sent });
      renewed = given === sent ? undefined : given;
      return renewed !== undefined;
    },
  };
}

/** A request with an invalid token had no effect, so it can be sent again, also if it is a POST. */
function isRefusedToken(outcome: Outcome): boolean {
  return outcome.kind === 'failure' && outcome.error instanceof ApiError && outcome.error.status === 401;
}

type Outcome =
  | { readonly kind: 'answer'; readonly response: Response }
  | { readonly kind: 'failure'; readonly error: Error; readonly done: Done; readonly after_ms?: number };

/** Whether a failed request may have had an effect. A request that failed `for good` would fail again. */
type Done = 'nothing' | 'perhaps' | 'for good';

/** A request that was refused with 408 or 429 had no effect. */
function doneBy(status: number): Done {
  if (isPutOff({ status })) return 'nothing';
  return status === 503 ? 'perhaps' : 'for good';
}

async function attemptOf(request: Request, bearer: string | undefined, { fetch }: Platform): Promise<Outcome> {
  const target = `${request.method} ${request.url}`;
  if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`);
  let response: Response;
  try {
    response = isStream(request)
      ? await fetch(request)
      : await whole(
          await fetch(
            new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(waits.request_ms)]) }),
          ),
        );
  } catch (cause) {
    if (request.signal.aborted) return { kind: 'failure', error: reasonOf(request.signal), done: 'for good' };
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    return {
      kind: 'failure',
      error: new ConnectionError(
        target,
        isLate ? new Error(`no answer within ${waits.request_ms / 1000} seconds`) : cause,
      ),
      done: isLate ? 'for good' : 'perhaps',
    };
  }
  if (response.ok && isOurs(response)) return { kind: 'answer', response };
  const after_ms = retryAfter(response);
  return {
    kind: 'failure',
    error: await errorOf(response, target),
    done: doneBy(response.status),
    ...(after_ms === undefined ? {} : { after_ms }),
  };
}

function isStream({ headers }: Request): boolean {
  return headers.get('accept') === 'text/event-stream';
}

/** Reads the whole body, so that a connection that breaks before the end is an error and not a response. */
async function whole(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text === '' ? null : text, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

/** At a wrong address, the response may come from any server. */
function isOurs({ headers, body }: Response): boolean {
  return body === null || /^(application\/json|text\/event-stream)\b/.test(headers.get('content-type') ?? '');
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, waits.longestRetry_ms) : undefined;
}

/** A repeated POST could run twice, unless it has a key by which the service recognizes it. */
function repeatable({ method, headers }: Request): boolean {
  return method !== 'POST' || headers.has('idempotency-key');
}
