import type { World } from '@unikorn/core/world';

import type { ProviderFailure } from '../../../provider/index.ts';
import { answeredFailure, CloudError, silentFailure, type CallLabel } from './failures.ts';
import { NoAnswer, type Http, type HttpReply, type HttpRequest } from './http.ts';
import { limits } from './limits.ts';
import type { Recorder } from './recorder.ts';

export interface CallRequest extends CallLabel, Omit<HttpRequest, 'deadline_ms'> {
  /** Whether it may be sent again when it is unknown whether it was carried out. */
  readonly repeatable: boolean;
  /** For all attempts together, if it differs from the usual time. */
  readonly deadline_ms?: number | undefined;
}

/** Calls of a cloud with their repetitions. Fails with a `ProviderFailure` where there is no answer. */
export interface Calls {
  send(request: CallRequest): Promise<HttpReply>;
  failureOf(call: CallLabel, reply: HttpReply): ProviderFailure;
}

export function callsOver(http: Http, world: World, recorder: Recorder): Calls {
  async function attempt(
    request: CallRequest,
    left_ms: number,
    trace: Readonly<Record<string, string>>,
  ): Promise<HttpReply | NoAnswer> {
    // Where a call cannot be sent again, giving it up early gains nothing, and the cloud may still carry it out. The
    // upload of an image takes as long as its caller allows.
    const isSentAgain = request.repeatable && request.deadline_ms === undefined;
    const deadline_ms = isSentAgain ? Math.min(left_ms, limits.attempt_ms) : left_ms;
    try {
      return await http.send({ ...request, headers: { ...request.headers, ...trace }, deadline_ms });
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      throw error;
    }
  }

  async function send(request: CallRequest): Promise<HttpReply> {
    const until_ms = world.monotonic_ms() + (request.deadline_ms ?? limits.call_ms);
    for (let failures = 0; ; failures++) {
      const outcome = await recorder.attempt(request, (trace) =>
        attempt(request, until_ms - world.monotonic_ms(), trace),
      );
      const pause_ms = pauseAfter(request, outcome, failures, world.random());
      if (pause_ms === undefined || pause_ms >= until_ms - world.monotonic_ms()) {
        if (outcome instanceof NoAnswer) throw silentFailure(request, outcome);
        return outcome;
      }
      await world.sleep(pause_ms);
    }
  }

  return {
    send,
    failureOf: (call, reply) => {
      const failure = answeredFailure(call, reply);
      // That something does not exist is an answer, and no refusal.
      if (failure.cause instanceof CloudError && failure.kind !== 'not_found') recorder.refused(failure.cause);
      return failure;
    },
  };
}

/** Statuses after which the request was not carried out. */
const refusedForNow = new Set([413, 429]);
/** Statuses after which it is unknown whether the request was carried out. */
const failedForNow = new Set([500, 502, 503, 504]);

/** How long to wait before the next attempt; undefined where there is none. */
function pauseAfter(
  { repeatable, body }: CallRequest,
  outcome: HttpReply | NoAnswer,
  failures: number,
  random: number,
): number | undefined {
  const isStream = body !== undefined && typeof body !== 'string';
  if (failures >= limits.repetitions || isStream) return undefined;
  const pause_ms = (limits.pauseMin_ms * 2 ** failures * (1 + random)) / 2;
  if (outcome instanceof NoAnswer) {
    if (outcome.silence === 'unreachable') return pause_ms;
    return repeatable && (outcome.silence === 'timeout' || outcome.silence === 'broken') ? pause_ms : undefined;
  }
  const after_ms = retryAfter_ms(outcome);
  if (refusedForNow.has(outcome.status)) {
    // Without a time to wait, 413 means that the request is too large.
    if (outcome.status === 413 && after_ms === undefined) return undefined;
    return withinReason(after_ms, pause_ms);
  }
  return repeatable && failedForNow.has(outcome.status) ? withinReason(after_ms, pause_ms) : undefined;
}

/** The cloud's own wish counts. A long one ends the call. */
function withinReason(after_ms: number | undefined, pause_ms: number): number | undefined {
  if (after_ms === undefined) return pause_ms;
  return after_ms <= limits.retryAfter_ms ? Math.max(after_ms, pause_ms) : undefined;
}

function retryAfter_ms({ headers }: HttpReply): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
}

/** The body of an answer; undefined where it is not JSON. */
export function jsonOf({ text }: HttpReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
