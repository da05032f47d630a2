import { EventSourceParserStream } from 'eventsource-parser/stream';

import { ApiError, ConnectionError, isPutOff } from './errors.ts';
import { waits } from './limits.ts';
import { reasonOf, type Platform } from './platform.ts';

/**
 * A step in the life of what is followed. First come the things there are (`added`), then `synced`, then changes as
 * they happen. `reset` says that everything seen so far is void and comes again.
 */
export type Change<Read, Gone = Departed> =
  | { readonly type: 'added' | 'modified'; readonly object: Read }
  | { readonly type: 'deleted'; readonly object: Gone }
  | { readonly type: 'synced' | 'reset' };

/** All that is told of something that is gone. */
export interface Departed {
  readonly metadata: { readonly id: string };
}

/** Opens a stream, from where the last one ended where there was one. */
export type OpenStream = (lastEventId: string | undefined) => Promise<Response>;

/**
 * Hears that what is followed cannot be reached, and why, each time that this is tried; and, with nothing, that it can
 * be again.
 */
export type OnInterruption = (error: Error | undefined) => void;

/**
 * The changes of a stream that is opened again, where it was, whenever it ends. It ends for good when the signal
 * aborts, by throwing its reason.
 */
export async function* followed<Read>(
  open: OpenStream,
  { sleep }: Platform,
  signal: AbortSignal | undefined,
  onInterruption: OnInterruption = () => undefined,
): AsyncGenerator<Change<Read>, never> {
  let position: string | undefined;
  let failures = 0;
  let interrupted = false;
  while (true) {
    try {
      const { body } = await open(position);
      if (interrupted) onInterruption(undefined);
      interrupted = false;
      for await (const { event, data, id } of eventsOf(body, signal)) {
        failures = 0;
        position = id ?? position;
        const change = changeOf<Read>(event, data);
        if (change?.type === 'reset') position = undefined;
        if (change) yield change;
      }
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      // A refusal is final, unless the service asks to try again later.
      if (error instanceof ApiError && error.status < 500 && !isPutOff(error)) throw error;
      // A stream that is cut is nothing to speak of, unless it cannot be opened again.
      if (error instanceof ApiError || error instanceof ConnectionError) {
        interrupted = true;
        onInterruption(error);
      }
    }
    if (signal?.aborted) throw reasonOf(signal);
    await sleep(Math.min(waits.firstReconnect_ms * 2 ** failures, waits.longestReconnect_ms), signal);
    failures += 1;
  }
}

interface Received {
  readonly event?: string | undefined;
  readonly data: string;
  readonly id?: string | undefined;
}

/**
 * The signal is told to the stream itself: that of a request is forgotten once the request has been collected, which a
 * long stream outlives.
 */
function eventsOf(body: Response['body'], signal: AbortSignal | undefined): AsyncIterable<Received> {
  if (!body) throw new TypeError('the answer has no body to follow');
  return body.pipeThrough(new TextDecoderStream(), signal ? { signal } : {}).pipeThrough(new EventSourceParserStream());
}

function changeOf<Read>(event: string | undefined, data: string): Change<Read> | undefined {
  // The service checks what it sends against its own description, from which the types are generated.
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
    default:
      return undefined;
  }
}
