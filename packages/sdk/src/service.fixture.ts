import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { connect, type ConnectOptions, type Unikorn } from './index.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A test service that answers requests from a script, over real connections. */
export interface Stage {
  readonly unikorn: Unikorn;
  readonly url: string;
  readonly seen: readonly Seen[];
  /** The delays that the SDK requested. */
  readonly slept: readonly number[];
  close(): Promise<void>;
}

export type Act = (response: ServerResponse, seen: Seen) => void;

export const answer =
  (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Act =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));

export const refusal = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): Act =>
  answer(status, { error, error_description: `because of ${error}`, trace_id: 'abc' }, headers);

/** Sends events, and then breaks the connection. */
export const events =
  (...blocks: readonly string[]): Act =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(blocks.map((block) => `${block}\n\n`).join(''));
  };

/** Runs the steps of the script in order, and repeats the last one. */
export async function perform(acts: readonly Act[], options: Partial<ConnectOptions> = {}): Promise<Stage> {
  const seen: Seen[] = [];
  const slept: number[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const current = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(current);
      acts[Math.min(seen.length, acts.length) - 1]?.(response, current);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const sleep = (duration_ms: number) => {
    slept.push(duration_ms);
    return Promise.resolve();
  };
  return {
    unikorn: connect({ endpoints: url, token: 'secret', ...options, platform: { sleep } }),
    url,
    seen,
    slept,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
