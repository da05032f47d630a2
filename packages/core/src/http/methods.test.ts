import { METHODS } from 'node:http';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RawRoute } from './index.ts';
import { openBench, thingId, type Bench } from './things.fixture.ts';

const form: RawRoute = {
  method: 'POST',
  path: '/form',
  handler: async (_request, reply) => {
    await reply.send('taken');
  },
};

let bench: Bench;
let port: number;

beforeAll(async () => {
  bench = await openBench({ rawRoutes: [form] });
  await bench.app.listen({ port: 0, host: '127.0.0.1' });
  const address = bench.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Answered {
  readonly status: number;
  readonly allow: string | undefined;
  readonly body: unknown;
}

/** Sends the bytes as they are: clients refuse to send methods that they do not know. */
async function send(method: string, target: string, headers: readonly string[] = [], body = ''): Promise<Answered> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [`${method} ${target} HTTP/1.1`, 'Host: things.example.com', 'Connection: close', ...headers, '', body].join(
      '\r\n',
    ),
  );
  const text = (await socket.setEncoding('utf8').toArray()).join('');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const content = rest.join('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    allow: /^allow: (.*)$/im.exec(head)?.[1],
    body: content === '' ? undefined : JSON.parse(content),
  };
}

const bodies: readonly (readonly [string, readonly string[], string])[] = [
  ['no body', [], ''],
  ['JSON', ['Content-Type: application/json', 'Content-Length: 2'], '{}'],
  ['a body without a type', ['Content-Length: 2'], '{}'],
  ['a type that is none', ['Content-Type: ;', 'Content-Length: 2'], '{}'],
];

const taken = ['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'];
const untaken = [...METHODS.filter((method) => !taken.includes(method)), 'FOO', 'get', "M-!#$%&'*+.^_`|~"];

describe('a method that a path does not support', () => {
  it.each(bodies)('is answered with 405 and what the path takes, sent with %s', async (_name, headers, body) => {
    for (const method of untaken) {
      const answered = await send(method, '/api/v2/things?limit=1', headers, body);
      expect({ method, ...answered }).toMatchObject({
        method,
        status: 405,
        allow: 'GET, POST, HEAD, OPTIONS',
        body: { error: 'method_not_allowed', error_description: 'this path supports GET, POST, HEAD, OPTIONS' },
      });
    }
  });

  it.each(bodies)('is answered with 404 where this path does not exist, sent with %s', async (_name, headers, body) => {
    for (const method of untaken) {
      const answered = await send(method, '/nothing', headers, body);
      expect({ method, ...answered }).toMatchObject({
        method,
        status: 404,
        allow: undefined,
        body: { error: 'not_found', error_description: 'this path does not exist' },
      });
    }
  });

  it.each([
    ['/form', 'POST, OPTIONS'],
    ['/healthz', 'GET, HEAD'],
    [`/api/v2/things/${thingId(1)}`, 'GET, PUT, DELETE, HEAD, OPTIONS'],
    [`/api/v2/things/${thingId(1)}/start`, 'POST, OPTIONS'],
  ])('is refused at %s, which supports %s', async (path, allow) => {
    for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'FOO'])
      expect(await send(method, path)).toMatchObject({ status: 405, allow });
  });

  it('is refused when it asks for a tunnel', async () => {
    expect(await send('CONNECT', 'elsewhere.example.com:443')).toMatchObject({
      status: 405,
      body: { error: 'method_not_allowed' },
    });
  });
});
