import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { virtualWorld } from '@unikorn/core/testing';
import { afterEach, expect, it } from 'vitest';

import { followed } from './follow.ts';
import { gone, settled, type Change, type Instance } from './index.ts';
import { platform } from './platform.ts';
import { events, perform, refusal, type Stage } from './service.fixture.ts';

let stage: Stage;
afterEach(() => stage.close());

const instance = (provisioningStatus: string, message?: string) => ({
  metadata: {
    id: 'i',
    name: 'web',
    provisioningStatus,
    ...(message === undefined ? {} : { provisioningStatusDetail: { reason: 'Errored', message } }),
  },
});
const departed = { metadata: { id: 'i' } };
const event = (type: string, data: unknown, id?: string) =>
  [`event: ${type}`, ...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`].join('\n');

function follow(signal?: AbortSignal): AsyncGenerator<Change<Instance>, never> {
  return stage.unikorn.compute.follow('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: 'i' } },
    ...(signal ? { signal } : {}),
  });
}

async function take(count: number): Promise<readonly unknown[]> {
  const taken: unknown[] = [];
  for await (const change of follow())
    if (
      taken.push(
        change.type === 'added' || change.type === 'modified'
          ? [change.type, change.object.metadata.provisioningStatus]
          : change.type,
      ) === count
    )
      break;
  return taken;
}

it('sends existing objects, synced, and changes', async () => {
  stage = await perform([
    events(
      event('added', instance('pending')),
      event('synced', {}, '1.a'),
      event('bookmark', {}, '2.a'),
      event('modified', instance('provisioned'), '3.a'),
    ),
  ]);
  expect(await take(3)).toEqual([['added', 'pending'], 'synced', ['modified', 'provisioned']]);
  expect(stage.seen[0]).toMatchObject({
    url: '/compute/api/v2/instances/i',
    headers: { accept: 'text/event-stream', authorization: 'Bearer secret' },
  });
});

it('continues at its position after a broken connection', async () => {
  stage = await perform(
    [
      events(event('added', instance('pending')), event('synced', {}, '7.a')),
      (response) => response.destroy(),
      refusal(500, 'server_error'),
      events(event('modified', instance('provisioned'), '8.a')),
    ],
    { retries: 0 },
  );
  expect(await take(3)).toEqual([['added', 'pending'], 'synced', ['modified', 'provisioned']]);
  expect(stage.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7.a', '7.a', '7.a']);
});

it('reports when the server does not answer, and when it answers again', async () => {
  stage = await perform(
    [
      events(event('synced', {}, '7.a')),
      refusal(500, 'server_error'),
      events(event('modified', instance('provisioned'), '8.a')),
    ],
    { retries: 0 },
  );
  const heard: unknown[] = [];
  for await (const change of stage.unikorn.compute.follow('/api/v2/instances', {
    onInterruption: (error) => heard.push(error?.name ?? 'back'),
  })) {
    heard.push(change.type);
    if (change.type === 'modified') break;
  }
  expect(heard).toEqual(['synced', 'ApiError', 'back', 'modified']);
});

it('retries a stream that was refused because of a limit', async () => {
  stage = await perform(
    [refusal(429, 'forbidden'), events(event('added', instance('pending')), event('synced', {}, '7.a'))],
    { retries: 0 },
  );
  expect(await take(2)).toEqual([['added', 'pending'], 'synced']);
});

it('continues after temporary refusals, however many', async () => {
  stage = await perform(
    [
      events(event('synced', {}, '7.a')),
      refusal(429, 'slow_down'),
      refusal(408, 'request_timeout'),
      events(event('modified', instance('provisioned'), '8.a')),
    ],
    { retries: 0 },
  );
  expect(await take(2)).toEqual(['synced', ['modified', 'provisioned']]);
});

it('increases the delay while the server does not answer, and resets it afterwards', async () => {
  const down = refusal(500, 'server_error');
  stage = await perform(
    [
      events(event('synced', {}, '7.a')),
      down,
      down,
      events(event('modified', instance('pending'), '8.a')),
      down,
      events(event('modified', instance('provisioned'), '9.a')),
    ],
    { retries: 0 },
  );
  expect(await take(3)).toEqual(['synced', ['modified', 'pending'], ['modified', 'provisioned']]);
  expect(stage.slept).toEqual([500, 1000, 2000, 500, 1000]);
});

it('keeps its position after an event without one', async () => {
  stage = await perform([
    events(event('synced', {}, '7.a'), event('modified', instance('pending'))),
    events(event('modified', instance('provisioned'), '8.a')),
  ]);
  expect(await take(3)).toEqual(['synced', ['modified', 'pending'], ['modified', 'provisioned']]);
  expect(stage.seen[1]?.headers).toMatchObject({ 'last-event-id': '7.a' });
});

it('reports once that the server answers again', async () => {
  const change = (id: string, status = 'pending') => events(event('modified', instance(status), id));
  stage = await perform([change('1.a'), refusal(500, 'server_error'), change('2.a'), change('3.a', 'provisioned')], {
    retries: 0,
  });
  const heard: string[] = [];
  for await (const change of stage.unikorn.compute.follow('/api/v2/instances', {
    onInterruption: (error) => heard.push(error ? 'gone' : 'back'),
  })) {
    if (change.type === 'modified' && change.object.metadata.provisioningStatus === 'provisioned') break;
  }
  expect(heard).toEqual(['gone', 'back']);
});

it('does not retry before the delay is over', async () => {
  const opened: string[] = [];
  const [paused, over] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const sleep = async () => {
    paused.resolve(undefined);
    await over.promise;
  };
  const open = (position: string | undefined) => {
    opened.push(position ?? 'the beginning');
    return Promise.resolve(new Response(`${event('synced', {}, '7.a')}\n\n`));
  };
  const changes = followed<Instance>(open, { platform: { ...platform, sleep }, request: 'GET http://service/things' });
  await changes.next();
  const next = changes.next();
  await paused.promise;
  await setImmediate();
  expect(opened).toEqual(['the beginning']);
  over.resolve(undefined);
  await next;
  expect(opened).toEqual(['the beginning', '7.a']);
});

it('starts again if its position is no longer valid', async () => {
  stage = await perform([events(event('synced', {}, '7.a'), event('reset', {})), events(event('synced', {}, '9.a'))]);
  expect(await take(3)).toEqual(['synced', 'reset', 'synced']);
  expect(stage.seen[1]?.headers).not.toHaveProperty('last-event-id');
});

it('ends with a refusal of the service', async () => {
  stage = await perform([refusal(403, 'forbidden')]);
  await expect(take(1)).rejects.toMatchObject({ status: 403 });
  expect(stage.seen).toHaveLength(1);
});

it('ends when the signal aborts', async () => {
  stage = await perform([
    (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${event('synced', {}, '1.a')}\n\n`),
  ]);
  const stop = new AbortController();
  const changes = follow(stop.signal);
  expect(await changes.next()).toEqual({ done: false, value: { type: 'synced' } });
  stop.abort(new Error('enough'));
  await expect(changes.next()).rejects.toThrow('enough');
});

it('ends when the signal aborts, however long ago the stream was opened', async () => {
  stage = await perform([
    (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${event('synced', {}, '1.a')}\n\n`),
  ]);
  const stop = new AbortController();
  const changes = follow(stop.signal);
  await changes.next();
  const next = changes.next();
  await collectGarbage();
  stop.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setImmediate();
  }
}

/** A stream in the virtual world, whose connections the test feeds, ends or leaves silent. */
function silentStage(options: { readonly from?: string } = {}) {
  const world = virtualWorld();
  const connections: { readonly position: string | undefined; readonly send: (text: string) => void }[] = [];
  const heard: unknown[] = [];
  const sleep = (duration_ms: number, signal?: AbortSignal) => world.sleep(duration_ms, signal);
  const open = (position: string | undefined, signal: AbortSignal) => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason);
        });
        connections.push({
          position,
          send: (text) => {
            controller.enqueue(new TextEncoder().encode(`${text}\n\n`));
          },
        });
      },
    });
    return Promise.resolve(new Response(body));
  };
  const stop = new AbortController();
  const end = (async () => {
    for await (const change of followed<Instance>(open, {
      platform: { sleep, after: (delay_ms, callback) => world.after(delay_ms, callback) },
      request: 'GET http://service/things',
      signal: stop.signal,
      onInterruption: (error) => heard.push(error?.message ?? 'back'),
      onAlive: (position) => heard.push(['alive', position]),
      ...options,
    }))
      heard.push(change.type);
  })().catch((error: unknown) => error);
  return { world, connections, heard, stop: () => (stop.abort(new Error('enough')), end) };
}

it('opens a stream again that is silent for longer than three heartbeats, and says so', async () => {
  stage = await perform([]);
  const { world, connections, heard, stop } = silentStage();
  await world.settle();
  connections[0]?.send(event('synced', {}, '7.a'));
  await world.advance(44_000);
  connections[0]?.send(event('bookmark', {}, '8.a'));
  await world.advance(44_000);
  expect(connections).toHaveLength(1);
  await world.advance(2000);
  expect(connections.map(({ position }) => position)).toEqual([undefined, '8.a']);
  expect(heard).toEqual([
    ['alive', undefined],
    ['alive', '7.a'],
    'synced',
    ['alive', '8.a'],
    'http://service cannot be reached: nothing was received for 45 seconds',
    'back',
    ['alive', '8.a'],
  ]);
  expect(await stop()).toMatchObject({ message: 'enough' });
});

it('gives up a connection that is never answered', async () => {
  stage = await perform([]);
  const world = virtualWorld();
  const opened: string[] = [];
  const open = (_: string | undefined, signal: AbortSignal) => {
    opened.push('open');
    return new Promise<Response>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  };
  const changes = followed(open, {
    platform: {
      sleep: (duration_ms) => world.sleep(duration_ms),
      after: (delay_ms, callback) => world.after(delay_ms, callback),
    },
    request: 'GET http://service/things',
  });
  void changes.next();
  await world.advance(44_000);
  expect(opened).toHaveLength(1);
  await world.advance(2000);
  expect(opened).toHaveLength(2);
});

it('does not take a slow reader for a silent service', async () => {
  stage = await perform([]);
  const world = virtualWorld();
  let opened = 0;
  const open = () => {
    opened += 1;
    return Promise.resolve(new Response(`${event('synced', {}, '7.a')}\n\n${event('reset', {})}\n\n`));
  };
  const changes = followed(open, {
    platform: {
      sleep: (duration_ms) => world.sleep(duration_ms),
      after: (delay_ms, callback) => world.after(delay_ms, callback),
    },
    request: 'GET http://service/things',
  });
  await changes.next();
  await world.advance(100_000);
  expect((await changes.next()).value).toEqual({ type: 'reset' });
  expect(opened).toBe(1);
});

it('needs one timer for everything that arrives together, and none for each event', async () => {
  stage = await perform([]);
  let timers = 0;
  const many = Array.from({ length: 1_000 }, () => event('added', instance('pending')));
  const open = () => Promise.resolve(new Response(`${[...many, event('synced', {}, '7.a')].join('\n\n')}\n\n`));
  const after = () => {
    timers += 1;
    return () => undefined;
  };
  const changes = followed<Instance>(open, { platform: { ...platform, after }, request: 'GET http://service/things' });
  let added = 0;
  for await (const { type } of changes) {
    if (type === 'synced') break;
    added += 1;
  }
  expect(added).toBe(1_000);
  expect(timers).toBeLessThan(5);
});

it('sends nothing more of what has already arrived when the signal aborts', async () => {
  stage = await perform([]);
  const stop = new AbortController();
  const open = () =>
    Promise.resolve(new Response(`${event('added', instance('pending'))}\n\n${event('synced', {}, '7.a')}\n\n`));
  const changes = followed<Instance>(open, { platform, request: 'GET http://service/things', signal: stop.signal });
  await changes.next();
  stop.abort(new Error('enough'));
  await expect(changes.next()).rejects.toThrow('enough');
});

it('begins at a given position', async () => {
  stage = await perform([events(event('modified', instance('provisioned'), '8.a'))]);
  const positions: unknown[] = [];
  for await (const change of stage.unikorn.compute.follow('/api/v2/instances', {
    from: '7.a',
    onAlive: (position) => positions.push(position),
  }))
    if (change.type === 'modified') break;
  expect(stage.seen[0]?.headers).toMatchObject({ 'last-event-id': '7.a' });
  expect(positions).toEqual(['7.a', '8.a']);
});

it('asks for another token once when its own is refused', async () => {
  const asked: unknown[] = [];
  stage = await perform(
    [
      events(event('synced', {}, '7.a')),
      refusal(401, 'access_denied'),
      events(event('modified', instance('provisioned'), '8.a')),
    ],
    {
      token: (refused) => {
        asked.push(refused);
        return refused ? 'new' : 'old';
      },
    },
  );
  expect(await take(2)).toEqual(['synced', ['modified', 'provisioned']]);
  expect(stage.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer old', 'Bearer new']);
  expect(asked).toEqual([undefined, undefined, { refused: 'old' }]);
});

it.each(['the same', 'another'])('ends when the service also refuses %s token', async (which) => {
  stage = await perform([refusal(401, 'access_denied')], {
    token: (refused) => (refused && which === 'another' ? 'new' : 'old'),
  });
  await expect(take(1)).rejects.toMatchObject({ status: 401 });
  expect(stage.seen).toHaveLength(which === 'another' ? 2 : 1);
});

it('waits until a resource is provisioned, and reports each change', async () => {
  stage = await perform([
    events(
      event('added', instance('pending')),
      event('synced', {}, '1.a'),
      event('modified', instance('provisioning'), '2.a'),
      event('modified', instance('provisioned'), '3.a'),
    ),
  ]);
  const way: (string | undefined)[] = [];
  const ready = await settled(follow(), { onChange: ({ metadata }) => way.push(metadata.provisioningStatus) });
  expect(ready.metadata.name).toBe('web');
  expect(way).toEqual(['pending', 'provisioning', 'provisioned']);
});

it('reports why a resource failed', async () => {
  stage = await perform([events(event('added', instance('error', 'there is no room')))]);
  await expect(settled(follow())).rejects.toMatchObject({
    outcome: 'failed',
    message: 'web could not be provisioned: there is no room',
  });
});

it('reports a deletion during the wait', async () => {
  stage = await perform([events(event('added', instance('provisioning')), event('deleted', departed, '2.a'))]);
  await expect(settled(follow())).rejects.toMatchObject({ outcome: 'deleted', message: 'web was deleted' });
});

it.each([
  ['the deletion is received', [events(event('added', instance('deprovisioning')), event('deleted', departed, '2.a'))]],
  ['it is already deleted', [refusal(404, 'not_found')]],
  [
    'it is deleted while the connection is broken',
    [events(event('added', instance('deprovisioning'), '1.a')), refusal(404, 'not_found')],
  ],
])('waits until a resource is deleted: %s', async (_, acts) => {
  stage = await perform(acts);
  await gone(follow());
});
