import { expect, it } from 'vitest';

import { requestsIn } from '../requests.ts';
import { virtualWorld } from '../testing/index.ts';
import { openBench, openStream, thingRoutes } from './things.fixture.ts';

it('a request counts until its handler ends, with any result, and a stream does not count', async () => {
  const world = virtualWorld();
  const calm = () => requestsIn(world).untilAtMost(0, new AbortController().signal) === undefined;
  const seen: boolean[] = [];
  const routes = thingRoutes.map((route) => ({
    ...route,
    handler: (async (request) => {
      await world.turn();
      seen.push(calm());
      return route.handler(request);
    }) satisfies typeof route.handler,
  }));
  await using bench = await openBench({ world, routes });
  expect((await bench.call('GET', '/api/v2/things')).statusCode).toBe(200);
  expect((await bench.call('GET', '/api/v2/things/00000000-0000-4000-8000-000000000001')).statusCode).toBe(404);
  expect([seen, calm()]).toEqual([[false, false], true]);
  const stream = await openStream(bench, '/api/v2/things');
  expect(calm()).toBe(true);
  stream.close();
});
