import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { openBench, thingId, validThing, type Bench } from './things.fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the order of checks', () => {
  const thing = `/api/v2/things/${thingId(1)}`;
  const cases: readonly (readonly [string, string, string, Parameters<Bench['call']>[2], number])[] = [
    ['an unknown path beats everything', 'POST', '/api/v2/nothing', { as: null, body: '{' }, 404],
    ['a wrong method beats a missing token', 'PATCH', '/api/v2/things', { as: null, body: '{' }, 405],
    ['an unparsable path variable beats a missing token', 'GET', '/api/v2/things/xyz', { as: null }, 400],
    ['an unparsable query variable beats a missing token', 'GET', '/api/v2/things?deep=perhaps', { as: null }, 400],
    ['an unparsable limit beats a missing token', 'GET', '/api/v2/things?limit=many', { as: null }, 400],
    ['a missing token beats a query that breaks its schema', 'GET', '/api/v2/things?colour=green', { as: null }, 401],
    ['a missing token beats a malformed body', 'POST', '/api/v2/things', { as: null, body: '{' }, 401],
    ['a bad token beats a malformed body', 'POST', '/api/v2/things', { as: 'forged', body: '{' }, 401],
    ['a missing token beats a missing object', 'GET', thing, { as: null }, 401],
    ['a query that breaks its schema is refused', 'GET', '/api/v2/things?colour=green', {}, 400],
    [
      'a body that breaks its schema beats a missing right',
      'POST',
      '/api/v2/things',
      { as: 'stranger', body: { metadata: {} } },
      400,
    ],
    ['a body that breaks its schema beats a missing object', 'PUT', thing, { body: {} }, 400],
    [
      'a missing right is refused once the body is right',
      'POST',
      '/api/v2/things',
      { as: 'stranger', body: validThing },
      403,
    ],
    ['a missing object beats a missing right', 'DELETE', thing, { as: 'stranger' }, 404],
  ];
  it.each(cases)('%s', async (_name, method, url, options, status) => {
    const response = await bench.call(method, url, options);
    expect(response.statusCode).toBe(status);
  });

  it('an object of an unknown organization is 404, one the caller may not read is 403, and one they may only read is 403 for writing', async () => {
    const { metadata } = await bench.makeThing(thingId(2));
    expect((await bench.call('GET', `/api/v2/things/${metadata.name}`, { as: 'stranger' })).statusCode).toBe(404);
    expect((await bench.call('GET', `/api/v2/things/${metadata.name}`, { as: 'bystander' })).statusCode).toBe(403);
    expect((await bench.call('GET', `/api/v2/things/${metadata.name}`, { as: 'reader' })).statusCode).toBe(200);
    expect((await bench.call('DELETE', `/api/v2/things/${metadata.name}`, { as: 'reader' })).statusCode).toBe(403);
  });
});

describe('errors', () => {
  it.each([
    ['GET', '/nothing', {}, 404, 'not_found', 'this path does not exist'],
    ['TRACE', '/api/v2/things', {}, 405, 'method_not_allowed', 'this path supports GET, POST, HEAD, OPTIONS'],
    ['GET', '/api/v2/things/xyz', {}, 400, 'invalid_request', 'invalid path/query element thingID: must be a uuid'],
    [
      'GET',
      '/api/v2/things?limit=many',
      {},
      400,
      'invalid_request',
      'invalid path/query element limit: must be an integer',
    ],
    [
      'GET',
      '/api/v2/things?limit=1&limit=2',
      {},
      400,
      'invalid_request',
      'invalid path/query element limit: must be given once',
    ],
    ['GET', '/api/v2/things?limit=0', {}, 400, 'invalid_request', 'query.limit: must be >= 1'],
    [
      'GET',
      '/api/v2/things?continue=x',
      {},
      400,
      'invalid_request',
      'query.continue: can only be used together with query.limit',
    ],
    ['GET', `/api/v2/things/${thingId(9)}`, {}, 404, 'not_found', `thing ${thingId(9)} does not exist`],
    ['POST', '/api/v2/things', {}, 400, 'invalid_request', 'body: is required, with content type application/json'],
    [
      'POST',
      '/api/v2/things',
      { headers: { 'content-type': 'application/json' } },
      400,
      'invalid_request',
      'body: is required, with content type application/json',
    ],
    ['POST', '/api/v2/things', { body: '{"a":' }, 400, 'invalid_request', 'body: is not valid JSON'],
    [
      'POST',
      '/api/v2/things',
      { body: '{"__proto__":{"x":1}}' },
      400,
      'invalid_request',
      'body: the property names __proto__ and constructor.prototype are not allowed',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: '{"a":{"constructor":{"prototype":1}}}' },
      400,
      'invalid_request',
      'body: the property names __proto__ and constructor.prototype are not allowed',
    ],
    ['POST', '/api/v2/things', { body: '{"__proto__":{}' }, 400, 'invalid_request', 'body: is not valid JSON'],
    [
      'POST',
      '/api/v2/things',
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      400,
      'invalid_request',
      'header Content-Type: must be application/json',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: 'x', headers: { 'content-type': 'gar bage' } },
      400,
      'invalid_request',
      'header Content-Type: must be application/json',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: { metadata: { name: 'Secret Name' }, spec: {} } },
      400,
      'invalid_request',
      'body.metadata.name: must match pattern "^[a-z-]{1,20}$"',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: { ...validThing, spec: { colour: 'ultraviolet' } } },
      400,
      'invalid_request',
      'body.spec.colour: must be one of red, blue',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: { ...validThing, spec: { colour: 'red', size: 0 } } },
      400,
      'invalid_request',
      'body.spec.size: must be >= 1',
    ],
    [
      'POST',
      '/api/v2/things',
      { body: { ...validThing, metadata: {} } },
      400,
      'invalid_request',
      'body.metadata: needs name',
    ],
    ['GET', '/%zz', {}, 400, 'invalid_request', 'path: is not properly encoded'],
  ] as const)('%s %s %j answers %d %s', async (method, url, options, status, error, description) => {
    const response = await bench.call(method, url, {
      ...options,
      headers: { ...('headers' in options ? options.headers : {}), traceparent },
    });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-cache');
    const { trace_id, ...rest } = response.json<{ trace_id: string }>();
    expect(rest).toEqual({ error, error_description: description });
    expect(trace_id).toMatch(url === '/%zz' ? /^[0-9a-f]{32}$/ : /^4bf92f3577b34da6a3ce929d0e0e4736$/);
  });

  it('401 has the challenge with the address of the protected-resource document', async () => {
    const response = await bench.call('GET', '/api/v2/things', { as: null, headers: { host: 'things.example.com' } });
    expect(response.json()).toMatchObject({ error: 'access_denied' });
    expect(response.headers['www-authenticate']).toBe(
      'Bearer error="access_denied",error_description="no access token: send the header Authorization with the scheme Bearer",resource_metadata="https://things.example.com/.well-known/openid-protected-resource"',
    );
  });

  it('an invalid Host is not repeated', async () => {
    const response = await bench.call('GET', '/api/v2/things', { as: null, headers: { host: 'evil" x="' } });
    expect(response.headers['www-authenticate']).toContain('https://localhost/');
  });

  it('405 names the methods of the path', async () => {
    const response = await bench.call('PUT', '/api/v2/things');
    expect(response.headers.allow).toBe('GET, POST, HEAD, OPTIONS');
  });

  it('a trace id is created if none was sent, and differs between requests', async () => {
    const [first, second] = [await bench.call('GET', '/nothing'), await bench.call('GET', '/nothing')];
    expect(first.json<{ trace_id: string }>().trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(first.json<{ trace_id: string }>().trace_id).not.toBe(second.json<{ trace_id: string }>().trace_id);
  });
});

describe('bodies', () => {
  it('unknown properties are accepted', async () => {
    expect((await bench.call('POST', '/api/v2/things', { body: { ...validThing, more: 1 } })).statusCode).toBe(201);
  });

  it.each([{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }])(
    'an operation without a body takes any type and none: %j',
    async (headers) => {
      const { metadata } = await bench.makeThing(
        thingId(100 + Object.keys(headers).length + JSON.stringify(headers).length),
      );
      expect((await bench.call('POST', `/api/v2/things/${metadata.name}/start`, { headers })).statusCode).toBe(202);
      expect((await bench.call('DELETE', `/api/v2/things/${metadata.name}`, { headers })).statusCode).toBe(202);
    },
  );

  it('reads are sent as plain JSON and not cached', async () => {
    const response = await bench.call('GET', '/api/v2/things');
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
});

describe('CORS', () => {
  it.each([
    ['GET', '/api/v2/things'],
    ['GET', '/nothing'],
    ['DELETE', '/api/v2/things'],
  ] as const)('every answer names one origin: %s %s', async (method, url) => {
    expect(
      (await bench.call(method, url, { headers: { origin: 'https://elsewhere.example.com' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBe('*');
  });

  it('a preflight is answered without a token', async () => {
    const response = await bench.call('OPTIONS', '/api/v2/things', {
      as: null,
      headers: { 'access-control-request-method': 'POST' },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, traceparent, tracestate, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID',
      'access-control-max-age': '86400',
    });
  });

  it('a preflight must be complete, and for a path that exists', async () => {
    expect((await bench.call('OPTIONS', '/api/v2/things', { as: null })).statusCode).toBe(400);
    expect(
      (await bench.call('OPTIONS', '/nothing', { as: null, headers: { 'access-control-request-method': 'GET' } }))
        .statusCode,
    ).toBe(404);
    expect(
      (
        await bench.call('OPTIONS', '/api/v2/things', {
          as: null,
          headers: { 'access-control-request-method': 'DELETE' },
        })
      ).statusCode,
    ).toBe(405);
  });

  it('a listed origin is named, any other gets the first configured', async () => {
    await using strict = await openBench({
      cors: { allowOrigins: ['https://a.example.com', 'https://b.example.com'], maxAge_s: 60 },
    });
    const origin = async (value: string) =>
      (await strict.call('GET', '/api/v2/things', { headers: { origin: value } })).headers[
        'access-control-allow-origin'
      ];
    expect(await origin('https://b.example.com')).toBe('https://b.example.com');
    expect(await origin('https://evil.example.com')).toBe('https://a.example.com');
  });
});

describe('every service', () => {
  it('returns its version to every caller with a token', async () => {
    const response = await bench.call('GET', '/api/version', { as: 'stranger' });
    expect([response.statusCode, response.json()]).toEqual([200, { name: 'things', version: '1.2.3' }]);
    expect((await bench.call('GET', '/api/version', { as: null })).statusCode).toBe(401);
  });

  it('tells callers without a token where to get one', async () => {
    const response = await bench.call('GET', '/.well-known/openid-protected-resource', {
      as: null,
      headers: { host: 'things.example.com' },
    });
    expect(response.json()).toEqual({
      resource: 'https://things.example.com',
      authorization_servers: ['https://identity.example.com'],
      scopes_supported: ['openid', 'email', 'profile'],
      bearer_methods_supported: ['header'],
    });
    expect(response.headers['cache-control']).toBe('max-age=86400, private');
  });

  it('uses its configured address, whatever host a request names', async () => {
    const userinfo = {
      method: 'GET',
      path: '/me',
      handler: () => Promise.reject(new Problem('access_denied', 'who are you')),
    } as const;
    await using known = await openBench({
      base: '/things',
      url: 'http://cloud.example.com:6080/things',
      rawRoutes: [userinfo],
    });
    const asked = { as: null, headers: { host: 'evil.example.com' } };
    expect((await known.call('GET', '/things/.well-known/openid-protected-resource', asked)).json()).toMatchObject({
      resource: 'http://cloud.example.com:6080/things',
    });
    for (const path of ['/things/api/v2/things', '/things/me']) {
      expect((await known.call('GET', path, asked)).headers['www-authenticate']).toContain(
        'resource_metadata="http://cloud.example.com:6080/things/.well-known/openid-protected-resource"',
      );
    }
  });

  it('has health, readiness and metrics', async () => {
    expect((await bench.call('GET', '/healthz', { as: null })).statusCode).toBe(200);
    expect((await bench.call('GET', '/readyz', { as: null })).json()).toEqual({ status: 'ready' });
    await bench.call('GET', `/api/v2/things/${thingId(77)}`);
    const metrics = await bench.call('GET', '/metrics', { as: null });
    expect(metrics.body).toContain(
      'unikorn_http_request_duration_seconds_count{method="GET",route="/api/v2/things/{thingID}",status="404"} ',
    );
  });

  it('supports HEAD for every GET', async () => {
    const response = await bench.call('HEAD', '/api/v2/things');
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });

  it('is served under its base if services share a port', async () => {
    await using mounted = await openBench({ base: '/things' });
    expect((await mounted.call('GET', '/things/api/v2/things')).statusCode).toBe(200);
    expect((await mounted.call('GET', '/api/v2/things')).statusCode).toBe(404);
    expect((await mounted.call('GET', '/things/healthz')).statusCode).toBe(200);
    expect(
      (await mounted.call('GET', '/things/api/v2/things', { as: null, headers: { host: 'h' } })).headers[
        'www-authenticate'
      ],
    ).toContain('https://h/things/.well-known/openid-protected-resource');
  });
});
