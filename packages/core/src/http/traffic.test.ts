import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { encodePrincipal } from '../access/index.ts';
import { forwardedCertificate } from '../access/certificate.fixture.ts';
import { Problem } from '../errors/index.ts';
import { limits, trafficLimits, type TrafficLimits } from '../limits.ts';
import { createTelemetry } from '../telemetry/index.ts';
import { capture, virtualWorld } from '../testing/index.ts';
import { listRoute, route, type Route } from './index.ts';
import { pressureOf, watchPressure } from './pressure.ts';
import { openBench, openStream, thingRoutes, type Bench } from './things.fixture.ts';
import { Traffic, type Counted } from './traffic.ts';

const ann: Counted = { type: 'caller', subject: 'ann@example.com' };
const bob: Counted = { type: 'caller', subject: 'bob@example.com' };
const at = (address: string): Counted => ({ type: 'address', address });

function refusalOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

function traffic(given: Partial<TrafficLimits> = {}) {
  const world = virtualWorld();
  return { world, traffic: new Traffic(world, { ...trafficLimits, ...given }) };
}

describe('the rate of a caller', () => {
  it('allows a burst, and then as many requests as the rate', async () => {
    const { world, traffic: counted } = traffic({ requestsPerSecond: 10, requestBurst: 20 });
    const send = (number: number) => {
      for (let sent = 0; sent < number; sent++) counted.enter(ann).leave();
    };
    send(20);
    expect(
      refusalOf(() => {
        send(1);
      }),
    ).toMatchObject({ code: 'too_many_requests', status: 429, retryAfter_s: 1 });
    await world.advance(500);
    send(5);
    expect(
      refusalOf(() => {
        send(1);
      }).status,
    ).toBe(429);
    await world.advance(60_000);
    send(20);
    expect(
      refusalOf(() => {
        send(1);
      }).status,
    ).toBe(429);
  });

  it('does not affect other callers', () => {
    const { traffic: counted } = traffic({ requestsPerSecond: 1, requestBurst: 1 });
    counted.enter(ann).leave();
    expect(refusalOf(() => counted.enter(ann)).status).toBe(429);
    counted.enter(bob).leave();
    counted.enter(undefined).leave();
  });

  it('returns how long to wait', () => {
    const { traffic: counted } = traffic({ requestsPerSecond: 0.1, requestBurst: 1 });
    counted.enter(ann).leave();
    expect(refusalOf(() => counted.enter(ann)).retryAfter_s).toBe(10);
  });
});

describe('work that is as much as several requests', () => {
  it('delays later requests, and never for longer than the limit', async () => {
    const { world, traffic: counted } = traffic({ requestsPerSecond: 10, requestBurst: 10 });
    const passage = counted.enter(ann);
    passage.use(19);
    passage.leave();
    expect(refusalOf(() => counted.enter(ann)).retryAfter_s).toBe(2);
    counted.enter(bob).use(100_000);
    expect(refusalOf(() => counted.enter(bob)).retryAfter_s).toBe(Math.ceil((limits.debt_ms + 100) / 1000));
    await world.advance(limits.debt_ms + 100);
    counted.enter(bob).leave();
  });

  it('costs our own services nothing', () => {
    const { traffic: counted } = traffic({ requestsPerSecond: 1, requestBurst: 1 });
    counted.enter(undefined).use(1_000);
    counted.enter(undefined).leave();
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8::1', '2001:db8::2', true],
    ['2001:db8:0:0:1:2:3:4', '2001:db8::ffff:0:0:1', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['::1', '::2', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ])('%s and %s: counted together is %s', (one, other, together) => {
    const { traffic: counted } = traffic({ anonymousPerSecond: 1, anonymousBurst: 1 });
    counted.enter(at(one)).leave();
    if (together) expect(refusalOf(() => counted.enter(at(other))).status).toBe(429);
    else counted.enter(at(other)).leave();
  });
});

describe('the number of requests in progress', () => {
  it('is bounded for each caller and in total, and each place is released once', () => {
    const { traffic: counted } = traffic({ requests: 2, totalRequests: 3 });
    const first = counted.enter(ann);
    counted.enter(ann);
    expect(refusalOf(() => counted.enter(ann))).toMatchObject({ code: 'too_many_requests' });
    counted.enter(bob);
    expect(refusalOf(() => counted.enter(bob))).toMatchObject({ code: 'overloaded', status: 503, retryAfter_s: 2 });
    expect(refusalOf(() => counted.enter(undefined)).status).toBe(503);
    first.leave();
    first.leave();
    counted.enter(ann);
    expect(refusalOf(() => counted.enter(bob)).status).toBe(503);
  });

  it.each(['streams', 'longAnswers'] as const)('counts %s by themselves', (what) => {
    const { traffic: counted } = traffic({ streams: 1, longAnswers: 1, totalStreams: 2, totalLongAnswers: 2 });
    const [first, second, third] = [counted.enter(ann), counted.enter(ann), counted.enter(bob)];
    first.hold(what);
    expect(
      refusalOf(() => {
        second.hold(what);
      }).status,
    ).toBe(429);
    third.hold(what);
    expect(
      refusalOf(() => {
        counted.enter(undefined).hold(what);
      }).status,
    ).toBe(503);
    first.leave();
    second.hold(what);
  });

  it('is counted for a bounded number of callers', () => {
    const { traffic: counted } = traffic({ requestsPerSecond: 1, requestBurst: 1, requests: 1 });
    const kept = counted.enter(ann);
    for (let number = 0; number < 20_000; number++)
      counted.enter({ type: 'caller', subject: `somebody-${number}` }).leave();
    expect(counted.size).toBeLessThanOrEqual(10_000);
    expect(refusalOf(() => counted.enter(ann)).message).toContain('requests');
    kept.leave();
  });
});

async function listen({ app }: Bench): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A request whose response the test releases. */
function held(): { readonly route: Route; readonly release: () => void } {
  const gate = Promise.withResolvers<undefined>();
  const waiting = route({
    method: 'GET',
    path: '/held',
    operationId: 'held',
    summary: 'Wait',
    tags: ['Test'],
    security: 'bearer',
    responses: { 200: Type.String() },
    handler: async () => {
      await gate.promise;
      return { status: 200, body: 'done' };
    },
  });
  return {
    route: waiting,
    release: () => {
      gate.resolve(undefined);
    },
  };
}

describe('a server', () => {
  it('refuses a caller over the rate again without checking the credentials, until the caller may send again', async () => {
    await using bench = await openBench({ traffic: { requestsPerSecond: 1, requestBurst: 1 } });
    const asked = () => bench.call('GET', '/api/v2/things');
    expect((await asked()).statusCode).toBe(200);
    expect((await asked()).statusCode).toBe(429);
    const authenticate = bench.authenticator.authenticate.bind(bench.authenticator);
    let looks = 0;
    bench.authenticator.authenticate = (...given) => {
      looks++;
      return authenticate(...given);
    };
    const again = asked();
    await bench.world.advance(limits.refusal_ms);
    expect([(await again).statusCode, looks]).toEqual([429, 0]);
    await bench.world.advance(1_000);
    expect([(await asked()).statusCode, looks]).toEqual([200, 1]);
  });

  it('refuses a caller over the rate with the contract error, and serves other callers and probes', async () => {
    await using bench = await openBench({ traffic: { requestsPerSecond: 1, requestBurst: 2 } });
    for (let sent = 0; sent < 2; sent++) expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
    const refused = await bench.call('GET', '/api/v2/things');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      429,
      '1',
      { error: 'forbidden', error_description: 'you may send at most 1 requests per second; try again in a moment' },
    ]);
    expect((await bench.call('GET', '/api/v2/things', { as: 'reader' })).statusCode).toBe(200);
    expect((await bench.call('GET', '/healthz', { as: null })).statusCode).toBe(200);
    await bench.world.advance(1_000);
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
  });

  it('counts a large body and a long list as several requests', async () => {
    await using bench = await openBench({ traffic: { requestsPerSecond: 1, requestBurst: 10 } });
    const create = (as: string, description: string) =>
      bench.call('POST', '/api/v2/things', {
        as,
        body: { metadata: { name: 'thing', description }, spec: { size: 1 } },
      });
    const list = async (as: string) => (await bench.call('GET', '/api/v2/things', { as })).statusCode;
    await create('member', 'x'.repeat(11 * limits.bodyBytesPerRequest));
    expect(await list('member')).toBe(429);
    for (let number = 0; number < 2_000; number++) await bench.makeThing(`${number}`);
    expect([await list('admin'), await list('admin')]).toEqual([200, 429]);
  });

  it('does not fill its log with refusals', async () => {
    const lines: string[] = [];
    const telemetry = createTelemetry({
      service: 'things',
      version: '1',
      world: virtualWorld(),
      log: { level: 'info', destination: capture(lines) },
      tracing: { samplingRatio: 0 },
    });
    await using bench = await openBench({ telemetry, traffic: { requestsPerSecond: 1, requestBurst: 1 } });
    const sent = Array.from({ length: 20 }, () => bench.call('GET', '/api/v2/things?limit=0'));
    await bench.world.advance(limits.refusal_ms);
    await Promise.all(sent);
    expect(lines.filter((line) => line.includes('request refused'))).toHaveLength(1);
  });

  it('delays the next refusal of a caller who continues, and delays only a bounded number of requests', async () => {
    await using bench = await openBench({ traffic: { requestsPerSecond: 1, requestBurst: 1 } });
    const answered: number[] = [];
    const ask = async () => answered.push((await bench.call('GET', '/api/v2/things')).statusCode);
    await ask();
    await ask();
    expect(answered).toEqual([200, 429]);
    const asked = Array.from({ length: limits.heldRefusals + 3 }, ask);
    await bench.world.settle();
    expect(answered).toHaveLength(2 + 3);
    expect((await bench.call('GET', '/api/v2/things', { as: 'reader' })).statusCode).toBe(200);
    await bench.world.advance(limits.refusal_ms);
    await Promise.all(asked);
    expect(new Set(answered.slice(1))).toEqual(new Set([429]));
  });

  it('lets callers take turns: one with many requests in progress does not block the others', async () => {
    const { route: waiting, release } = held();
    await using bench = await openBench({ routes: [...thingRoutes, waiting], traffic: {} });
    const many = Array.from({ length: limits.requestsAtWork + 4 }, () => bench.call('GET', '/held'));
    await bench.world.settle();
    const other = bench.call('GET', '/api/v2/things', { as: 'reader' });
    let isAnswered = false;
    void other.then(() => (isAnswered = true));
    await bench.world.settle();
    expect(isAnswered).toBe(false);
    // The first requests give up their places after a moment, and the other caller, who has none, is the first to get
    // one.
    await bench.world.advance(limits.atWork_ms);
    expect((await other).statusCode).toBe(200);
    release();
    await bench.world.advance(limits.atWork_ms);
    for (const answer of await Promise.all(many)) expect(answer.statusCode).toBe(200);
  });

  it('counts requests without credentials, and with bad ones, by address', async () => {
    await using bench = await openBench({ traffic: { anonymousPerSecond: 0.01, anonymousBurst: 3 } });
    const from = async (remoteAddress: string, url: string, authorization?: string) => {
      const answer = bench.app
        .inject({ url, remoteAddress, headers: authorization === undefined ? {} : { authorization } })
        .then(({ statusCode }) => statusCode);
      return Promise.race([
        answer,
        bench.world
          .settle()
          .then(() => bench.world.advance(limits.refusal_ms))
          .then(() => answer),
      ]);
    };
    expect(await from('192.0.2.1', '/api/v2/things/no-id', 'Bearer member')).toBe(400);
    expect(await from('192.0.2.1', '/api/v2/things', 'Bearer wrong')).toBe(401);
    expect(await from('192.0.2.1', '/.well-known/openid-protected-resource')).toBe(200);
    expect(await from('192.0.2.1', '/nothing')).toBe(429);
    expect(await from('192.0.2.1', '/api/v2/things', 'Bearer wrong')).toBe(429);
    expect(await from('192.0.2.1', '/api/v2/things')).toBe(429);
    expect(await from('192.0.2.1', '/api/v2/things', 'Bearer member')).toBe(200);
    expect(await from('192.0.2.2', '/nothing')).toBe(404);
    for (const probe of ['/healthz', '/metrics']) expect(await from('192.0.2.1', probe)).toBe(200);
  });

  it('does not count our own services', async () => {
    await using bench = await openBench({
      certificates: 'forwarded',
      traffic: { requestsPerSecond: 1, requestBurst: 1, anonymousPerSecond: 1, anonymousBurst: 1, requests: 0 },
    });
    const headers = {
      'ssl-client-cert': forwardedCertificate,
      'ssl-client-verify': 'SUCCESS',
      'x-principal': encodePrincipal({ actor: 'ann@example.com' }),
    };
    for (let sent = 0; sent < 5; sent++)
      expect((await bench.call('GET', '/api/v2/things', { as: null, headers })).statusCode).toBe(200);
  });

  it('bounds the requests in progress of a caller', async () => {
    const { route: waiting, release } = held();
    await using bench = await openBench({
      routes: [...thingRoutes, waiting],
      traffic: { requests: 2, totalRequests: 3 },
    });
    const pending = [bench.call('GET', '/held'), bench.call('GET', '/held')];
    await bench.world.settle();
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(429);
    pending.push(bench.call('GET', '/held', { as: 'reader' }));
    await bench.world.settle();
    const refused = await bench.call('GET', '/api/v2/things', { as: 'admin' });
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      503,
      '2',
      { error: 'server_error' },
    ]);
    expect((await bench.call('GET', '/healthz', { as: null })).statusCode).toBe(200);
    release();
    expect((await Promise.all(pending)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
  });

  it('bounds the streams of a caller, which do not count as requests in progress', async () => {
    await using bench = await openBench({ traffic: { streams: 1, requests: 2 } });
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    const refused = await bench.call('GET', '/api/v2/things', { headers: { accept: 'text/event-stream' } });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { error_description: 'you have 1 streams open: close one of them; try again in a moment' },
    ]);
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
    stream.close();
  });

  it('bounds the long answers of a caller while they are written', async () => {
    const long = listRoute({
      path: '/long',
      operationId: 'long',
      summary: 'List much',
      tags: ['Test'],
      security: 'bearer',
      response: Type.Array(Type.String()),
      pages: async function* () {
        for (let page = 0; page < 500; page++) {
          await Promise.resolve();
          yield ['x'.repeat(100_000)];
        }
      },
    });
    await using bench = await openBench({ routes: [...thingRoutes, long], traffic: { longAnswers: 1 } });
    const port = await listen(bench);
    const [unread] = (await once(
      get({ port, host: '127.0.0.1', path: '/long', agent: false, headers: { authorization: 'Bearer member' } }),
      'response',
    )) as [IncomingMessage];
    expect((await bench.call('GET', '/long')).statusCode).toBe(429);
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
    unread.destroy();
    await expect
      .poll(async () => (await bench.telemetry.registry.metrics()).includes('unikorn_http_requests_in_flight 0'))
      .toBe(true);
    expect((await bench.call('GET', '/long')).statusCode).toBe(200);
  });

  it('refuses requests under pressure, and its health probe still succeeds', async () => {
    const pressure = { reason: undefined as string | undefined };
    await using bench = await openBench({ pressure: () => pressure.reason });
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
    pressure.reason = 'the server is short of memory';
    const refused = await bench.call('GET', '/api/v2/things');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      503,
      '2',
      { error: 'server_error', error_description: 'the server is short of memory; try again in a moment' },
    ]);
    expect((await bench.call('GET', '/readyz', { as: null })).statusCode).toBe(503);
    for (const probe of ['/healthz', '/metrics'])
      expect((await bench.call('GET', probe, { as: null })).statusCode).toBe(200);
    expect((await bench.call('GET', '/metrics', { as: null })).body).toContain(
      'unikorn_http_requests_refused_total{reason="overloaded"} 2',
    );
    pressure.reason = undefined;
    expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
  });
});

describe('an event loop that is late', () => {
  it.each([
    ['with work of our own', 3_000, 'the server is overloaded'],
    ['because the machine is busy with others', 100, undefined],
  ])('%s', async (_name, worked_ms, expected) => {
    const world = virtualWorld();
    const now = { heap_bytes: 0, resident_bytes: 0, cpu_ms: 0 };
    // The timer is due after half a second, and fires after three and a half.
    const late = {
      monotonic_ms: () => world.monotonic_ms() * 7,
      after: (delay_ms: number, callback: () => void) => world.after(delay_ms, callback),
    };
    const pressure = watchPressure(
      late,
      () => now,
      { delay_ms: 2_000, heap_bytes: 1, resident_bytes: 1 },
      new AbortController().signal,
    );
    now.cpu_ms = worked_ms;
    await world.advance(500);
    expect(pressure()).toBe(expected);
  });
});

describe('pressure', () => {
  const limits = { delay_ms: 1_000, heap_bytes: 100, resident_bytes: 200 };
  it.each([
    [{ delay_ms: 1_000, heap_bytes: 100, resident_bytes: 200 }, undefined],
    [{ delay_ms: 1_001, heap_bytes: 0, resident_bytes: 0 }, 'the server is overloaded'],
    [{ delay_ms: 0, heap_bytes: 101, resident_bytes: 0 }, 'the server is short of memory'],
    [{ delay_ms: 0, heap_bytes: 0, resident_bytes: 201 }, 'the server is short of memory'],
  ])('of %j is %s', (now, expected) => {
    expect(pressureOf(now, limits)).toBe(expected);
  });
});
