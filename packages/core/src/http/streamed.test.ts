import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { newMetadata } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, virtualWorld } from '../testing/index.ts';
import { collectionRoute, IdempotencyRecord, listRoute, route, scopedView } from './index.ts';
import { openBench, presented, Thing, thingId, thingRoutes, type Bench } from './things.fixture.ts';

const path = '/api/v2/things';

/** Things whose list takes some hundred chunks. */
async function makeMany(
  store: Store,
  count: number,
  colourOf: (number: number) => string = () => 'red',
): Promise<void> {
  for (let number = 0; number < count; number++) {
    const naming = { name: `thing-${number}`, description: 'x'.repeat(100_000) };
    await store.create(Thing, {
      metadata: newMetadata(thingId(number), naming, { organizationId: 'o1', projectId: 'p1' }, { subject: 'test' }),
      spec: { colour: colourOf(number) },
    });
  }
}

async function ask({ app }: Bench, url: string): Promise<IncomingMessage> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [response] = (await once(
    get({ port, host: '127.0.0.1', path: url, agent: false, headers: { authorization: 'Bearer member' } }),
    'response',
  )) as [IncomingMessage];
  return response;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  return (await response.setEncoding('utf8').toArray()).join('');
}

/** A store that counts the pages that were read, and the largest one. */
function observedStore() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] });
  const seen = { pages: 0, largest: 0 };
  const observed = interpose(store, async ({ verb }, happen) => {
    const result = await happen();
    if (verb !== 'list') return result;
    seen.pages += 1;
    seen.largest = Math.max(seen.largest, JSON.stringify(result).length);
    return result;
  });
  return { world, store: observed, seen };
}

describe('a list', () => {
  it('that is long is written in chunks, as the same array as a short one', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 20);
    const response = await ask(bench, path);
    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'transfer-encoding': 'chunked' },
    });
    const things = JSON.parse(await bodyOf(response)) as { metadata: { id: string } }[];
    expect(things.map(({ metadata }) => metadata.id)).toEqual(
      Array.from({ length: 20 }, (_, number) => thingId(number)),
    );
  });

  it('that is short has a content length', async () => {
    await using bench = await openBench();
    for (const count of [0, 3]) {
      for (let number = 0; number < count; number++) await bench.makeThing(thingId(number));
      const response = await ask(bench, path);
      const body = await bodyOf(response);
      expect(response.headers['content-length']).toBe(String(body.length));
      expect(JSON.parse(body)).toHaveLength(count);
    }
  });

  it('reads no further than its client does, and never holds more than a page', async () => {
    const { world, store, seen } = observedStore();
    await using bench = await openBench({ world, store });
    await makeMany(store, 600);
    const response = await ask(bench, path);
    // The connection buffers some of it. Then the reading stops, although time passes.
    for (let before = -1; before !== seen.pages;) {
      before = seen.pages;
      for (let turn = 0; turn < 200; turn++) await world.turn();
    }
    expect(seen.pages * limits.listedBytes).toBeLessThan(30_000_000);
    expect(seen.largest).toBeLessThan(limits.listedBytes + 200_000);
    expect(JSON.parse(await bodyOf(response))).toHaveLength(600);
  });

  it('is cut when its client does not read it', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 600);
    const connection = { cut: false };
    bench.app.server.on('connection', (socket) => socket.on('close', () => (connection.cut = true)));
    const response = await ask(bench, path);
    while (!connection.cut) {
      for (let turn = 0; turn < 200; turn++) await bench.world.turn();
      await bench.world.advance(limits.stall_ms + 1);
    }
    await expect(bodyOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('that fails in the middle is cut, so that a client does not take a part for the whole', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 20, (number) => (number === 15 ? 'poison' : 'red'));
    const response = await ask(bench, path);
    expect(response.statusCode).toBe(200);
    await expect(bodyOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('that fails before it begins is an ordinary error', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 20, (number) => (number === 0 ? 'poison' : 'red'));
    const response = await ask(bench, path);
    expect(response.statusCode).toBe(500);
    expect(JSON.parse(await bodyOf(response))).toMatchObject({ error: 'server_error' });
  });

  it('leaves nothing in progress when its client disconnects', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 600);
    const response = await ask(bench, path);
    response.destroy();
    await expect
      .poll(async () => (await bench.telemetry.registry.metrics()).includes('unikorn_http_requests_in_flight 0'))
      .toBe(true);
  });

  it('is read for a HEAD only until it is known to be long', async () => {
    const { world, store, seen } = observedStore();
    await using bench = await openBench({ world, store });
    await makeMany(store, 40);
    const response = await bench.call('HEAD', path);
    expect(response).toMatchObject({ statusCode: 200, body: '' });
    expect(response.headers['content-length']).toBeUndefined();
    expect(seen.pages).toBeLessThan(4);
  });

  it('presents an object once for every version of it', async () => {
    await using bench = await openBench();
    for (const number of [1, 2, 3]) await bench.makeThing(thingId(number));
    await bench.call('GET', path);
    const before = presented.count;
    const first = await bench.call('GET', path);
    expect(presented.count).toBe(before);
    await bench.call('PUT', `${path}/${thingId(2)}`, {
      body: { metadata: { name: 'a-thing' }, spec: { colour: 'blue' } },
    });
    const counted = presented.count;
    const second = await bench.call('GET', path);
    expect(presented.count).toBe(counted + 1);
    expect(first.json<{ spec: { colour: string } }[]>().map(({ spec }) => spec.colour)).toEqual(['red', 'red', 'red']);
    expect(second.json<{ spec: { colour: string } }[]>().map(({ spec }) => spec.colour)).toEqual([
      'red',
      'blue',
      'red',
    ]);
  });

  it.each(['enforced', 'reported'] as const)('whose element breaks its declaration is %s', async (contract) => {
    const broken = collectionRoute({
      path: '/api/v2/broken',
      operationId: 'listBroken',
      summary: 'List broken things',
      tags: ['Things'],
      security: 'bearer',
      response: Type.Array(Type.Object({ colour: Type.String({ pattern: '^blue$' }) })),
      kind: Thing,
      view: ({ acl }) => scopedView(acl, 'test:things'),
      present: ({ metadata }) => ({ colour: metadata.name }),
    });
    await using bench = await openBench({ contract, routes: [...thingRoutes, broken] });
    await bench.makeThing(thingId(1));
    expect((await bench.call('GET', '/api/v2/broken')).statusCode).toBe(contract === 'enforced' ? 500 : 200);
    expect(await bench.telemetry.registry.metrics()).toContain(
      'unikorn_http_response_contract_violations_total{operation="listBroken"} 1',
    );
  });
});

describe('a response that is sent whole', () => {
  it('is cut when its client does not read it', async () => {
    const large = route({
      method: 'GET',
      path: '/large',
      operationId: 'large',
      summary: 'Much',
      tags: ['Test'],
      security: 'bearer',
      responses: { 200: Type.String() },
      handler: () => ({ status: 200, body: 'x'.repeat(50_000_000) }),
    });
    await using bench = await openBench({ routes: [large] });
    const connection = { cut: false };
    bench.app.server.on('connection', (socket) => socket.on('close', () => (connection.cut = true)));
    const response = await ask(bench, '/large');
    while (!connection.cut) {
      for (let turn = 0; turn < 200; turn++) await bench.world.turn();
      await bench.world.advance(limits.stall_ms + 1);
    }
    await expect(bodyOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a list that is assembled', () => {
  it('continues while its client reads, and ends with it', async () => {
    const seen = { pages: 0, ended: false };
    const endless = listRoute({
      path: '/api/v2/endless',
      operationId: 'listEndless',
      summary: 'List without end',
      tags: ['Things'],
      security: 'bearer',
      response: Type.Array(Type.String()),
      pages: async function* () {
        try {
          for (;;) {
            seen.pages += 1;
            await Promise.resolve();
            yield ['x'.repeat(100_000)];
          }
        } finally {
          seen.ended = true;
        }
      },
    });
    await using bench = await openBench({ routes: [endless] });
    const response = await ask(bench, '/api/v2/endless');
    for (let before = -1; before !== seen.pages;) {
      before = seen.pages;
      for (let turn = 0; turn < 200; turn++) await bench.world.turn();
    }
    response.destroy();
    await expect.poll(() => seen.ended).toBe(true);
  });

  it('that is refused at its first page is refused like any other request', async () => {
    const refusing = listRoute({
      path: '/api/v2/refusing',
      operationId: 'listRefusing',
      summary: 'List nothing',
      tags: ['Things'],
      security: 'bearer',
      response: Type.Array(Type.String()),
      pages: () => {
        throw new Problem('forbidden', 'not for you');
      },
    });
    await using bench = await openBench({ routes: [refusing] });
    expect((await bench.call('GET', '/api/v2/refusing')).json()).toMatchObject({
      error: 'forbidden',
      error_description: 'not for you',
    });
  });
});

describe('a page of large objects', () => {
  it('ends early, and has a token for the next page', async () => {
    await using bench = await openBench();
    await makeMany(bench.store, 50);
    const seen: string[] = [];
    let url = `${path}?limit=500`;
    for (;;) {
      const response = await bench.call('GET', url);
      expect(response.body.length).toBeLessThan(limits.pageBytes + 200_000);
      seen.push(...response.json<{ metadata: { id: string } }[]>().map(({ metadata }) => metadata.id));
      const next = response.headers['continue'];
      if (next === undefined) break;
      url = `${path}?limit=500&continue=${String(next)}`;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, number) => thingId(number)));
  });

  it('shows at most the maximum number of objects', async () => {
    await using bench = await openBench();
    expect((await bench.call('GET', `${path}?limit=${limits.pageItems}`)).statusCode).toBe(200);
    const refused = await bench.call('GET', `${path}?limit=${limits.pageItems + 1}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { error_description: 'query.limit: must be <= 500' },
    ]);
  });
});
