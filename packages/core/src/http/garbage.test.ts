import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openBench, thingId, type Bench } from './things.fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await bench.makeThing(thingId(1));
});
afterAll(() => bench[Symbol.asyncDispose]());

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

async function isRefusedOrServed(options: InjectOptions): Promise<void> {
  const response = await bench.app.inject(options);
  expect(response.statusCode).toBeLessThan(500);
  if (response.statusCode >= 400)
    expect(response.json()).toMatchObject({
      error: expect.any(String) as string,
      error_description: expect.any(String) as string,
    });
}

const authorization = 'Bearer member';

describe('garbage never gives a server error', () => {
  it('as a body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
          fc.json().map((text) => Buffer.from(text)),
        ),
        fc.constantFrom('application/json', 'application/json; charset=x', 'text/html', 'x'),
        (payload, type) =>
          isRefusedOrServed({
            method: 'POST',
            url: '/api/v2/things',
            headers: { authorization, 'content-type': type },
            payload,
          }),
      ),
      { numRuns: 200 },
    );
  });

  it('as a body that is nested too deeply', async () => {
    const payload = '['.repeat(500_000);
    await isRefusedOrServed({
      method: 'POST',
      url: '/api/v2/things',
      headers: { authorization, 'content-type': 'application/json' },
      payload,
    });
    await isRefusedOrServed({
      method: 'POST',
      url: '/api/v2/things',
      headers: { authorization, 'content-type': 'application/json' },
      payload: payload + ']'.repeat(500_000),
    });
  });

  it('as a path', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath({ size: '+1' }), fc.string({ maxLength: 30 }), async (path, tail) => {
        await isRefusedOrServed({
          method: 'GET',
          url: `/api/v2/things${path.startsWith('/') ? '' : '/'}${path}`,
          headers: { authorization },
        });
        await isRefusedOrServed({
          method: 'GET',
          url: `/api/v2/things/${encodeURIComponent(tail.toWellFormed())}`,
          headers: { authorization },
        });
      }),
      { numRuns: 200 },
    );
  });

  it('as a query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('limit', 'continue', 'organizationID', 'colour', 'deep', '__proto__', 'constructor', 'x'),
            fc.string({ maxLength: 20 }),
          ),
          { maxLength: 5 },
        ),
        (pairs) =>
          isRefusedOrServed({
            method: 'GET',
            url: `/api/v2/things?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
            headers: { authorization },
          }),
      ),
      { numRuns: 300 },
    );
  });

  it('as headers', async () => {
    const name = fc.constantFrom(
      'authorization',
      'if-match',
      'if-none-match',
      'idempotency-key',
      'traceparent',
      'tracestate',
      'accept',
      'origin',
      'host',
      'x-principal',
      'x-impersonate',
      'ssl-client-cert',
      'ssl-client-verify',
      'access-control-request-method',
      'content-type',
      'content-length',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, headerText), { maxLength: 6 }),
        fc.constantFrom('GET' as const, 'PUT' as const, 'POST' as const, 'DELETE' as const, 'OPTIONS' as const),
        (headers, method) =>
          isRefusedOrServed({
            method,
            url: `/api/v2/things/${thingId(2)}`,
            headers: { authorization, ...Object.fromEntries(headers) },
          }),
      ),
      { numRuns: 300 },
    );
  });
});
