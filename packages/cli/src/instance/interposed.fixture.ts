import { once } from 'node:events';
import { createServer, request as open, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Product } from '../testing/product.ts';

export interface Interposed extends AsyncDisposable {
  readonly url: string;
}

/** A proxy between a command and the server. It runs a function just before it forwards the first change. */
export async function interposed({ url }: Product, before: () => Promise<void>): Promise<Interposed> {
  let changes = 0;
  const server = createServer((request, response) => {
    const isFirstChange = request.method === 'PUT' && (changes += 1) === 1;
    void (isFirstChange ? before() : Promise.resolve()).then(() => {
      forward(url, request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function forward(url: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', headers } = request;
  const onward = open(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
}
