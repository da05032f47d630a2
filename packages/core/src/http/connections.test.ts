import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { Type } from 'typebox';
import { describe, expect, it, vi } from 'vitest';

import { createTelemetry } from '../telemetry/index.ts';
import { capture, virtualWorld } from '../testing/index.ts';
import { route, type RawRoute, type Route } from './index.ts';
import { openBench, thingRoutes, validThing, type Bench } from './things.fixture.ts';

async function listen(bench: Bench): Promise<number> {
  await bench.app.listen({ port: 0, host: '127.0.0.1' });
  const address = bench.app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

const authorized = { authorization: 'Bearer member', 'content-type': 'application/json' };

function scripted(handler: () => Promise<{ status: 200; body: string }>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/run',
      operationId: 'run',
      summary: 'Run',
      tags: ['Test'],
      security: 'bearer',
      responses: { 200: Type.String() },
      handler,
    }),
  ];
}

describe('a body that is too large', () => {
  it('is refused by its declared length before it is sent', async () => {
    await using bench = await openBench({ limits: { bodyBytes: 1000 } });
    const outgoing = httpRequest({
      port: await listen(bench),
      method: 'POST',
      path: '/api/v2/things',
      headers: { ...authorized, 'content-length': 10_000_000 },
    });
    outgoing.on('error', () => undefined);
    outgoing.flushHeaders();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    const body = JSON.parse((await response.setEncoding('utf8').toArray()).join('')) as object;
    expect(body).toMatchObject({
      error: 'request_entity_too_large',
      error_description: 'body: is too large',
    });
    outgoing.destroy();
  });

  it('is refused as soon as it exceeds the limit, if its length is not declared', async () => {
    await using bench = await openBench({ limits: { bodyBytes: 1000 } });
    const outgoing = httpRequest({
      port: await listen(bench),
      method: 'POST',
      path: '/api/v2/things',
      headers: { ...authorized, 'transfer-encoding': 'chunked' },
    });
    outgoing.on('error', () => undefined);
    outgoing.write('x'.repeat(2000));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    outgoing.destroy();
  });
});

describe('a client that holds a connection', () => {
  it.each([
    ['without sending its headers', 'GET /api/v2/things HTTP/1.1\r\nHost: x\r\n'],
    [
      'without sending its body',
      `POST /api/v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer member\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
  ])('%s is cut off', async (_name, text) => {
    await using bench = await openBench({ limits: { headersTimeout_ms: 100, receiveTimeout_ms: 200 } });
    const socket = connect(await listen(bench), '127.0.0.1');
    socket.write(text);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('and does not speak HTTP gets a plain refusal', async () => {
    await using bench = await openBench();
    const socket = connect(await listen(bench), '127.0.0.1');
    socket.write('hello\r\n\r\n');
    const text = await readAll(socket);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: 'invalid_request',
      error_description: 'the request is not valid HTTP',
    });
  });

  it('and sends endless headers is refused', async () => {
    await using bench = await openBench();
    const socket = connect(await listen(bench), '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('a handler that takes too long', () => {
  it('gets an aborted signal, and the client gets the contract error', async () => {
    let audited: number | undefined;
    const slow = route({
      method: 'POST',
      path: '/slow',
      operationId: 'slow',
      summary: 'Slow',
      tags: ['Test'],
      security: 'bearer',
      responses: { 200: Type.String() },
      handler: ({ signal }) => {
        signal.addEventListener('abort', () => {
          audited = bench.audited.length;
        });
        return new Promise(() => undefined);
      },
    });
    await using bench = await openBench({ routes: [slow] });
    const pending = bench.call('POST', '/slow');
    await bench.world.advance(30_000);
    const response = await pending;
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '10']);
    expect(response.json()).toMatchObject({
      error: 'server_error',
      error_description:
        'no result within 30 seconds, because a system that the request needs is too slow at the moment; the change may have been made: read the resource before you send it again',
    });
    // The handler was informed before the end of the exchange, and not by it.
    expect(audited).toBe(0);
  });
});

describe('a client that goes away', () => {
  it('aborts the handler, is audited, and leaves nothing in progress', async () => {
    let signal: AbortSignal | undefined;
    const waiting = route({
      method: 'GET',
      path: '/wait',
      operationId: 'wait',
      summary: 'Wait',
      tags: ['Test'],
      security: 'bearer',
      responses: { 202: null },
      handler: async (request) => {
        signal = request.signal;
        await once(request.signal, 'abort');
        return { status: 202 };
      },
    });
    await using bench = await openBench({ routes: [{ ...waiting, method: 'POST' }] });
    const outgoing = httpRequest({
      port: await listen(bench),
      method: 'POST',
      path: '/wait',
      headers: authorized,
    }).end();
    outgoing.on('error', () => undefined);
    const [arrived] = (await once(bench.app.server, 'request')) as [IncomingMessage];
    await bench.world.settle();
    expect(await bench.telemetry.registry.metrics()).toContain('unikorn_http_requests_in_flight 1');
    const gone = once(arrived.socket, 'close');
    outgoing.destroy();
    await gone;
    await bench.world.settle();
    expect(signal?.aborted).toBe(true);
    expect(bench.audited).toMatchObject([{ operation: { id: 'wait' }, result: { status: 202 } }]);
    expect(await bench.telemetry.registry.metrics()).toContain('unikorn_http_requests_in_flight 0');
  });
});

describe('a body that does not arrive in full', () => {
  const upload: RawRoute = { method: 'POST', path: '/raw', handler: () => Promise.reject(new Error('never reached')) };
  const cut: Route = route({
    method: 'POST',
    path: '/cut',
    operationId: 'cut',
    summary: 'Fail',
    tags: ['Test'],
    security: 'bearer',
    body: Type.Object({}),
    responses: { 202: null },
    handler: () => Promise.reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
  });

  const options = {
    routes: [...thingRoutes, cut],
    rawRoutes: [upload],
    limits: { headersTimeout_ms: 2_000, receiveTimeout_ms: 2_000 },
  };

  function watched() {
    const lines: string[] = [];
    const telemetry = createTelemetry({
      service: 'things',
      version: '1',
      world: virtualWorld(),
      log: { level: 'info', destination: capture(lines) },
      tracing: { samplingRatio: 0 },
    });
    return {
      telemetry,
      requests: () => lines.map((line) => JSON.parse(line) as object).filter((line) => 'status' in line),
    };
  }

  it.each([
    ['/api/v2/things', 'the client closes the connection'],
    ['/raw', 'the client closes the connection'],
    ['/api/v2/things', 'time runs out'],
    ['/raw', 'time runs out'],
  ])('at %s because %s is not a server failure', async (path, reason) => {
    const { telemetry, requests } = watched();
    await using bench = await openBench({ ...options, telemetry });
    const socket = connect(await listen(bench), '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer member\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await once(bench.app.server, 'request');
    if (reason === 'the client closes the connection') socket.destroy();
    await vi.waitFor(
      () => {
        expect(requests()).toMatchObject([
          { level: 'info', message: 'request refused', status: 400, description: 'body: is incomplete' },
        ]);
      },
      { timeout: 300_000 },
    );
  });

  it('is not confused with a broken connection to another service', async () => {
    const { telemetry, requests } = watched();
    await using bench = await openBench({ ...options, telemetry });
    expect((await bench.call('POST', '/cut', { body: {} })).statusCode).toBe(500);
    expect(requests()).toMatchObject([{ level: 'error', message: 'request failed' }]);
  });
});

describe('a server that stops', () => {
  it('finishes the requests in progress and accepts no new ones', async () => {
    let finish: (value: { status: 200; body: string }) => void = () => undefined;
    const bench = await openBench({ routes: scripted(() => new Promise((resolve) => (finish = resolve))) });
    const port = await listen(bench);
    const outgoing = httpRequest({ port, path: '/run', headers: authorized }).end();
    await once(bench.app.server, 'request');
    await bench.world.settle();
    const closing = bench.app.close();
    await bench.world.settle();
    const late = connect(port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toThrow();
    finish({ status: 200, body: 'done' });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await closing;
    await bench.store.close();
  });

  it('cuts off requests that do not finish in time', async () => {
    const bench = await openBench({ routes: scripted(() => new Promise(() => undefined)) });
    const outgoing = httpRequest({ port: await listen(bench), path: '/run', headers: authorized }).end();
    await once(bench.app.server, 'request');
    const failed = once(outgoing, 'error');
    const closing = bench.app.close();
    await bench.world.advance(10_000);
    await failed;
    await closing;
    await bench.store.close();
  });
});

describe('a handler with a defect', () => {
  it('reveals no details', async () => {
    await using bench = await openBench({ routes: scripted(() => Promise.reject(new Error('password is hunter2'))) });
    const response = await bench.call('GET', '/run');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({
      error: 'server_error',
      error_description:
        'an unexpected error occurred; try again, and if the error persists, contact support with the trace id',
    });
  });

  it('is found by its declared schema: an error in tests, a report in production', async () => {
    const routes = [
      route({
        method: 'GET',
        path: '/run',
        operationId: 'run',
        summary: 'Run',
        tags: ['Test'],
        security: 'bearer',
        responses: { 200: Type.Object({ a: Type.Integer() }) },
        handler: () => ({ status: 200, body: JSON.parse('{"a":"no number"}') as { a: number } }),
      }),
    ];
    await using strict = await openBench({ routes });
    expect((await strict.call('GET', '/run')).statusCode).toBe(500);
    await using lenient = await openBench({ routes, contract: 'reported' });
    expect((await lenient.call('GET', '/run')).statusCode).toBe(200);
    expect(await lenient.telemetry.registry.metrics()).toContain(
      'unikorn_http_response_contract_violations_total{operation="run"} 1',
    );
  });

  it('is found when the server is composed: a path variable without a schema', async () => {
    const routes = [
      route({
        method: 'GET',
        path: '/run/{id}',
        operationId: 'run',
        summary: 'Run',
        tags: ['Test'],
        security: 'bearer',
        responses: { 200: Type.String() },
        handler: () => ({ status: 200, body: '' }),
      }),
    ];
    await expect(openBench({ routes })).rejects.toThrow('operation run: path variable id has no schema in params');
  });
});

describe('a valid request', () => {
  it('works over a real connection', async () => {
    await using bench = await openBench();
    const outgoing = httpRequest({
      port: await listen(bench),
      method: 'POST',
      path: '/api/v2/things',
      headers: authorized,
    });
    outgoing.end(JSON.stringify(validThing));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    response.resume();
  });
});
