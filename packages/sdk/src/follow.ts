import { EventSourceParserStream } from 'eventsource-parser/stream';

import { ApiError, ConnectionError, isPutOff } from './errors.ts';
import { waits } from './limits.ts';
import { reasonOf, type Platform } from './platform.ts';

/**
 * An event of a stream. First come the existing objects (`added`), then `synced`, then changes as they happen. `reset`
 * means that all earlier events are void, and the existing objects come again.
 */
export type Change<Read, Gone = Departed> =
  | { readonly type: 'added' | 'modified'; readonly object: Read }
  | { readonly type: 'deleted'; readonly object: Gone }
  | { readonly type: 'synced' | 'reset' };

/** The content of a deletion event: only the id of the object. */
export interface Departed {
  readonly metadata: { readonly id: string };
}

/** Opens a stream, from the position at which the last one ended. */
export type OpenStream = (lastEventId: string | undefined) => Promise<Response>;

/** Is called with the error for each failed attempt to connect, and with undefined when the connection works again. */
export type OnInterruption = (error: Error | undefined) => void;

/**
 * The changes of a stream. The stream is opened again at its last position whenever it ends. If the signal aborts, it
 * throws the reason.
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
      // A broken stream is only reported if it cannot be opened again.
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
 * The signal is also passed to the stream. The runtime forgets the signal of a request after the request is
 * garbage-collected, and a long stream lives longer than that.
 */
function eventsOf(body: Response['body'], signal: AbortSignal | undefined): AsyncIterable<Received> {
  if (!body) throw new TypeError('the response has no body to follow');
  return body.pipeThrough(new TextDecoderStream(), signal ? { signal } : {}).pipeThrough(new EventSourceParserStream());
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
