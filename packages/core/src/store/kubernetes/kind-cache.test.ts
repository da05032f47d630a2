import { expect, it, onTestFinished } from 'vitest';

import type { Kind } from '../../kinds/index.ts';
import { limits, waits } from '../../limits.ts';
import { virtualWorld } from '../../testing/index.ts';
import { team, Widget } from '../conformance/kinds.ts';
import { matching } from '../selector.ts';
import type { Page, WatchEvent } from '../store.ts';
import { refusalOf } from './failure.ts';
import { KindCache } from './kind-cache.ts';
import { Outages } from './outages.ts';

const widget = (name: string, version: number, colour: string) => ({
  apiVersion: Widget.apiVersion,
  kind: Widget.kind,
  metadata: {
    name,
    uid: `uid of ${name}`,
    labels: { [team]: colour },
    resourceVersion: String(version),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { size: 1 },
});

/** A cache of three objects, and the events that a test sends to it. */
async function stage() {
  const world = virtualWorld();
  const events: WatchEvent<typeof Widget>[] = [];
  const link = { isConnected: true, reconnects: 0, arrived: Promise.withResolvers<undefined>() };
  const cache = new KindCache({
    world,
    kind: Widget,
    outages: new Outages(world, undefined),
    list: () =>
      Promise.resolve({
        items: [widget('a', 1, 'red'), widget('b', 2, 'red'), widget('c', 3, 'blue')],
        resourceVersion: '10',
      }),
    watch: async function* (_from, signal) {
      while (!signal.aborted) {
        yield* events.splice(0);
        await link.arrived.promise;
        link.arrived = Promise.withResolvers();
      }
    },
    isConnected: () => link.isConnected,
    reconnect: () => link.reconnects++,
  });
  onTestFinished(() => {
    cache.close();
    link.arrived.resolve(undefined);
  });
  const send = (event: WatchEvent<typeof Widget>) => {
    events.push(event);
    link.arrived.resolve(undefined);
  };
  const named = (colour: string, after = '', limit = Infinity) =>
    cache
      .part({ selector: matching({ [team]: colour }), after, limit, bytes: Infinity })
      .items.map(({ metadata }) => metadata.name);
  await cache.whenComplete();
  return { world, cache, link, send, named };
}

it('lists by label in order of name, and follows changes of labels', async () => {
  const { cache, send, named } = await stage();
  expect(named('red')).toEqual(['a', 'b']);
  expect(named('red', 'a')).toEqual(['b']);
  send({ type: 'modified', object: widget('a', 11, 'blue') });
  send({ type: 'deleted', object: widget('b', 12, 'red') });
  expect(await cache.reaches(12)).toBe(true);
  expect([named('red'), named('blue')]).toEqual([[], ['a', 'c']]);
  expect(cache.countUpTo(matching({ [team]: ['red', 'blue'] }), 10)).toBe(2);
});

it('waits for a change that the process has seen', async () => {
  const { cache, send, named } = await stage();
  const reached = cache.reaches(11);
  send({ type: 'added', object: widget('d', 11, 'red') });
  expect(await reached).toBe(true);
  expect(named('red')).toEqual(['a', 'b', 'd']);
});

it('gives up after a second, and replaces the connection', async () => {
  const { world, cache, link } = await stage();
  const reached = cache.reaches(11);
  await world.advance(waits.kubernetesCache_ms + 1);
  expect(await reached).toBe(false);
  expect(link.reconnects).toBe(1);
});

it('is not used when its watch has been disconnected for a second', async () => {
  const { world, cache, link } = await stage();
  link.isConnected = false;
  expect(await cache.reaches(0)).toBe(true);
  await world.advance(waits.kubernetesCache_ms + 1);
  expect(await cache.reaches(0)).toBe(false);
  link.isConnected = true;
  expect(await cache.reaches(0)).toBe(true);
});

it('does not show an object that this process has deleted, before the event arrives', async () => {
  const { cache, named } = await stage();
  cache.forget('uid of a');
  expect(named('red')).toEqual(['b']);
  expect(cache.countUpTo(matching({ [team]: 'red' }), 10)).toBe(1);
});

it('has a state that this process wrote before its event arrives', async () => {
  const { cache, send, named } = await stage();
  cache.learn(widget('a', 12, 'blue'));
  cache.learn(widget('d', 13, 'red'));
  expect([cache.get('a')?.metadata.resourceVersion, named('red')]).toEqual(['12', ['b', 'd']]);
  // An earlier change of another process does not replace it.
  send({ type: 'modified', object: widget('a', 11, 'red') });
  expect(await cache.reaches(11)).toBe(true);
  expect(cache.get('a')?.metadata.resourceVersion).toBe('12');
  send({ type: 'deleted', object: widget('d', 14, 'red') });
  expect(await cache.reaches(14)).toBe(true);
  expect(cache.get('d')).toBeUndefined();
});

it('does not take back an object whose deletion it already knows', async () => {
  const { cache, send } = await stage();
  send({ type: 'deleted', object: widget('a', 12, 'red') });
  expect(await cache.reaches(12)).toBe(true);
  // The answer to a read can arrive after the event of a later deletion.
  cache.learn(widget('a', 11, 'red'));
  expect(cache.get('a')).toBeUndefined();
});

it('removes an object whose deletion has the version of its last write', async () => {
  const { cache, send } = await stage();
  cache.learn(widget('a', 12, 'red'));
  cache.forget('uid of a');
  expect(cache.get('a')).toBeUndefined();
  send({ type: 'deleted', object: widget('a', 12, 'red') });
  expect(await cache.reaches(12)).toBe(true);
  expect(cache.get('a')).toBeUndefined();
});

it('does not answer for a process that wrote something while the cache was filled', async () => {
  const world = virtualWorld();
  const page = Promise.withResolvers<Page<Kind>>();
  const arrived = Promise.withResolvers<WatchEvent<typeof Widget>>();
  const cache = new KindCache({
    world,
    kind: Widget,
    outages: new Outages(world, undefined),
    list: () => page.promise,
    watch: async function* () {
      yield await arrived.promise;
      await new Promise(() => undefined);
    },
    isConnected: () => true,
    reconnect: () => undefined,
  });
  onTestFinished(() => {
    cache.close();
  });
  cache.learn(widget('a', 11, 'red'));
  page.resolve({ items: [], resourceVersion: '10' });
  await cache.whenComplete();
  expect(cache.knowsOwn).toBe(false);
  arrived.resolve({ type: 'added', object: widget('a', 11, 'red') });
  expect(await cache.reaches(11)).toBe(true);
  expect([cache.knowsOwn, cache.get('a')?.metadata.resourceVersion]).toEqual([true, '11']);
});

it('asks an API server that refuses the list ever more seldom, and one that does not answer soon again', async () => {
  const refusal = refusalOf({ status: 403, body: '', length: 0 }, { kind: Widget.kind });
  const silence = refusalOf({ status: 500, body: '', length: 0 }, { kind: Widget.kind });
  const triesWithin = async (thrown: Error, time_ms: number) => {
    const world = virtualWorld();
    const tries_ms: number[] = [];
    const cache = new KindCache({
      world,
      kind: Widget,
      outages: new Outages(world, undefined),
      list: () => {
        tries_ms.push(world.monotonic_ms());
        return Promise.reject(thrown);
      },
      watch: async function* () {},
      isConnected: () => false,
      reconnect: () => undefined,
    });
    onTestFinished(() => {
      cache.close();
    });
    await world.advance(time_ms);
    return tries_ms;
  };
  const hour_ms = 3_600_000;
  const refused = await triesWithin(refusal, hour_ms);
  const pauses_ms = refused.slice(1).map((time_ms, index) => time_ms - (refused[index] ?? 0));
  expect(Math.max(...pauses_ms)).toBeLessThanOrEqual(limits.backoffMax_ms);
  expect(Math.min(...pauses_ms.slice(6))).toBeGreaterThanOrEqual(limits.backoffMax_ms / 2);
  expect((await triesWithin(silence, hour_ms)).length).toBeGreaterThanOrEqual(hour_ms / waits.kubernetesPauseMax_ms);
});
