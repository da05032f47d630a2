import { beforeEach, expect, it } from 'vitest';

import type { Change } from '@unikorn/sdk';

import { limits, waits } from '../limits.ts';
import type { TakePlace } from './stream-places.ts';
import { failureOf, Hub, type Identified, type OpenOptions } from './hub.ts';

interface Thing extends Identified {
  readonly size: number;
}

const thing = (id: string, size = 1): Thing => ({ metadata: { id }, size });

/** A stream whose events the test sends. */
class Stream {
  readonly options: OpenOptions;
  #events: Change<Thing>[] = [];
  #wake = () => {};

  constructor(options: OpenOptions) {
    this.options = options;
    options.signal.addEventListener('abort', () => {
      this.#wake();
    });
  }

  send(...events: readonly Change<Thing>[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  async *read(): AsyncGenerator<Change<Thing>, never> {
    for (;;) {
      for (const event of this.#events.splice(0)) yield event;
      if (this.options.signal.aborted) throw this.options.signal.reason as Error;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get isOpen(): boolean {
    return !this.options.signal.aborted;
  }
}

let now: number;
let visible: boolean;
let timers: { readonly at: number; readonly run: () => void }[];
let frames: (() => void)[];
let onVisibility: () => void;
let streams: Map<string, Stream[]>;
let hub: Hub;
let takePlace: TakePlace;
let pauses: number;

beforeEach(() => {
  now = 1_000;
  visible = true;
  timers = [];
  frames = [];
  pauses = 0;
  streams = new Map<string, Stream[]>();
  takePlace = () => Promise.resolve(() => undefined);
  hub = hubOfTest();
});

function hubOfTest(): Hub {
  return new Hub({
    now: () => now,
    after: (delay_ms, run) => {
      const timer = { at: now + delay_ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    frame: (callback) => {
      frames.push(callback);
    },
    pause: () => {
      pauses += 1;
      return Promise.resolve();
    },
    isVisible: () => visible,
    onVisibility: (callback) => {
      onVisibility = callback;
    },
    takePlace: (signal) => takePlace(signal),
  });
}

function list(name: string) {
  return hub.list<Thing>(name, (options) => {
    const stream = new Stream(options);
    streams.set(name, [...(streams.get(name) ?? []), stream]);
    return stream.read();
  });
}

function last(name: string): Stream {
  const stream = streams.get(name)?.at(-1);
  if (!stream) throw new Error(`nothing opened ${name}`);
  return stream;
}

function things(from: number, count: number) {
  return Array.from({ length: count }, (_unused, index) => ({
    type: 'added' as const,
    object: thing(String(from + index)),
  }));
}

/** Lets the streams deliver so many events. */
async function delivered(events: number): Promise<void> {
  for (let turn = 0; turn < 5 * events + 20; turn += 1) await Promise.resolve();
}

/** Lets the streams deliver, and draws a frame. */
async function drawn(): Promise<void> {
  await delivered(0);
  for (const frame of frames.splice(0)) frame();
}

async function passed(duration_ms: number): Promise<void> {
  now += duration_ms;
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter((each) => each !== timer);
    timer.run();
  }
  await drawn();
}

it('components share one stream, which ends some time after the last of them', async () => {
  const [one, other] = [list('a').subscribe(() => undefined), list('a').subscribe(() => undefined)];
  await drawn();
  expect(streams.get('a')).toHaveLength(1);
  one();
  other();
  await passed(waits.linger_ms - 1);
  expect(last('a').isOpen).toBe(true);
  await passed(1);
  expect(last('a').isOpen).toBe(false);
});

it('shows a short list when it is complete, and many changes as one', async () => {
  let notified = 0;
  list('a').subscribe(() => (notified += 1));
  await drawn();
  last('a').send({ type: 'added', object: thing('1') });
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'loading', items: [] });
  last('a').send({ type: 'added', object: thing('2') }, { type: 'synced' });
  await drawn();
  expect(list('a').snapshot.items).toEqual([thing('1'), thing('2')]);
  expect(list('a').snapshot.freshness).toBe('live');
  notified = 0;
  const changes = Array.from(
    { length: 500 },
    (_unused, size) => ({ type: 'modified', object: thing('1', size) }) as const,
  );
  last('a').send(...changes, { type: 'deleted', object: thing('2') });
  await delivered(500);
  await drawn();
  expect(notified).toBe(1);
  expect(list('a').snapshot.items).toEqual([thing('1', 499)]);
});

it('shows the first objects of a long list while the others arrive, and draws it only a few times', async () => {
  const sizes: number[] = [];
  list('a').subscribe(() => sizes.push(list('a').snapshot.items.length));
  await drawn();
  for (let sent = 0; sent < 10_000; sent += 20) {
    last('a').send(...things(sent, 20));
    await delivered(20);
    await drawn();
  }
  expect(list('a').snapshot.freshness).toBe('loading');
  expect(list('a').snapshot.byId.get('3')).toEqual(thing('3'));
  last('a').send({ type: 'synced' });
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'live', items: { length: 10_000 } });
  expect(pauses).toBe(10_000 / limits.eventsTogether);
  expect(sizes).toEqual([60, 240, 960, 2_460, 3_960, 5_460, 6_960, 8_460, 9_960, 10_000]);
});

it('a list whose first reading is interrupted keeps what has arrived, and is not taken for complete', async () => {
  list('a').subscribe(() => undefined);
  await drawn();
  last('a').send(...things(0, limits.firstRows));
  await delivered(limits.firstRows);
  await drawn();
  last('a').options.onInterruption(new Error('cut'));
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'loading', items: { length: limits.firstRows } });
  expect(failureOf(list('a').snapshot)).toEqual(new Error('cut'));
  expect(hub.health).toEqual({ freshness: 'stale', asOf: undefined });
  last('a').options.onInterruption(undefined);
  await drawn();
  expect(failureOf(list('a').snapshot)).toBeUndefined();
  expect(hub.health.freshness).toBe('live');
  expect(list('a').snapshot).toMatchObject({ freshness: 'loading', items: { length: limits.firstRows } });
});

it('a list that must be read anew keeps its old objects until the new ones are complete', async () => {
  list('a').subscribe(() => undefined);
  await drawn();
  last('a').send({ type: 'added', object: thing('1') }, { type: 'synced' });
  await drawn();
  last('a').send({ type: 'reset' }, { type: 'added', object: thing('2') });
  await drawn();
  expect(list('a').snapshot.items).toEqual([thing('1')]);
  last('a').send({ type: 'synced' });
  await drawn();
  expect(list('a').snapshot.items).toEqual([thing('2')]);
});

it('a broken connection is said, with the time of what is shown, until it works again', async () => {
  list('a').subscribe(() => undefined);
  await drawn();
  last('a').options.onAlive(undefined);
  last('a').send({ type: 'added', object: thing('1') }, { type: 'synced' });
  await drawn();
  now += 60_000;
  last('a').options.onInterruption(new Error('cut'));
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'stale', items: [thing('1')], asOf: 1_000 });
  expect(hub.health).toEqual({ freshness: 'stale', asOf: 1_000 });
  last('a').options.onInterruption(undefined);
  await drawn();
  expect(hub.health.freshness).toBe('live');
});

it('only two lists have a stream, those that were asked for last; others are read from time to time', async () => {
  for (const name of ['a', 'b', 'c']) {
    list(name).subscribe(() => undefined);
    await drawn();
  }
  last('a').send({ type: 'added', object: thing('1') }, { type: 'synced' });
  await drawn();
  expect(list('a').snapshot.freshness).toBe('polled');
  expect([last('a').isOpen, last('b').isOpen, last('c').isOpen]).toEqual([false, true, true]);
  const before = streams.get('a')?.length;
  await passed(waits.poll_ms);
  expect(streams.get('a')).toHaveLength((before ?? 0) + 1);
  expect(list('a').snapshot.items).toEqual([thing('1')]);
});

it('a hidden page lets its streams go after a while, and opens them again when it is seen', async () => {
  list('a').subscribe(() => undefined);
  await drawn();
  last('a').send({ type: 'added', object: thing('1') }, { type: 'synced' });
  await drawn();
  visible = false;
  onVisibility();
  await passed(waits.hidden_ms);
  expect(last('a').isOpen).toBe(false);
  expect(list('a').snapshot.items).toEqual([thing('1')]);
  visible = true;
  onVisibility();
  await drawn();
  expect(last('a').isOpen).toBe(true);
  expect(streams.get('a')).toHaveLength(2);
});

it('a refusal is shown and not repeated', async () => {
  const refused = hub.list<Thing>('a', async function* () {
    await Promise.resolve();
    if (now > 0) throw new Error('you may not list things');
    yield { type: 'synced' };
    throw new Error('not reached');
  });
  refused.subscribe(() => undefined);
  await drawn();
  expect(refused.snapshot).toMatchObject({ freshness: 'refused', error: new Error('you may not list things') });
});

it('a page that asks for several lists before it uses the first gets them all', async () => {
  const lists = ['a', 'b'].map(list);
  for (const each of lists) each.subscribe(() => undefined);
  await drawn();
  expect(streams.get('a')).toHaveLength(1);
  expect(streams.get('b')).toHaveLength(1);
});

it('a list is read without a stream while other tabs have all of them, and gets one when a tab is closed', async () => {
  const free = Promise.withResolvers<() => void>();
  let givenBack = false;
  takePlace = () => free.promise;
  const leave = list('a').subscribe(() => undefined);
  await drawn();
  expect(streams.get('a')).toBeUndefined();
  await passed(waits.place_ms);
  last('a').send({ type: 'added', object: thing('1') }, { type: 'synced' });
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'polled', items: [thing('1')] });
  expect(last('a').isOpen).toBe(false);
  free.resolve(() => (givenBack = true));
  await drawn();
  expect(last('a').isOpen).toBe(true);
  last('a').send({ type: 'added', object: thing('2') }, { type: 'synced' });
  await drawn();
  expect(list('a').snapshot).toMatchObject({ freshness: 'live', items: [thing('2')] });
  leave();
  await passed(waits.linger_ms);
  expect(givenBack).toBe(true);
});

it('a tab that is opened in the background lets its streams go, too', async () => {
  visible = false;
  hub = hubOfTest();
  list('a').subscribe(() => undefined);
  await drawn();
  expect(last('a').isOpen).toBe(true);
  await passed(waits.hidden_ms);
  expect(last('a').isOpen).toBe(false);
});

it('a long list is drawn a few times per second at most', async () => {
  let notified = 0;
  list('a').subscribe(() => (notified += 1));
  await drawn();
  last('a').send(...things(0, limits.longList), { type: 'synced' });
  await delivered(limits.longList);
  await drawn();
  expect(list('a').snapshot.items).toHaveLength(limits.longList);
  notified = 0;
  for (let change = 0; change < 50; change += 1) {
    last('a').send({ type: 'modified', object: thing('1', change) });
    await passed(waits.longList_ms / 25);
  }
  expect(notified).toBe(2);
});
