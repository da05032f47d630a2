import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parsePrincipal } from '../access/index.ts';
import { Problem, StillInProgress } from '../errors/index.ts';
import { Thing, thingId, thingRoutes } from '../http/things.fixture.ts';
import { route } from '../http/index.ts';
import { limits } from '../limits.ts';
import { carriers, everyOne, taking } from '../testing/carriers.ts';
import { createTelemetry } from '../telemetry/index.ts';
import { TenureLost, underTenure } from '../tenure.ts';
import { capture, silentTelemetry, virtualWorld } from '../testing/index.ts';
import { openCarriers } from './carriers.fixture.ts';
import { httpCalls, httpChannel, typedCalls, type CallEvent, type ServiceCalls } from './index.ts';

const onBehalf = { principal: { actor: 'jane@example.com', organizationId: 'o1' }, impersonate: false };
const thing = { method: 'GET', path: '/api/v2/things/{thingID}' } as const;
const things = { method: 'GET', path: '/api/v2/things' } as const;

it('a list over HTTP refuses elements that do not match the contract', async () => {
  const { bound, makeThing } = await openCarriers();
  await makeThing(thingId(1));
  const Other = Type.Object({ price: Type.Number() });
  const list = typedCalls(bound['over HTTP'])(Other).list(onBehalf, things);
  await expect(everyOne(list)).rejects.toMatchObject({ code: 'unavailable' });
});

describe.each(carriers)('a call %s', (carrier) => {
  it('has the same result as a request', async () => {
    const { bound, makeThing, call } = await openCarriers();
    await makeThing(thingId(1));
    const { status, body } = await bound[carrier].call(onBehalf, { ...thing, params: { thingID: thingId(1) } });
    const asked = await call('GET', `/api/v2/things/${thingId(1)}`);
    expect({ status, body }).toEqual({ status: asked.statusCode, body: asked.json<unknown>() });
  });

  it('sends its query', async () => {
    const { bound, makeThing } = await openCarriers();
    await makeThing(thingId(1), { organizationId: 'o1' });
    await makeThing(thingId(2), { organizationId: 'o2' });
    await makeThing(thingId(3), { organizationId: 'o3' });
    const { body } = await bound[carrier].call(onBehalf, { ...things, query: { organizationID: ['o1', 'o3'] } });
    expect(body).toMatchObject([{ metadata: { id: thingId(1) } }, { metadata: { id: thingId(3) } }]);
  });

  it('lists everything, page by page, and takes no more pages than are read', async () => {
    const { bound, makeThing } = await openCarriers();
    for (let number = 1; number <= limits.pageItems + 1; number++) await makeThing(thingId(number));
    let calls = 0;
    const counting: ServiceCalls = {
      ...bound[carrier],
      call: (on, call) => {
        calls++;
        return bound[carrier].call(on, call);
      },
    };
    const Listed = Type.Object({ metadata: Type.Object({ id: Type.String() }) });
    const list = () => typedCalls(counting)(Listed).list(onBehalf, things);
    const ids = (await everyOne(list())).map(({ metadata }) => metadata.id);
    expect(ids).toEqual(Array.from({ length: limits.pageItems + 1 }, (_, index) => thingId(index + 1)));
    expect(calls).toBe(2);
    for await (const { metadata } of list()) {
      expect(metadata.id).toBe(thingId(1));
      break;
    }
    expect(calls).toBe(3);
  });

  it('is not made to change something when the caller may no longer lead, but may read', async () => {
    const { bound, makeThing, store } = await openCarriers();
    await makeThing(thingId(1));
    const lost = () => {
      throw new TenureLost('another process may lead');
    };
    const body = { metadata: { name: 'red-one' }, spec: { colour: 'red' } };
    await expect(
      underTenure(lost, () => bound[carrier].call(onBehalf, { method: 'POST', path: '/api/v2/things', body })),
    ).rejects.toThrow(TenureLost);
    expect((await store.list(Thing)).items).toHaveLength(1);
    const { status } = await underTenure(lost, () =>
      bound[carrier].call(onBehalf, { ...thing, params: { thingID: thingId(1) } }),
    );
    expect(status).toBe(200);
  });

  it('is made in the name of the service, for the principal it names', async () => {
    const { bound, store } = await openCarriers();
    const body = { metadata: { name: 'red-one' }, spec: { colour: 'red' } };
    await bound[carrier].call(onBehalf, { method: 'POST', path: '/api/v2/things', body });
    const { items } = await store.list(Thing);
    expect(items[0]?.metadata.annotations).toMatchObject({
      'unikorn-cloud.org/creator': 'unikorn-compute',
      'principal.unikorn-cloud.org/creator': 'jane@example.com',
    });
  });

  it('with an idempotency key is done once', async () => {
    const { bound, store } = await openCarriers();
    const body = { metadata: { name: 'red-one' }, spec: { colour: 'red' } };
    const create = () =>
      bound[carrier].call(onBehalf, { method: 'POST', path: '/api/v2/things', body, idempotencyKey: 'k-1' });
    expect((await create()).body).toEqual((await create()).body);
    expect((await store.list(Thing)).items).toHaveLength(1);
  });

  it.each([
    ['invalid_request', 'invalid_request'],
    ['forbidden', 'forbidden'],
    ['quota_exceeded', 'forbidden'],
    ['in_use', 'forbidden'],
    ['not_found', 'not_found'],
    ['conflict', 'conflict'],
    ['precondition_failed', 'precondition_failed'],
    ['unprocessable_content', 'unprocessable_content'],
    ['too_many_requests', 'too_many_requests'],
    ['unavailable', 'unavailable'],
    ['overloaded', 'unavailable'],
  ] as const)('that is refused with %s fails with %s, and the same text', async (given, code) => {
    const { bound, world } = await openCarriers({ routes: [refusing(new Problem(given, 'because of this'))] });
    const outcome = bound[carrier].call(onBehalf, { method: 'POST', path: '/api/v2/refusals' });
    await expect(outcome).rejects.toMatchObject({ code, message: 'because of this' });
    expect(world.monotonic_ms()).toBe(0);
  });

  it('that can succeed in a moment says so to the caller of the calling service', async () => {
    const { bound } = await openCarriers({ routes: [refusing(new StillInProgress('try again in a moment'))] });
    const refusal: unknown = await bound[carrier]
      .call(onBehalf, { method: 'POST', path: '/api/v2/refusals' })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StillInProgress);
    expect(refusal).toMatchObject({ message: 'try again in a moment', retryAfter_s: 1 });
  });

  it.each(['access_denied', 'server_error', 'storage_full'] as const)(
    'that fails with %s says that the service is not available, and no more',
    async (given) => {
      const { bound } = await openCarriers({ routes: [refusing(new Problem(given, 'a secret'))] });
      await expect(bound[carrier].call(onBehalf, { method: 'POST', path: '/api/v2/refusals' })).rejects.toMatchObject({
        code: 'unavailable',
        message: 'things is not available at the moment: try again',
      });
    },
  );
});

function refusing(problem: Problem) {
  return route({
    method: 'POST',
    path: '/api/v2/refusals',
    operationId: 'refuse',
    summary: 'Refuse',
    tags: ['Things'],
    security: 'bearer',
    responses: { 202: null },
    handler: () => Promise.reject(problem),
  });
}

describe.each(carriers)('a watch %s', (carrier) => {
  it('sends the existing objects, then a marker that the list is complete, then every change', async () => {
    const { bound, makeThing, store } = await openCarriers();
    await makeThing(thingId(1));
    const stop = new AbortController();
    const watch = taking(bound[carrier].watch(onBehalf, things, { signal: stop.signal }));
    expect(await watch.until('synced')).toMatchObject([
      { type: 'added', body: { metadata: { id: thingId(1) } } },
      { type: 'synced', position: expect.any(String) as string },
    ]);
    const made = await makeThing(thingId(2));
    expect(await watch.next()).toMatchObject({ type: 'added', body: { metadata: { id: thingId(2) } } });
    await store.update(Thing, { ...made, spec: { colour: 'blue' } });
    expect(await watch.next()).toMatchObject({ type: 'modified', body: { spec: { colour: 'blue' } } });
    await store.delete(Thing, thingId(2));
    expect(await watch.next()).toMatchObject({ type: 'deleted', id: thingId(2) });
    stop.abort();
    expect(await watch.next()).toBeUndefined();
  });

  it('resumes where an earlier watch ended', async () => {
    const { bound, makeThing } = await openCarriers();
    await makeThing(thingId(1));
    const first = new AbortController();
    const [, synced] = await taking(bound[carrier].watch(onBehalf, things, { signal: first.signal })).until('synced');
    first.abort();
    await makeThing(thingId(2));
    const second = new AbortController();
    const from = synced?.type === 'synced' ? synced.position : undefined;
    const watch = taking(bound[carrier].watch(onBehalf, things, { signal: second.signal, from: from ?? '' }));
    expect(await watch.next()).toMatchObject({ type: 'added', body: { metadata: { id: thingId(2) } } });
    second.abort();
  });

  it('starts over with all objects if the position is too old', async () => {
    const { bound, makeThing } = await openCarriers({ history: 2 });
    for (let number = 1; number <= 6; number++) await makeThing(thingId(number));
    const stop = new AbortController();
    const watch = taking(bound[carrier].watch(onBehalf, things, { signal: stop.signal, from: '1.0123456789abcdef' }));
    const events = await watch.until('synced');
    expect(events.map(({ type }) => type)).toEqual(['restart', ...Array<string>(6).fill('added'), 'synced']);
    stop.abort();
  });

  it('is refused for objects that the caller may not read', async () => {
    const { bound } = await openCarriers();
    const watch = taking(
      bound[carrier].watch(
        onBehalf,
        { ...thing, params: { thingID: thingId(9) } },
        { signal: new AbortController().signal },
      ),
    );
    await expect(watch.next()).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a call within the process', () => {
  it('of a route that does not exist is a programming error', async () => {
    const { bound } = await openCarriers({ routes: thingRoutes });
    await expect(bound['in the same process'].call(onBehalf, { method: 'GET', path: '/api/v2/other' })).rejects.toThrow(
      'things has no operation GET /api/v2/other',
    );
  });

  it('fails with the unexpected error of the handler', async () => {
    const { bound, makeThing } = await openCarriers();
    await makeThing(thingId(1), { colour: 'poison' });
    await expect(
      bound['in the same process'].call(onBehalf, { ...thing, params: { thingID: thingId(1) } }),
    ).rejects.toThrow('a thing that cannot be presented');
  });
});

/** A service that answers each connection as the next script says. */
async function scripted(scripts: readonly ((write: (text: string) => void, end: () => void) => void)[]) {
  const world = virtualWorld();
  const requests: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    const script = scripts[requests.length];
    requests.push(request.headers);
    if (!script) {
      response.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    script(
      (text) => response.write(text),
      () => void world.turn().then(() => response.destroy()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const channel = httpChannel({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, world });
  onTestFinished(async () => {
    await channel.close();
    server.closeAllConnections();
    server.close();
  });
  const calls = httpCalls({ service: 'things', channel, world, telemetry: silentTelemetry() });
  return { world, calls, requests };
}

const added = (id: number, position?: string) =>
  `event: added\n${position === undefined ? '' : `id: ${position}\n`}data: {"metadata":{"id":"${thingId(id)}"}}\n\n`;
const synced = (position: string) => `event: synced\nid: ${position}\ndata: {}\n\n`;

describe('a watch over a connection that breaks', () => {
  async function watched(scene: Awaited<ReturnType<typeof scripted>>, wanted: number): Promise<readonly CallEvent[]> {
    const stop = new AbortController();
    const events: CallEvent[] = [];
    const running = (async () => {
      for await (const event of scene.calls.watch(onBehalf, things, { signal: stop.signal })) events.push(event);
    })();
    while (events.length < wanted) await scene.world.advance(50);
    stop.abort();
    await running;
    return events;
  }

  it('is opened again at its last position', async () => {
    const scene = await scripted([
      (write, end) => {
        write(added(1) + synced('5.aaaaaaaaaaaaaaaa'));
        end();
      },
      (write) => {
        write(added(2, '6.aaaaaaaaaaaaaaaa'));
      },
    ]);
    const events = await watched(scene, 3);
    expect(events.map(({ type }) => type)).toEqual(['added', 'synced', 'added']);
    expect(scene.requests.map((headers) => headers['last-event-id'])).toEqual([undefined, '5.aaaaaaaaaaaaaaaa']);
  });

  it('starts over if it breaks in the middle of the list, and says so', async () => {
    const scene = await scripted([
      (write, end) => {
        write(added(1));
        end();
      },
      (write) => {
        write(added(2) + synced('7.aaaaaaaaaaaaaaaa'));
      },
    ]);
    const events = await watched(scene, 4);
    expect(events.map(({ type }) => type)).toEqual(['added', 'restart', 'added', 'synced']);
  });
});

describe('a call over HTTP', () => {
  it('names the principal, and whether it uses the rights of the principal', async () => {
    const scene = await scripted([() => undefined]);
    const stop = new AbortController();
    const watch = taking(scene.calls.watch({ ...onBehalf, impersonate: true }, things, { signal: stop.signal }));
    const next = watch.next();
    while (scene.requests.length === 0) await scene.world.turn();
    expect(parsePrincipal(String(scene.requests[0]?.['x-principal']))).toEqual(onBehalf.principal);
    expect(scene.requests[0]?.['x-impersonate']).toBe('true');
    stop.abort();
    expect(await next).toBeUndefined();
  });

  it('continues the trace of its caller', async () => {
    const scene = await scripted([]);
    const telemetry = createTelemetry({
      service: 'test',
      version: '0',
      world: scene.world,
      log: { level: 'info', destination: capture([]) },
      tracing: { samplingRatio: 1 },
    });
    const traceId = await telemetry.tracer.startActiveSpan('work', async (span) => {
      const call = scene.calls.call(onBehalf, { method: 'POST', path: '/api/v2/things' });
      await expect(call).rejects.toMatchObject({ code: 'unavailable' });
      span.end();
      return span.spanContext().traceId;
    });
    expect(scene.requests[0]?.['traceparent']).toContain(traceId);
    await telemetry.shutdown();
  });
});
