import { createParser } from 'eventsource-parser';

import { ApiError, ConnectionError, isPutOff } from './errors.ts';
import { waits } from './limits.ts';
import { reasonOf, type Platform } from './platform.ts';

/**
 * An event of a stream. First come the existing objects (`added`), then `synced`, then changes as they happen. `reset`
 * means that all earlier events are void, and the existing objects come again.
 */
export type Change<Read, Gone = Departed> =
  // One member for each type, so that a comparison of the type narrows the event.
  | { readonly type: 'added'; readonly object: Read }
  | { readonly type: 'modified'; readonly object: Read }
  | { readonly type: 'deleted'; readonly object: Gone }
  | { readonly type: 'synced' }
  | { readonly type: 'reset' };

/** The content of a deletion event: only the id of the object. */
export interface Departed {
  readonly metadata: { readonly id: string };
}

/** Opens a stream, from the position at which the last one ended. The signal ends the connection. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** Is called with the error for each failed attempt to connect, and with undefined when the connection works again. */
export type OnInterruption = (error: Error | undefined) => void;

/**
 * Is called when the stream is opened, and for everything that is received, including the heartbeats that are no
 * changes. The position is the argument of `from` for a later stream that continues here.
 */
export type OnAlive = (position: string | undefined) => void;

export interface Following {
  readonly platform: Pick<Platform, 'sleep' | 'after'>;
  /** Names the request in errors, such as `GET https://cloud.example.com/compute/api/v2/instances`. */
  readonly request: string;
  readonly signal?: AbortSignal | undefined;
  /** The position at which the stream begins; without one, it begins with the existing objects. */
  readonly from?: string | undefined;
  readonly onInterruption?: OnInterruption | undefined;
  readonly onAlive?: OnAlive | undefined;
}

/**
 * The changes of a stream. The stream is opened again at its last position whenever it ends, and when nothing is
 * received for longer than the heartbeats take. If the signal aborts, it throws the reason.
 */
export async function* followed<Read>(open: OpenStream, following: Following): AsyncGenerator<Change<Read>, never> {
  const { platform, request, signal, from, onInterruption, onAlive } = following;
  let position = from;
  let failures = 0;
  let interrupted = false;
  while (true) {
    const connection = connectionUnder(signal, platform, request);
    try {
      connection.listen();
      const { body } = await open(position, connection.signal);
      connection.hush();
      if (interrupted) onInterruption?.(undefined);
      interrupted = false;
      onAlive?.(position);
      for await (const { event, data, id } of eventsOf(body, connection)) {
        failures = 0;
        position = id ?? position;
        const change = changeOf<Read>(event, data);
        if (change?.type === 'reset') position = undefined;
        onAlive?.(position);
        if (change) yield change;
      }
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      // A refusal is final, unless the service asks to try again later.
      if (error instanceof ApiError && error.status < 500 && !isPutOff(error)) throw error;
      // A broken stream is only reported if it cannot be opened again. A silent one has been useless for a while.
      if (error instanceof ApiError || error instanceof ConnectionError) {
        interrupted = true;
        onInterruption?.(error);
      }
    } finally {
      connection.end();
    }
    if (signal?.aborted) throw reasonOf(signal);
    await platform.sleep(Math.min(waits.firstReconnect_ms * 2 ** failures, waits.longestReconnect_ms), signal);
    failures += 1;
  }
}

/** One connection of a stream. It is aborted when it is silent for too long. */
interface Connection {
  readonly signal: AbortSignal;
  /** From now on something must be received in time. */
  readonly listen: () => void;
  /** Something was received, or nothing is read at the moment. */
  readonly hush: () => void;
  readonly end: () => void;
}

function connectionUnder(
  signal: AbortSignal | undefined,
  { after }: Pick<Platform, 'after'>,
  request: string,
): Connection {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(reasonOf(signal));
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let cancel = () => {};
  const hush = () => {
    cancel();
  };
  return {
    signal: controller.signal,
    listen: () => {
      cancel();
      cancel = after(waits.silence_ms, () => {
        const silence = new Error(`nothing was received for ${waits.silence_ms / 1000} seconds`);
        controller.abort(new ConnectionError(request, silence));
      });
    },
    hush,
    end: () => {
      hush();
      signal?.removeEventListener('abort', abort);
    },
  };
}

interface Received {
  readonly event?: string | undefined;
  readonly data: string;
  readonly id?: string | undefined;
}

/**
 * The signal is also passed to the stream. The runtime forgets the signal of a request after the request is
 * garbage-collected, and a long stream lives longer than that. Not every browser can iterate over a stream, so it is
 * read with a reader.
 *
 * The events are parsed piece by piece as they arrive. A stream of events would cost a timer and several promises for
 * each of thousands of events.
 */
async function* eventsOf(body: Response['body'], { signal, listen, hush }: Connection): AsyncGenerator<Received> {
  if (!body) throw new TypeError('the response has no body to follow');
  const received: Received[] = [];
  const parser = createParser({ onEvent: (event) => received.push(event) });
  const reader = body.pipeThrough(new TextDecoderStream(), { signal }).getReader();
  try {
    while (true) {
      listen();
      const { done, value } = await reader.read();
      hush();
      if (done) return;
      parser.feed(value);
      for (const event of received.splice(0)) {
        signal.throwIfAborted();
        yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function changeOf<Read>(event: string | undefined, data: string): Change<Read> | undefined {
  // The service validates its events against its own schema, from which the types are generated.
  const wire: { parse(text: string): Read } = JSON;
  const departures: { parse(text: string): Departed } = JSON;
  switch (event) {
    case 'added':
    case 'modified':
      return { type: event, object: wire.parse(data) };
    case 'deleted':
      return { type: event, object: departures.parse(data) };
    case 'synced':
    case 'reset':
      return { type: event };
    case undefined:
    default:
      return undefined;
  }
}
