import { onTestFinished, describe, expect, it } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';

import { carriers } from '../testing/carriers.ts';
import { openCarriers } from '../calls/carriers.fixture.ts';
import { limits, waits } from '../limits.ts';
import { lineProtocol, type Line } from '../lines/index.ts';
import { echoRoute, type Echo } from './echo.fixture.ts';
import { openBench, thingId, thingRoutes, type Bench, type BenchOptions } from './things.fixture.ts';

const path = `/api/v2/things/${thingId(1)}/terminal`;

async function start(options: BenchOptions = {}) {
  const echoes: Echo[] = [];
  const bench = await openBench({ routes: [...thingRoutes, echoRoute(echoes)], ...options });
  onTestFinished(() => bench[Symbol.asyncDispose]());
  await bench.makeThing(thingId(1));
  await bench.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...bench, echoes, makeThing: (...given: Parameters<Bench['makeThing']>) => bench.makeThing(...given) };
}

interface Client {
  readonly socket: WebSocket;
  /** Text of binary frames, and text frames as parsed JSON. */
  readonly heard: unknown[];
  /** The code and reason of the close, or the status of a refusal. */
  readonly over: Promise<unknown>;
  /** Waits until something was heard. */
  readonly until: (count: number) => Promise<readonly unknown[]>;
}

function client(
  { app }: Pick<Bench, 'app'>,
  options: ClientOptions & { protocols?: string[]; url?: string } = {},
): Client {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { protocols = [lineProtocol], url = path, headers = { authorization: 'Bearer member' }, ...rest } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${url}`, protocols, { ...rest, headers });
  onTestFinished(() => {
    socket.terminate();
  });
  const heard: unknown[] = [];
  let wake = () => {};
  socket.on('message', (data: Buffer, isBinary) => {
    heard.push(isBinary ? data.toString() : (JSON.parse(data.toString()) as unknown));
    wake();
  });
  socket.on('error', () => undefined);
  const over = new Promise<unknown>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    });
    socket.on('unexpected-response', (_request, response) => {
      void response.toArray().then((chunks) => {
        resolve({
          status: response.statusCode,
          body: JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as unknown,
        });
        socket.terminate();
      });
    });
  });
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return heard;
  };
  return { socket, heard, over, until };
}

describe('a line', () => {
  it('carries bytes both ways after it is open', async () => {
    const bench = await start();
    const { socket, until } = client(bench);
    await until(1);
    socket.send('hello');
    expect(await until(2)).toEqual([{ type: 'open' }, 'HELLO']);
    expect(socket.protocol).toBe(lineProtocol);
  });

  it('tells a request that does not ask for a WebSocket whether it could be opened', async () => {
    const bench = await start();
    expect((await bench.call('GET', path)).json()).toEqual({ upgrade: 'websocket', protocol: lineProtocol });
    expect((await bench.call('GET', path, { as: 'reader' })).statusCode).toBe(403);
    expect(bench.echoes).toHaveLength(0);
  });

  it('takes the token of a browser from its sub-protocols, and does not send it back', async () => {
    const bench = await start();
    const token = `base64url.bearer.unikorn-cloud.org.${Buffer.from('member').toString('base64url')}`;
    const { socket, until } = client(bench, { protocols: [lineProtocol, token], headers: {} });
    expect(await until(1)).toEqual([{ type: 'open' }]);
    expect(socket.protocol).toBe(lineProtocol);
  });

  it.each([
    ['without a token', {}, 401],
    ['with a wrong token', { authorization: 'Bearer nobody' }, 401],
    ['without the right', { authorization: 'Bearer reader' }, 403],
    ['of a stranger', { authorization: 'Bearer stranger' }, 404],
    ['of a page of another site', { authorization: 'Bearer member', origin: 'https://evil.example.com' }, 403],
    ['of a page without an origin', { authorization: 'Bearer member', origin: 'null' }, 403],
  ])('is refused %s', async (_, headers, status) => {
    const bench = await start();
    expect(await client(bench, { headers }).over).toMatchObject({ status });
    expect(bench.echoes).toHaveLength(0);
  });

  it('opens for pages of the server itself, and of configured sites', async () => {
    const bench = await start({ cors: { allowOrigins: ['https://console.example.com'], maxAge_s: 1 } });
    const address = bench.app.server.address();
    const own = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    for (const origin of [own, 'https://console.example.com']) {
      const { until } = client(bench, { headers: { authorization: 'Bearer member', origin } });
      expect(await until(1)).toEqual([{ type: 'open' }]);
    }
  });

  it('that cannot be opened says why', async () => {
    const bench = await start();
    await bench.makeThing(thingId(2), { colour: 'blue' });
    const { heard, over } = client(bench, { url: `/api/v2/things/${thingId(2)}/terminal` });
    expect(await over).toEqual({ code: 4409, reason: 'a blue thing has no terminal' });
    expect(heard).toMatchObject([
      { type: 'end', status: 409, error: 'conflict', error_description: 'a blue thing has no terminal' },
    ]);
  });

  it.each([
    ['end', { code: 1000, reason: 'the machine has ended the connection' }],
    ['fail', { code: 4409, reason: 'the thing is broken' }],
  ])('that its machine ends (%s) is closed', async (word, closed) => {
    const bench = await start();
    const { socket, over, until } = client(bench);
    await until(1);
    socket.send(word);
    expect(await over).toEqual(closed);
  });

  it('is closed at the machine when the client leaves', async () => {
    const bench = await start();
    const { socket, until } = client(bench);
    await until(1);
    socket.terminate();
    await expect.poll(() => bench.echoes[0]?.isClosed).toBe(true);
  });

  it('ends within five seconds after the right is withdrawn', async () => {
    const bench = await start();
    const { over, until } = client(bench);
    await until(1);
    bench.authenticator.grants.set('member', { acl: { organizations: [{ id: 'o1' }] } });
    await bench.world.advance(5000);
    expect(await over).toMatchObject({ code: 4403 });
    expect(bench.echoes[0]?.isClosed).toBe(true);
  });

  it('ends when the token expires', async () => {
    const bench = await start();
    const { acl = {} } = bench.authenticator.grants.get('member') ?? {};
    bench.authenticator.grants.set('member', { acl, expiresAt: bench.world.now() + 20_000 });
    const { over, until } = client(bench);
    await until(1);
    await bench.world.advance(25_000);
    expect(await over).toMatchObject({ code: 4401 });
  });

  it('is cut when the client does not answer pings', async () => {
    const bench = await start();
    const { until, over } = client(bench, { autoPong: false });
    await until(1);
    for (let beat = 0; beat < 6; beat++) await bench.world.advance(waits.heartbeat_ms);
    expect(await over).toMatchObject({ code: 1006 });
  });

  it('ends when the server stops, with a code that asks the client to connect again', async () => {
    const bench = await start();
    const { until, over } = client(bench);
    await until(1);
    const closing = bench.app.close();
    expect(await over).toEqual({ code: 1001, reason: 'the server stops; connect again' });
    await closing;
  });

  it('does not take a frame that is too large', async () => {
    const bench = await start();
    const { until, over, socket } = client(bench);
    await until(1);
    socket.send('x'.repeat(limits.linePieceBytes + 1));
    expect(await over).toMatchObject({ code: 1009 });
    await expect.poll(() => bench.echoes[0]?.isClosed).toBe(true);
  });

  it('is one of a limited number', async () => {
    const bench = await start();
    const clients = Array.from({ length: limits.linesPerObject }, () => client(bench));
    for (const { until } of clients) await until(1);
    expect(await client(bench).over).toMatchObject({ code: 4429 });
    clients[0]?.socket.terminate();
    await expect.poll(() => bench.echoes.filter(({ isClosed }) => isClosed).length).toBe(1);
    expect(await client(bench).until(1)).toEqual([{ type: 'open' }]);
  });

  it('leaves ordinary requests with another upgrade alone', async () => {
    const bench = await start();
    const address = bench.app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { get } = await import('node:http');
    const status = await new Promise((resolve) => {
      get(
        {
          port,
          host: '127.0.0.1',
          path,
          headers: { authorization: 'Bearer member', connection: 'Upgrade', upgrade: 'h2c' },
        },
        (response) => {
          resolve(response.statusCode);
          response.resume();
        },
      );
    });
    expect(status).toBe(200);
  });

  it('of a path that is none is answered like any request', async () => {
    const bench = await start();
    expect(await client(bench, { url: '/api/v2/nothing' }).over).toMatchObject({ status: 404 });
    expect(await client(bench, { url: `/api/v2/things/${thingId(1)}` }).over).toMatchObject({ status: 200 });
  });
});

describe.each(carriers)('a line to another service, %s', (carrier) => {
  const onBehalf = { principal: { actor: 'jane@example.com', organizationId: 'o1' }, impersonate: false };
  const call = (number: number) =>
    ({ method: 'GET', path: '/api/v2/things/{thingID}/terminal', params: { thingID: thingId(number) } }) as const;

  async function opened() {
    const echoes: Echo[] = [];
    const bench = await openCarriers({ routes: [...thingRoutes, echoRoute(echoes)] });
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2), { colour: 'blue' });
    const stop = new AbortController();
    return {
      ...bench,
      echoes,
      stop,
      open: (number: number) => bench.bound[carrier].open(onBehalf, call(number), stop.signal),
    };
  }

  async function read({ pieces }: Line, count: number): Promise<string> {
    let text = '';
    for await (const piece of pieces) {
      text += Buffer.from(piece).toString();
      if (text.length >= count) break;
    }
    return text;
  }

  it('carries bytes both ways', async () => {
    const { open } = await opened();
    const line = await open(1);
    await line.send(Buffer.from('hello'));
    expect(await read(line, 5)).toBe('HELLO');
    line.close();
  });

  it('is refused with the reason of the service', async () => {
    const { open } = await opened();
    await expect(open(2)).rejects.toMatchObject({ code: 'conflict', message: 'a blue thing has no terminal' });
    await expect(open(9)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ends with the reason of the service', async () => {
    const { open } = await opened();
    const line = await open(1);
    await line.send(Buffer.from('fail'));
    await expect(read(line, 5)).rejects.toMatchObject({ code: 'conflict', message: 'the thing is broken' });
  });

  it('ends at the service when it is closed', async () => {
    const { open, echoes } = await opened();
    const line = await open(1);
    line.close();
    await expect.poll(() => echoes[0]?.isClosed).toBe(true);
    expect(await read(line, 5)).toBe('');
  });
});

it('a line ends when nothing is typed or shown for a long time', async () => {
  const echoes: Echo[] = [];
  const { bound, world, makeThing } = await openCarriers({ routes: [...thingRoutes, echoRoute(echoes)] });
  await makeThing(thingId(1));
  const line = await bound['in the same process'].open(
    { principal: { actor: 'jane@example.com' }, impersonate: false },
    { method: 'GET', path: '/api/v2/things/{thingID}/terminal', params: { thingID: thingId(1) } },
    new AbortController().signal,
  );
  await world.advance(waits.lineIdle_ms - 60_000);
  await line.send(Buffer.from('still here'));
  await world.advance(waits.lineIdle_ms - 60_000);
  expect(echoes[0]?.isClosed).toBe(false);
  await world.advance(waits.lineIdle_ms);
  await expect(
    (async () => {
      for await (const piece of line.pieces) expect(Buffer.from(piece).toString()).toBe('STILL HERE');
    })(),
  ).rejects.toMatchObject({ message: expect.stringContaining('30 minutes') as string });
});
