import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { nodeTransport } from './node-transport.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the network', () => {
  it('carries a request there and its answer back', async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response
          .writeHead(418)
          .end(
            `${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['x-principal'])} ${Buffer.concat(chunks).toString()}`,
          ),
      );
    });
    expect(
      await nodeTransport({ timeout_ms: 600_000 })({
        method: 'POST',
        url: `${url}/a`,
        headers: { 'x-principal': 'p' },
        body: 'größe',
      }),
    ).toEqual({ status: 418, body: 'POST /a p größe' });
  });

  it('fails when nobody is there, when nobody answers, and when the answer breaks off', async () => {
    const silent = await serve(() => undefined);
    const broken = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      response.destroy();
    });
    const send = (url: string) => nodeTransport({ timeout_ms: 50 })({ method: 'GET', url, headers: {} });
    await expect(send('http://127.0.0.1:1/')).rejects.toThrow();
    await expect(send(silent)).rejects.toThrow('no answer within 50 ms');
    await expect(send(broken)).rejects.toThrow();
  });
});
