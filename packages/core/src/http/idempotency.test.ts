import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { encodePrincipal } from '../access/index.ts';
import { forwardedCertificate } from '../access/certificate.fixture.ts';
import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { Saga } from '../saga/kind.ts';
import { deterministicId } from '../resource/index.ts';
import { interpose, virtualWorld, type StoreCall } from '../testing/index.ts';
import { IdempotencyRecord, route, type Route } from './index.ts';
import { sweepIdempotencyRecords } from './idempotency.ts';
import { openBench, Thing, validThing, type Bench } from './things.fixture.ts';

const key = { 'idempotency-key': 'order-1' };
const create = (bench: Bench, options: Parameters<Bench['call']>[2] = {}) =>
  bench.call('POST', '/api/v2/things', { body: validThing, headers: key, ...options });

async function count(bench: Bench): Promise<number> {
  return (await bench.store.list(Thing)).items.length;
}

/** An operation whose handler the test controls. */
function scripted(
  handler: () => Promise<{ status: 201; body: string }>,
  idempotency: 'replay' | 'refuse' = 'replay',
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/run',
      operationId: 'run',
      summary: 'Run',
      tags: ['Test'],
      security: 'bearer',
      idempotency,
      responses: { 201: Type.String() },
      handler,
    }),
  ];
}

describe('a request with an Idempotency-Key', () => {
  it('runs once, and its repetition gets the same answer', async () => {
    await using bench = await openBench();
    const [first, second] = [await create(bench), await create(bench)];
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.json()).toEqual(first.json());
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(await count(bench)).toBe(1);
  });

  it('of two at the same time one runs, and the other is refused with the reason', async () => {
    const finished: (() => void)[] = [];
    await using bench = await openBench({
      routes: scripted(
        () =>
          new Promise((resolve) => {
            finished.push(() => {
              resolve({ status: 201, body: 'done' });
            });
          }),
      ),
    });
    const statuses: number[] = [];
    const calls = [1, 2, 3].map(async () =>
      statuses.push((await bench.call('POST', '/run', { headers: key })).statusCode),
    );
    await bench.world.until(() => statuses.length === 2);
    for (const finish of finished) finish();
    await Promise.all(calls);
    expect([statuses, finished.length]).toEqual([[409, 409, 201], 1]);
  });

  it('is refused when the key was used for a different request', async () => {
    await using bench = await openBench();
    await create(bench);
    expect((await create(bench, { body: { ...validThing, spec: { colour: 'blue' } } })).statusCode).toBe(422);
    expect(await count(bench)).toBe(1);
  });

  it('is independent of the same key of another caller', async () => {
    await using bench = await openBench();
    await create(bench);
    expect((await create(bench, { as: 'admin' })).headers['idempotency-replayed']).toBeUndefined();
    expect(await count(bench)).toBe(2);
  });

  it('is independent of the same key that its service uses for another principal', async () => {
    await using bench = await openBench({ certificates: 'forwarded' });
    const actingFor = (actor: string) => ({
      ...key,
      'ssl-client-cert': forwardedCertificate,
      'ssl-client-verify': 'SUCCESS',
      'x-principal': encodePrincipal({ actor }),
    });
    const answers = [
      await create(bench, { as: null, headers: actingFor('ann@example.com') }),
      await create(bench, { as: null, headers: actingFor('bob@example.com') }),
      await create(bench, { as: null, headers: actingFor('ann@example.com') }),
    ];
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['idempotency-replayed']])).toEqual([
      [201, undefined],
      [201, undefined],
      [201, 'true'],
    ]);
    expect(await count(bench)).toBe(2);
  });

  it('is answered only after the response is stored', async () => {
    const world = virtualWorld();
    const recorded = Promise.withResolvers<undefined>();
    const slow = interpose(
      openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] }),
      async ({ verb, kind }, happen) => {
        if (verb === 'updateStatus' && kind === IdempotencyRecord) await recorded.promise;
        return happen();
      },
    );
    await using bench = await openBench({ world, store: slow });
    let answered = false;
    const first = create(bench).then((response) => {
      answered = true;
      return response.statusCode;
    });
    await world.settle();
    expect([answered, await count(bench)]).toEqual([false, 1]);
    recorded.resolve(undefined);
    expect(await first).toBe(201);
    expect((await create(bench)).headers['idempotency-replayed']).toBe('true');
  });

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('must have a key of visible ASCII: %j', async (bad) => {
    await using bench = await openBench();
    expect((await create(bench, { headers: { 'idempotency-key': bad } })).statusCode).toBe(400);
    expect(await count(bench)).toBe(0);
  });

  it('may be repeated after a temporary failure', async () => {
    await using bench = await openBench();
    expect((await create(bench, { as: 'reader' })).statusCode).toBe(403);
    const grant = bench.authenticator.grants.get('member');
    if (grant) bench.authenticator.grants.set('reader', grant);
    expect((await create(bench, { as: 'reader' })).statusCode).toBe(201);
  });

  it('may be repeated after an unexpected error', async () => {
    let runs = 0;
    await using bench = await openBench({
      routes: scripted(() =>
        ++runs === 1 ? Promise.reject(new Error('boom')) : Promise.resolve({ status: 201, body: 'done' }),
      ),
    });
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(500);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(201);
  });

  it('stores a refusal of the handler', async () => {
    let runs = 0;
    await using bench = await openBench({
      routes: scripted(() => {
        runs++;
        return Promise.reject(new Problem('conflict', 'the name is taken'));
      }),
    });
    const [first, second] = [
      await bench.call('POST', '/run', { headers: key }),
      await bench.call('POST', '/run', { headers: key }),
    ];
    expect([first.statusCode, second.statusCode, runs]).toEqual([409, 409, 1]);
    expect(second.json()).toMatchObject({ error: 'conflict', error_description: 'the name is taken' });
  });

  it('is refused if the response is a secret, and nothing runs or is stored', async () => {
    let runs = 0;
    await using bench = await openBench({
      routes: scripted(() => Promise.resolve({ status: 201, body: `secret ${++runs}` }), 'refuse'),
    });
    const refused = await bench.call('POST', '/run', { headers: key });
    expect([refused.statusCode, runs]).toEqual([400, 0]);
    expect(refused.json()).toMatchObject({ error_description: expect.stringContaining('secret') as string });
    expect((await bench.call('POST', '/run')).statusCode).toBe(201);
  });

  it('stores neither the body nor the key', async () => {
    await using bench = await openBench();
    await create(bench, { body: { ...validThing, spec: { colour: 'red', password: 'hunter2' } } });
    const stored = JSON.stringify((await bench.store.list(IdempotencyRecord)).items);
    expect(stored).not.toContain('hunter2');
    expect(stored).not.toContain('order-1');
  });

  it('is forgotten after a day', async () => {
    await using bench = await openBench();
    await create(bench);
    await bench.world.advance(23 * 3600_000);
    expect((await create(bench)).headers['idempotency-replayed']).toBe('true');
    await bench.world.advance(2 * 3600_000);
    expect((await bench.store.list(IdempotencyRecord)).items).toEqual([]);
    await create(bench);
    expect(await count(bench)).toBe(2);
  });

  it('stays claimed while it runs, however long that takes', async () => {
    let finish: (value: { status: 201; body: string }) => void = () => undefined;
    await using bench = await openBench({
      limits: { requestTimeout_ms: 10 * 60_000 },
      routes: scripted(() => new Promise((resolve) => (finish = resolve))),
    });
    const first = bench.call('POST', '/run', { headers: key });
    await bench.world.advance(4 * limits.lease_ms);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(409);
    finish({ status: 201, body: 'done' });
    expect((await first).statusCode).toBe(201);
    expect((await bench.call('POST', '/run', { headers: key })).headers['idempotency-replayed']).toBe('true');
  });

  it.each([
    ['was not made', false],
    ['was made, and its answer was lost', true],
  ])('stays claimed when a renewal of the claim fails: it %s', async (_what, isMade) => {
    let finish: (value: { status: 201; body: string }) => void = () => undefined;
    let failures = 1;
    const world = virtualWorld();
    await using bench = await openBench({
      world,
      limits: { requestTimeout_ms: 10 * 60_000 },
      routes: scripted(() => new Promise((resolve) => (finish = resolve))),
      store: interpose(openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] }), async (call, happen) => {
        if (call.verb !== 'update' || call.kind !== IdempotencyRecord || failures-- <= 0) return happen();
        if (isMade) await happen();
        throw new Problem('storage_unavailable', 'the API server is restarting');
      }),
    });
    const first = bench.call('POST', '/run', { headers: key });
    await bench.world.advance(4 * limits.lease_ms);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(409);
    finish({ status: 201, body: 'done' });
    expect((await first).statusCode).toBe(201);
    expect((await bench.call('POST', '/run', { headers: key })).headers['idempotency-replayed']).toBe('true');
  });
});

describe('a request whose process died', () => {
  /** A store as a killed process left it: the key is claimed, without a response. */
  async function afterCrash(sole: boolean): Promise<Bench> {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] });
    const shared = new Proxy(store, { get: (target, name) => (name === 'sole' ? sole : bound(target, name)) });
    // Its world does not advance, so the killed process renews nothing.
    const dead = await openBench({
      store: shared,
      world: virtualWorld(2),
      routes: scripted(() => new Promise(() => undefined)),
    });
    void dead.call('POST', '/run', { headers: key });
    await dead.world.settle();
    return openBench({ store: shared, world, routes: scripted(() => Promise.resolve({ status: 201, body: 'done' })) });
  }

  function bound(target: object, name: string | symbol): unknown {
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  }

  it('runs again at once if no other process can use the store', async () => {
    await using bench = await afterCrash(true);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(201);
  });

  it('runs again after its lease if another process may use the store', async () => {
    await using bench = await afterCrash(false);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(409);
    await bench.world.advance(limits.lease_ms);
    expect((await bench.call('POST', '/run', { headers: key })).statusCode).toBe(201);
  });
});

describe('a request that runs twice, because its first process lost its claim', () => {
  /** Two processes on one store. The first one cannot reach it from a moment on, until it is mended. */
  async function twoProcesses(isCut: (call: StoreCall) => boolean) {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds: [Thing, IdempotencyRecord, Saga] });
    const mended = Promise.withResolvers<undefined>();
    let cut = false;
    const cutOff = interpose(
      store,
      async (call, happen) => {
        cut ||= isCut(call);
        if (cut) await mended.promise;
        return happen();
      },
      { sole: false },
    );
    const shared = interpose(store, (_call, happen) => happen(), { sole: false });
    const common = { world, limits: { requestTimeout_ms: 10 * 60_000 } };
    const [first, second] = [
      await openBench({ ...common, store: cutOff }),
      await openBench({ ...common, store: shared }),
    ];
    const mend = () => {
      mended.resolve(undefined);
    };
    return {
      first,
      second,
      mend,
      [Symbol.asyncDispose]: async () => {
        await first.app.close();
        await second.app.close();
      },
    };
  }
  const idOf = (answer: { json(): unknown }) => (answer.json() as { metadata: { id: string } }).metadata.id;

  it.each([
    ['before it created anything', (call: StoreCall) => call.verb === 'create' && call.kind === Thing],
    [
      'after it created the thing',
      (call: StoreCall) => call.verb === 'updateStatus' && call.kind === IdempotencyRecord,
    ],
  ])('creates one thing if the first process was cut off %s', async (_when, isCut) => {
    await using processes = await twoProcesses(isCut);
    const { first, second, mend } = processes;
    const late = create(first);
    await first.world.settle();
    expect((await create(second)).statusCode).toBe(409);
    await second.world.advance(limits.lease_ms);
    const answer = await create(second);
    expect(answer.statusCode).toBe(201);
    mend();
    await late;
    expect((await second.store.list(Thing)).items.map(({ metadata }) => metadata.name)).toEqual([idOf(answer)]);
    expect(idOf(await create(second))).toBe(idOf(answer));
  });

  it('creates one thing if the first answer was an error after the creation', async () => {
    const world = virtualWorld();
    let failures = 1;
    const store = interpose(
      openMemoryStore({ world, kinds: [Thing, IdempotencyRecord, Saga] }),
      async (call, happen) => {
        const result = await happen();
        if (call.verb !== 'create' || call.kind !== Thing || failures-- <= 0) return result;
        throw new Problem('storage_unavailable', 'it is not known whether the change was made');
      },
    );
    await using bench = await openBench({ world, store });
    expect((await create(bench)).statusCode).toBe(503);
    expect((await create(bench)).statusCode).toBe(201);
    expect(await count(bench)).toBe(1);
  });

  it('waits for the saga of the first run, and does not store that answer', async () => {
    await using processes = await twoProcesses(({ verb, kind }) => verb === 'create' && kind === Thing);
    const { first, second } = processes;
    const late = create(first);
    await first.world.settle();
    await second.world.advance(limits.lease_ms);
    const [record] = (await second.store.list(IdempotencyRecord)).items;
    const name = deterministicId(record?.metadata.uid ?? '', 'saga');
    await second.store.create(Saga, {
      metadata: { name },
      spec: { saga: 'test.thing.do', input: {}, holder: 'a', term: 1 },
    });
    expect((await create(second)).statusCode).toBe(409);
    await second.store.delete(Saga, name);
    expect((await create(second)).statusCode).toBe(201);
    processes.mend();
    await late;
  });
});

describe('a caller with very many keys', () => {
  /** Responses so large that only a few dozen of them are kept. */
  const large = 'x'.repeat(500_000);
  const fill = async (bench: Bench, from: number) => {
    const statuses: number[] = [];
    for (let number = from; number < from + 40; number++)
      statuses.push((await bench.call('POST', '/run', { headers: { 'idempotency-key': `key-${number}` } })).statusCode);
    return statuses;
  };
  const stored = async ({ store }: Bench) => JSON.stringify((await store.list(IdempotencyRecord)).items).length;

  it('is refused while all of them are new, and other callers are not', async () => {
    await using bench = await openBench({ routes: scripted(() => Promise.resolve({ status: 201, body: large })) });
    const statuses = await fill(bench, 0);
    expect([statuses[0], statuses.at(-1)]).toEqual([201, 429]);
    expect(await stored(bench)).toBeLessThan(limits.idempotencyBytes + 2_000_000);
    expect(
      (await bench.call('POST', '/run', { headers: { 'idempotency-key': 'key-0' } })).headers['idempotency-replayed'],
    ).toBe('true');
    expect((await bench.call('POST', '/run', { as: 'admin', headers: key })).statusCode).toBe(201);
    expect((await bench.call('POST', '/run')).statusCode).toBe(201);
  });

  it('loses the oldest keys early, also after a restart', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] });
    const routes = scripted(() => Promise.resolve({ status: 201, body: large }));
    const before = await openBench({ world, store, routes });
    await fill(before, 0);
    await before.app.close();
    await world.advance(limits.idempotencyAge_ms);
    // Another store object with the same state: a new process has counted nothing.
    await using bench = await openBench({ world, store: interpose(store, (_call, happen) => happen()), routes });
    expect((await fill(bench, 100)).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(await stored(bench)).toBeLessThan(limits.idempotencyBytes + 2_000_000);
  });
});

describe('the sweeper', () => {
  it('keeps records that have not expired', async () => {
    await using bench = await openBench();
    await create(bench);
    await sweepIdempotencyRecords(bench.store, bench.world);
    expect((await bench.store.list(IdempotencyRecord)).items).toHaveLength(1);
  });

  it('counts the records of all callers, so that no request has to do it', async () => {
    const world = virtualWorld();
    let lists = 0;
    const store = interpose(openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] }), (call, happen) => {
      if (call.verb === 'list' && call.kind.id === IdempotencyRecord.id) lists++;
      return happen();
    });
    const routes = scripted(() => Promise.resolve({ status: 201, body: 'x'.repeat(500_000) }));
    await using bench = await openBench({ world, store, routes });
    const run = async (number: number) =>
      (await bench.call('POST', '/run', { headers: { 'idempotency-key': `key-${number}` } })).statusCode;
    for (let number = 0; number < 20; number++) expect(await run(number)).toBe(201);
    await sweepIdempotencyRecords(store, world);
    lists = 0;
    expect(await run(20)).toBe(201);
    expect(lists).toBe(0);
    // The limit is still known.
    const statuses: number[] = [];
    for (let number = 21; number < 40; number++) statuses.push(await run(number));
    expect(statuses.at(-1)).toBe(429);
  });
});
