import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { labels, newMetadata } from '../resource/index.ts';
import { capture, interpose, silentTelemetry, type EventStream } from '../testing/index.ts';
import type { Resource } from '../kinds/index.ts';
import { meaningOf } from './watch.ts';
import { openBench, openStream, presented, Thing, thingId, type Bench } from './things.fixture.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

function told(stream: EventStream): readonly string[] {
  return stream.events.map(({ event, data }) => {
    const id = (data as { metadata?: { id: string } }).metadata?.id;
    return id === undefined ? event : `${event} ${Number(id.slice(-12))}`;
  });
}

async function recolour(number: number, colour: string): Promise<void> {
  const object = await bench.store.get(Thing, thingId(number));
  if (object) await bench.store.update(Thing, { metadata: object.metadata, spec: { colour } });
}

describe('a watched list', () => {
  it('begins with the existing objects, marks the end of the list, and continues with every change', async () => {
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2));
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.makeThing(thingId(3));
    await recolour(1, 'blue');
    await bench.store.delete(Thing, thingId(2));
    await stream.has('deleted');
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    expect(told(stream)).toEqual(['added 1', 'added 2', 'synced', 'added 3', 'modified 1', 'deleted 2']);
    expect(stream.events[4]?.data).toMatchObject({ spec: { colour: 'blue' } });
    stream.close();
  });

  it('shows the same objects as the list, and never one that is not visible', async () => {
    await bench.makeThing(thingId(1), { organizationId: 'foreign' });
    await bench.makeThing(thingId(2), { colour: 'private' });
    await bench.makeThing(thingId(3));
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await recolour(1, 'blue');
    await bench.store.delete(Thing, thingId(2));
    await recolour(3, 'private');
    await stream.has('deleted');
    expect(told(stream)).toEqual(['added 3', 'synced', 'deleted 3']);
    stream.close();
  });

  it('a client that was cut off resumes without gap or duplicate', async () => {
    await bench.makeThing(thingId(1));
    const first = await openStream(bench, '/api/v2/things');
    await first.has('synced');
    await bench.makeThing(thingId(2));
    await first.has('added', 2);
    first.close();
    await bench.makeThing(thingId(3));
    await recolour(1, 'blue');
    await bench.store.delete(Thing, thingId(2));
    const second = await openStream(bench, '/api/v2/things', { 'last-event-id': first.events.at(-1)?.id ?? '' });
    await bench.makeThing(thingId(4));
    await second.has('added', 2);
    expect(told(second)).toEqual(['added 3', 'modified 1', 'deleted 2', 'added 4']);
    second.close();
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['a position of the future', (id: string) => id.replace(/^\d+/, '999999999')],
    ['a position of another query', (id: string) => id.replace(/[0-9a-f]{16}$/, '0000000000000000')],
  ])('%s starts over, so that nothing is missed', async (_name, forge) => {
    await bench.makeThing(thingId(1));
    const first = await openStream(bench, '/api/v2/things');
    await first.has('synced');
    first.close();
    const second = await openStream(bench, '/api/v2/things', { 'last-event-id': forge(first.events.at(-1)?.id ?? '') });
    await second.has('synced');
    expect(told(second)).toEqual(['reset', 'added 1', 'synced']);
    second.close();
  });

  it('an object that left the view while the client was away causes a new start, and one that was never in it has no effect', async () => {
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2));
    const first = await openStream(bench, '/api/v2/things');
    await first.has('synced');
    first.close();
    await recolour(2, 'private');
    const second = await openStream(bench, '/api/v2/things', { 'last-event-id': first.events.at(-1)?.id ?? '' });
    await second.has('synced');
    expect(told(second)).toEqual(['reset', 'added 1', 'synced']);
    second.close();
  });

  it('heartbeats have the position, so that an idle client does not fall behind', async () => {
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.makeThing(thingId(1), { organizationId: 'foreign' });
    await bench.world.advance(15_000);
    await stream.has('bookmark');
    expect(told(stream)).toEqual(['synced', 'bookmark']);
    stream.close();
  });

  it('ends within two seconds of the token being withdrawn, whatever else happens', async () => {
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    bench.authenticator.grants.delete('member');
    await bench.world.advance(2_000);
    await stream.has('never').catch(() => undefined);
    expect(stream.ended()).toBe(true);
  });

  it('ends when the token expires', async () => {
    const grant = bench.authenticator.grants.get('member');
    bench.authenticator.grants.set('member', { acl: grant?.acl ?? {}, expiresAt: bench.world.now() + 20_000 });
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.world.advance(19_000);
    expect(stream.ended()).toBe(false);
    await bench.world.advance(1_000);
    await stream.has('never').catch(() => undefined);
    expect(stream.ended()).toBe(true);
  });

  it('objects that the caller may no longer see are removed, and those that it may see now are added', async () => {
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2), { organizationId: 'o2' });
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    bench.authenticator.grants.set('member', {
      acl: { organizations: [{ id: 'o2', endpoints: [{ name: 'test:things', operations: ['read'] }] }] },
    });
    await bench.world.advance(2_000);
    await stream.has('synced', 2);
    expect(told(stream).filter((event) => event !== 'bookmark')).toEqual([
      'added 1',
      'synced',
      'added 2',
      'deleted 1',
      'synced',
    ]);
    stream.close();
  });

  it('ends when the server stops', async () => {
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.app.close();
    await stream.has('never').catch(() => undefined);
    expect(stream.ended()).toBe(true);
  });

  it('leaves out an object that cannot be presented, logs it, and sends the others', async () => {
    await bench[Symbol.asyncDispose]();
    const lines: string[] = [];
    bench = await openBench({ telemetry: { ...silentTelemetry(), log: pino(capture(lines)) } });
    await bench.makeThing(thingId(1), { colour: 'poison' });
    await bench.makeThing(thingId(2));
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.makeThing(thingId(3), { colour: 'poison' });
    await bench.makeThing(thingId(4));
    await stream.has('added', 2);
    expect(told(stream)).toEqual(['added 2', 'synced', 'added 4']);
    expect(lines.filter((line) => line.includes('an object cannot be shown in a stream'))).toHaveLength(2);
    stream.close();
  });

  it('that fails in the middle ends, and the reason is logged', async () => {
    await bench[Symbol.asyncDispose]();
    const lines: string[] = [];
    const telemetry = { ...silentTelemetry(), log: pino(capture(lines)) };
    bench = await openBench({ telemetry });
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    await bench.store.create(Thing, {
      metadata: { name: thingId(1), labels: { [labels.organization]: 'o1', [labels.project]: 'p1' } },
      spec: { colour: 'undecidable' },
    });
    await stream.has('never').catch(() => undefined);
    expect(stream.ended()).toBe(true);
    expect(lines.join('')).toContain('a stream failed');
  });

  it('is refused like the list', async () => {
    const stream = await openStream(bench, '/api/v2/things', { authorization: 'Bearer forged' });
    expect(stream.response.statusCode).toBe(401);
    stream.close();
  });

  it('a client that does not read delays no other client and needs a bounded amount of memory', async () => {
    const stream = await openStream(bench, '/api/v2/things');
    await stream.has('synced');
    const slow = await openStream(bench, '/api/v2/things');
    slow.response.pause();
    // More than the buffers of the sockets can hold.
    const things = 1000;
    const description = 'x'.repeat(32_000);
    presented.count = 0;
    for (let number = 1; number <= things; number++) {
      await bench.store.create(Thing, {
        metadata: newMetadata(
          thingId(number),
          { name: 'a', description },
          { organizationId: 'o1', projectId: 'p1' },
          { subject: 'test' },
        ),
        spec: { colour: 'red' },
      });
    }
    await stream.has('added', things);
    expect(presented.count - things).toBeLessThan(things / 2);
    slow.response.resume();
    await slow.has('added', things);
    expect(slow.events.filter(({ event }) => event === 'added')).toHaveLength(things);
    stream.close();
    slow.close();
  });
});

describe('a watched list with short history', () => {
  it('sends a reset to a client that was away too long', async () => {
    await bench[Symbol.asyncDispose]();
    bench = await openBench({ history: 10 });
    await bench.makeThing(thingId(1));
    const first = await openStream(bench, '/api/v2/things');
    await first.has('synced');
    first.close();
    for (let change = 0; change < 100; change++) await recolour(1, change % 2 === 0 ? 'blue' : 'red');
    const second = await openStream(bench, '/api/v2/things', { 'last-event-id': first.events.at(-1)?.id ?? '' });
    await second.has('synced');
    expect(told(second).slice(0, 3)).toEqual(['reset', 'added 1', 'synced']);
    second.close();
  });
});

describe('a watched item', () => {
  it('is followed until its deletion and after it', async () => {
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2));
    const stream = await openStream(bench, `/api/v2/things/${thingId(1)}`);
    await stream.has('synced');
    await recolour(2, 'blue');
    await recolour(1, 'blue');
    await bench.store.delete(Thing, thingId(1));
    await stream.has('deleted');
    expect(told(stream)).toEqual(['added 1', 'synced', 'modified 1', 'deleted 1']);
    const open = () => bench.telemetry.registry.metrics();
    expect(await open()).toContain('unikorn_http_requests_in_flight 1');
    stream.close();
    await bench.world.until(async () => (await open()).includes('unikorn_http_requests_in_flight 0'));
    expect(await open()).toContain('unikorn_http_streams_open 0');
  });

  it('that is deleted right after the check of its existence is reported as deleted', async () => {
    const { store: inner, world } = bench;
    const store = interpose(inner, async ({ verb }, happen) => {
      // The stream begins with the position of the latest change.
      if (verb === 'list') await inner.delete(Thing, thingId(1)).catch(() => undefined);
      return happen();
    });
    await using hasty = await openBench({ store, world });
    await hasty.makeThing(thingId(1));
    const stream = await openStream(hasty, `/api/v2/things/${thingId(1)}`);
    await stream.has('synced');
    expect(told(stream)).toEqual(['deleted 1', 'synced']);
    stream.close();
  });

  it('must exist', async () => {
    const stream = await openStream(bench, `/api/v2/things/${thingId(1)}`);
    expect(stream.response.statusCode).toBe(404);
    stream.close();
  });
});

describe('a client that follows a stream', () => {
  type Step =
    { readonly type: 'make' | 'recolour' | 'hide' | 'delete'; readonly number: number } | { readonly type: 'cut' };
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constantFrom('make' as const, 'recolour' as const, 'hide' as const, 'delete' as const),
        number: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'cut' as const }) },
  );

  async function take(action: Exclude<Step, { type: 'cut' }>, count: number): Promise<void> {
    const exists = (await bench.store.get(Thing, thingId(action.number))) !== undefined;
    if (action.type === 'make' && !exists) await bench.makeThing(thingId(action.number));
    if (action.type === 'recolour' && exists) await recolour(action.number, count % 2 === 0 ? 'red' : 'blue');
    if (action.type === 'hide' && exists) await recolour(action.number, 'private');
    if (action.type === 'delete' && exists) await bench.store.delete(Thing, thingId(action.number));
  }

  /** What a client holds after these events. */
  function replay(held: Map<string, string>, events: EventStream['events']): void {
    for (const { event, data } of events) {
      const { metadata, spec } = data as { metadata?: { id: string }; spec?: { colour: string } };
      if (event === 'reset') held.clear();
      if (event === 'deleted') held.delete(metadata?.id ?? '');
      if (event === 'added' || event === 'modified') held.set(metadata?.id ?? '', spec?.colour ?? '');
    }
  }

  it('has the same objects as the list, however often it was cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await using own = await openBench();
        bench = own;
        const held = new Map<string, string>();
        let lastId: string | undefined;
        let stream = await openStream(bench, '/api/v2/things');
        const leave = () => {
          stream.close();
          replay(held, stream.events);
          lastId = stream.events.findLast(({ id }) => id !== undefined)?.id ?? lastId;
        };
        for (const [count, action] of steps.entries()) {
          if (action.type !== 'cut') await take(action, count);
          else {
            leave();
            stream = await openStream(bench, '/api/v2/things', lastId === undefined ? {} : { 'last-event-id': lastId });
            // Without a position the server sends everything again, so the client also starts over.
            if (lastId === undefined) held.clear();
          }
        }
        await bench.world.advance(15_000);
        await stream.has('bookmark');
        leave();
        const list = (await bench.call('GET', '/api/v2/things')).json<
          { metadata: { id: string }; spec: { colour: string } }[]
        >();
        expect([...held].sort()).toEqual(list.map(({ metadata, spec }) => [metadata.id, spec.colour]));
      }),
      { numRuns: 25 },
    );
  });
});

describe('what a change means', () => {
  const object = (version: string, colour = 'red'): Resource => ({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', uid: 'u', resourceVersion: version, generation: 1, creationTimestamp: '' },
    spec: { colour },
  });
  const visible = ({ spec }: Resource) => (spec as { colour: string }).colour === 'red';
  const shown = (version?: string) => new Map(version === undefined ? [] : [['a', version]]);

  it.each([
    ['a change that was in the list already', 'modified', object('5'), shown('5'), '0', 'nothing'],
    ['a change to what was shown', 'modified', object('6'), shown('5'), '0', 'modified'],
    ['a change that makes it visible', 'modified', object('6'), shown(), '0', 'added'],
    ['a change that hides it', 'modified', object('6', 'private'), shown('5'), '0', 'deleted'],
    ['a change to what stays hidden', 'modified', object('6', 'private'), shown(), '0', 'nothing'],
    ['the end of what was shown', 'deleted', object('6'), shown('5'), '0', 'deleted'],
    ['the end of what was hidden', 'deleted', object('6', 'private'), shown(), '0', 'nothing'],
    ['a hidden change while the client was away', 'modified', object('6', 'private'), shown(), '9', 'reset'],
    ['an end while the client was away', 'deleted', object('6'), shown(), '9', 'deleted'],
    ['a hidden end while the client was away', 'deleted', object('6', 'private'), shown(), '9', 'nothing'],
    ['a change while the client was away', 'modified', object('6'), shown('0'), '9', 'modified'],
  ] as const)('%s', (_name, type, changed, versions, awayUntil, meaning) => {
    expect(meaningOf({ type, object: changed }, { versions, awayUntil }, visible)).toBe(meaning);
  });
});
