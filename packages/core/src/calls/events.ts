import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { defined } from '../defined.ts';
import type { ServerEvent } from '../http/index.ts';
import { limits } from '../limits.ts';

const types = new Set<string>(['added', 'modified', 'deleted', 'synced', 'bookmark', 'reset']);

function isType(text: string): text is ServerEvent['event'] {
  return types.has(text);
}

/** The events in a body of server-sent events. Unknown types are ignored: a newer service may send some. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parsed: ServerEvent[] = [];
  const parser = createParser({
    // An object on the wire is smaller than twice its stored size.
    maxBufferSize: 2 * limits.objectBytes,
    onEvent: (message) => parsed.push(...eventOf(message)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parsed.splice(0);
  }
}

function eventOf({ event = '', id, data }: EventSourceMessage): readonly ServerEvent[] {
  if (!isType(event)) return [];
  const content: unknown = JSON.parse(data);
  return [{ event, data: content, ...defined({ id }) }];
}
