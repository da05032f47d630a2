import { setImmediate } from 'node:timers';

import { afterEach, expect, it } from 'vitest';

import { connect, dataOf } from './index.ts';
import { answer, perform, refusal, type Act, type Stage } from './service.fixture.ts';

let stage: Stage;
afterEach(() => stage.close());

const list = () =>
  dataOf(
    stage.unikorn.compute.GET('/api/v2/instances', { params: { query: { projectID: ['a', 'b'], tag: ['x=y z'] } } }),
  );
const network = {
  metadata: { name: 'web' },
  spec: { organizationId: 'o', projectId: 'p', regionId: 'r', prefix: '10.0.0.0/24', dnsNameservers: [] },
};
const create = () => dataOf(stage.unikorn.region.POST('/api/v2/networks', { body: network }));

it('sends the token, and lists in queries as repeated keys', async () => {
  stage = await perform([answer(200, [])]);
  expect(await list()).toEqual([]);
  expect(stage.seen[0]).toMatchObject({
    method: 'GET',
    url: '/compute/api/v2/instances?projectID=a&projectID=b&tag=x%3Dy%20z',
    headers: { authorization: 'Bearer secret' },
  });
});

it('requests the token for each request', async () => {
  let number = 0;
  stage = await perform([answer(503), answer(200, [])], { token: () => `token-${(number += 1)}` });
  await list();
  expect(stage.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
});

it('throws a refusal with its reason', async () => {
  stage = await perform([refusal(409, 'conflict')]);
  await expect(create()).rejects.toMatchObject({
    name: 'ApiError',
    status: 409,
    code: 'conflict',
    message: 'because of conflict',
    traceId: 'abc',
    request: `POST ${stage.url}/region/api/v2/networks`,
    body: { error: 'conflict' },
  });
  expect(stage.seen).toHaveLength(1);
});

it.each([
  ['a proxy', 502, '<h1>Bad\n gateway</h1>', 'text/html', '502 <h1>Bad gateway</h1>'],
  ['a web server', 200, '<h1>Welcome</h1>', 'text/html', '200 <h1>Welcome</h1>'],
])('throws for a response that %s wrote', async (_, status, body, type, told) => {
  stage = await perform([(response) => response.writeHead(status, { 'content-type': type }).end(body)]);
  await expect(list()).rejects.toMatchObject({
    status,
    code: 'unexpected_answer',
    message: `${stage.url} did not answer like a control plane: ${told}`,
  });
});

it('retries if the connection breaks during a response', async () => {
  const broken: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('[');
    setImmediate(() => response.destroy());
  };
  stage = await perform([broken, answer(200, [])]);
  expect(await list()).toEqual([]);
  expect(stage.seen).toHaveLength(2);
});

it('reports an address that cannot be reached', async () => {
  stage = await perform([answer(200, [])]);
  await stage.close();
  const nowhere = connect({ endpoints: stage.url, retries: 0 });
  await expect(dataOf(nowhere.compute.GET('/api/v2/instances'))).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
  );
});

it('retries after the time in Retry-After', async () => {
  stage = await perform([
    refusal(429, 'slow_down', { 'retry-after': '2' }),
    refusal(503, 'unavailable'),
    answer(200, []),
  ]);
  await list();
  expect(stage.slept).toEqual([2000, 400]);
});

it('gives up after the allowed retries', async () => {
  stage = await perform([refusal(503, 'unavailable')], { retries: 2 });
  await expect(list()).rejects.toMatchObject({ status: 503 });
  expect(stage.seen).toHaveLength(3);
});

it('retries a creation with the same key, so that it is done once', async () => {
  stage = await perform([(response) => response.destroy(), answer(201, {})]);
  await create();
  const keys = stage.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  expect(stage.seen[1]?.body).toBe(JSON.stringify(network));
});

it('retries any request that was refused with 429, because it had no effect', async () => {
  stage = await perform([refusal(429, 'forbidden', { 'retry-after': '1' }), answer(202)]);
  await dataOf(
    stage.unikorn.compute.POST('/api/v2/instances/{instanceID}/start', { params: { path: { instanceID: 'i' } } }),
  );
  expect(stage.seen).toHaveLength(2);
});

it('does not retry a POST that would run twice', async () => {
  stage = await perform([refusal(503, 'unavailable')]);
  await expect(
    dataOf(
      stage.unikorn.compute.POST('/api/v2/instances/{instanceID}/start', { params: { path: { instanceID: 'i' } } }),
    ),
  ).rejects.toMatchObject({ status: 503 });
  expect(stage.seen).toHaveLength(1);
  expect(stage.seen[0]?.headers).not.toHaveProperty('idempotency-key');
});

it.each([
  [429, 'slow_down'],
  [408, 'request_timeout'],
])('retries any request that was not started: %d', async (status, code) => {
  stage = await perform([refusal(status, code), answer(202)]);
  await dataOf(
    stage.unikorn.compute.POST('/api/v2/instances/{instanceID}/start', { params: { path: { instanceID: 'i' } } }),
  );
  expect(stage.seen).toHaveLength(2);
});

it('stops when the signal aborts', async () => {
  stage = await perform([() => undefined]);
  const stop = new AbortController();
  const asked = dataOf(stage.unikorn.compute.GET('/api/v2/instances', { signal: stop.signal }));
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

it('sends untyped documents unchanged', async () => {
  stage = await perform([answer(201, { any: 'thing' }, { etag: '"1"' })]);
  const { data, headers } = await stage.unikorn.region.untyped.send('POST', '/api/v2/networks', {
    body: { odd: true },
    headers: { 'x-more': 'yes' },
  });
  expect(data).toEqual({ any: 'thing' });
  expect(headers.get('etag')).toBe('"1"');
  expect(stage.seen[0]).toMatchObject({
    url: '/region/api/v2/networks',
    body: '{"odd":true}',
    headers: { 'content-type': 'application/json', 'x-more': 'yes', 'idempotency-key': expect.any(String) as string },
  });
});
