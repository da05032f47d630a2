import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

/** A client of one event stream over a real connection. */
export interface EventStream {
  readonly response: IncomingMessage;
  readonly events: { readonly event: string; readonly id: string | undefined; readonly data: unknown }[];
  readonly ended: () => boolean;
  /** Resolves once the stream has sent this many events of the kind. */
  has(event: string, count?: number): Promise<void>;
  close(): void;
}

/**
 * Opens an event stream over a real connection. The server starts to listen if it does not yet.
 *
 * @example const stream = await openEventStream(server, '/compute/api/v2/instances', { authorization: `Bearer ${token}` });
 */
export async function openEventStream(
  app: FastifyInstance,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const address = app.server.address();
  if (address === null || typeof address === 'string') await app.listen({ port: 0, host: '127.0.0.1' });
  const listening = app.server.address();
  if (listening === null || typeof listening === 'string') throw new Error('the server does not listen');
  return openEventStreamAt(listening.port, url, headers);
}

/**
 * Opens an event stream of a server at this port of the local machine.
 *
 * @example const stream = await openEventStreamAt(replica.ports.open, '/compute/api/v2/instances', headers);
 */
export async function openEventStreamAt(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const outgoing = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    headers: { accept: 'text/event-stream', ...headers },
  });
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return follow(response, () => outgoing.destroy());
}

function follow(response: IncomingMessage, close: () => void): EventStream {
  const events: EventStream['events'] = [];
  let text = '';
  let over = false;
  let wake = () => {};
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    events.push(...blocks.map(parseBlock));
    wake();
  });
  response
    .on('error', () => undefined)
    .on('close', () => {
      over = true;
      wake();
    });
  const count = (event: string) => events.filter((other) => other.event === event).length;
  return {
    response,
    events,
    ended: () => over,
    has: async (event, wanted = 1) => {
      while (count(event) < wanted) {
        if (over) throw new Error(`the stream ended with ${count(event)} of ${wanted} ${event} events`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close,
  };
}

function parseBlock(block: string): EventStream['events'][number] {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? 'null') };
}
