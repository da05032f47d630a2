import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { createTelemetry } from '../telemetry/index.ts';
import { capture, virtualWorld } from '../testing/index.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import type { RawRoute } from './route.ts';
import { createServer } from './server.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const echo: RawRoute = {
  method: 'POST',
  path: '/form/{secret}',
  handler: (request, reply) => {
    if (request.body === 'fail') throw new Problem('forbidden', 'not today');
    void reply.type('text/html').send(`<p>${request.params['secret'] ?? ''} ${request.body ?? ''}</p>`);
    return Promise.resolve();
  },
};

const address: RawRoute = {
  method: 'GET',
  path: '/address',
  handler: (request, reply) => {
    void reply.send(request.ip);
    return Promise.resolve();
  },
};

const hijacking: RawRoute = {
  method: 'GET',
  path: '/raw',
  handler: (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(202, { 'content-type': 'text/plain' }).end('by hand');
    return Promise.resolve();
  },
};

async function start(certificates: 'forwarded' | 'none' = 'none', trustedProxies: readonly string[] = []) {
  const world = virtualWorld();
  const lines: string[] = [];
  const telemetry = createTelemetry({
    service: 'test',
    version: '0',
    world,
    log: { level: 'debug', destination: capture(lines), pretty: false },
    tracing: { samplingRatio: 0 },
  });
  const store = openMemoryStore({ world, kinds: [IdempotencyRecord] });
  const authenticator = {
    authenticate: () => Promise.reject(new Problem('access_denied', 'nobody')),
    access: () => Promise.resolve({}),
  };
  const server = await createServer({
    services: [
      {
        name: 'test',
        version: '0',
        base: '/test',
        routes: [],
        rawRoutes: [echo, hijacking, address],
        authenticator,
        authorizationServer: 'https://identity.example.com',
      },
    ],
    store,
    world,
    telemetry,
    certificates,
    trustedProxies,
  });
  cleanups.push(
    () => server.close(),
    () => store.close(),
  );
  return { server, lines };
}

describe('a raw route', () => {
  it('gets its body as text whatever its type, and can send any response', async () => {
    const { server } = await start();
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/odd']) {
      const answer = await server.inject({
        method: 'POST',
        url: '/test/form/x',
        headers: { 'content-type': type },
        payload: 'a=1&a=2',
      });
      expect(answer).toMatchObject({
        statusCode: 200,
        body: '<p>x a=1&a=2</p>',
        headers: { 'access-control-allow-origin': '*' },
      });
    }
    expect(await server.inject('/test/raw')).toMatchObject({ statusCode: 202, body: 'by hand' });
  });

  it('fails with the contract error', async () => {
    const { server } = await start();
    const answer = await server.inject({
      method: 'POST',
      url: '/test/form/x',
      headers: { 'content-type': 'text/plain' },
      payload: 'fail',
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: 'forbidden', error_description: 'not today' });
  });

  it('has preflights and refuses other methods, as every route does', async () => {
    const { server } = await start();
    expect(
      await server.inject({
        method: 'OPTIONS',
        url: '/test/form/x',
        headers: { 'access-control-request-method': 'POST' },
      }),
    ).toMatchObject({ statusCode: 204 });
    expect(await server.inject('/test/form/x')).toMatchObject({ statusCode: 405, headers: { allow: 'POST, OPTIONS' } });
  });

  it('is measured and logged by its template alone, also when it answers by hand', async () => {
    const { server, lines } = await start();
    await server.inject({
      method: 'POST',
      url: '/test/form/hidden',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    });
    await server.inject('/test/raw');
    const logged = lines.join('');
    expect(logged).toContain('/test/form/{secret}');
    expect(logged).toContain('"path":"/test/raw"');
    expect(logged).not.toContain('hidden');
    expect((await server.inject('/test/metrics')).body).toMatch(
      /unikorn_http_request_duration_seconds_count\{method="GET",route="\/test\/raw",status="202"\} 1/,
    );
  });

  it('gets the address of the client from the TLS terminator if there is one, and from no other sender', async () => {
    const asked = {
      url: '/test/address',
      remoteAddress: '192.0.2.1',
      headers: { 'x-forwarded-for': '203.0.113.66, 198.51.100.7' },
    };
    expect((await (await start()).server.inject(asked)).body).toBe('192.0.2.1');
    expect((await (await start('forwarded')).server.inject(asked)).body).toBe('198.51.100.7');
  });

  it.each([
    {
      client: '198.51.100.7',
      peer: '192.0.2.1',
      forwarded: '203.0.113.66, 198.51.100.7',
      why: 'the proxy is trusted by its block',
    },
    {
      client: '203.0.113.66',
      peer: '192.0.2.1',
      forwarded: '203.0.113.66, 2001:db8::1',
      why: 'one trusted proxy stands behind another',
    },
    { client: '203.0.113.1', peer: '203.0.113.1', forwarded: '198.51.100.7', why: 'the peer is not a trusted proxy' },
    { client: '192.0.2.1', peer: '192.0.2.1', forwarded: undefined, why: 'the proxy says nothing' },
  ])(
    'knows the address $client of a client: peer $peer, X-Forwarded-For $forwarded ($why)',
    async ({ client, peer: remoteAddress, forwarded }) => {
      const { server } = await start('none', ['192.0.2.0/24', '2001:db8::1']);
      expect(
        (
          await server.inject({
            url: '/test/address',
            remoteAddress,
            headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
          })
        ).body,
      ).toBe(client);
    },
  );

  it('is not part of the document', async () => {
    const { server } = await start();
    expect((await server.inject('/test/openapi.json')).body).not.toContain('/form/');
  });
});
