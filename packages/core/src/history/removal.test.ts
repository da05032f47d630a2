import { expect, it, onTestFinished } from 'vitest';

import { Caches, Controller, done } from '../controller/index.ts';
import { withDeletionMark } from '../references/index.ts';
import { finalizers, labels } from '../resource/index.ts';
import { modify } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { Life, silentTelemetry, virtualWorld } from '../testing/index.ts';
import { readActivity } from './activity.ts';
import { History } from './history.ts';
import { GoneThing, id, storage, Thing, ThingHistory, thingSubject } from './keeping.fixture.ts';
import { readHistory } from './reading.ts';
import { transitionRecorder } from './transitions.ts';

const telemetry = silentTelemetry();

/** An object whose processes end and start again. */
async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Thing, ThingHistory, GoneThing] });
  onTestFinished(() => store.close());
  const place = { [labels.name]: 'a', [labels.organization]: 'o', [labels.project]: 'p' };
  await store.create(Thing, {
    metadata: { name: id, labels: place, finalizers: [finalizers.framework] },
    spec: { size: 1 },
  });

  const begin = (death?: number) => {
    const life = new Life(store, death);
    const context = { store: life.store, world, telemetry };
    const caches = new Caches(context);
    const history = new History({ ...context, subject: thingSubject, objects: caches.of(Thing) });
    const work = [
      new Controller(
        {
          name: 'things',
          kind: Thing,
          provisioner: { provision: () => Promise.resolve(done()), deprovision: () => Promise.resolve(done()) },
          beforeRemoval: (thing) => history.recordDeletion(thing),
        },
        { ...context, caches },
      ),
      transitionRecorder('thing-history', caches.of(Thing), history, telemetry),
    ];
    const stop = new AbortController();
    void caches.run(stop.signal);
    for (const one of work) void one.run(stop.signal);
    const end = () => {
      life.die();
      stop.abort();
    };
    return { life, end };
  };

  const requestDeletion = async () => {
    await modify(store, Thing, id, ({ metadata, spec }) => ({
      metadata: withDeletionMark(metadata, { by: 'jane@acme.com', at: '2026-01-01T00:00:01.500000Z' }),
      spec,
    }));
    await store.delete(Thing, id);
  };
  const isGone = async () => (await store.get(Thing, id)) === undefined;
  return { world, store, begin, requestDeletion, isGone };
}

it('a deletion that follows from another one is activity, with its caller and cause, also after the process was killed', async () => {
  for (const death of [undefined, 1, 2, 3]) {
    const { world, store, begin, isGone } = await stage();
    const first = begin(death);
    await world.settle();
    const mark = { by: 'jane@acme.com', at: '2026-01-01T00:00:00.000000Z', root: 'project website' };
    await modify(store, Thing, id, ({ metadata, spec }) => ({ metadata: withDeletionMark(metadata, mark), spec }));
    await store.delete(Thing, id);
    await world.until(async () => first.life.died || (await isGone()), 60_000);
    first.end();
    const second = begin();
    await world.until(isGone);
    await world.advance(10_000);
    second.end();
    const { entries } = await readActivity(store, storage, [{ selector: [], resourceOf: () => 'thing' }], 10);
    expect(entries).toMatchObject([
      {
        action: 'deletion',
        outcome: 'begun',
        actor: 'jane@acme.com',
        cause: 'project website',
        message: 'deleted because project website was deleted by jane@acme.com',
        resource: { kind: 'thing', id, name: 'a' },
      },
      ...(entries.length > 1 ? [{ action: 'create' }] : []),
    ]);
  }
});

it('a history ends with one removal, wherever the process was killed, and names the caller of the deletion', async () => {
  let killed = 0;
  for (let death = 1; ; death++) {
    const { world, store, begin, requestDeletion, isGone } = await stage();
    await world.advance(1_500);
    const first = begin(death);
    await requestDeletion();
    await world.until(async () => first.life.died || (await isGone()), 60_000);
    const { died, diedAt } = first.life;
    first.end();
    await world.advance(10);
    const second = begin();
    await world.until(isGone);
    await world.advance(10_000);
    second.end();
    const { entries } = await readHistory(store, storage, id, {});
    const steps = entries.map(({ action, outcome }) => `${action} ${outcome}`);
    expect([steps[0], ...steps.slice(-2)], diedAt).toEqual(['create accepted', 'deletion begun', 'deletion gone']);
    expect(new Set(steps).size, diedAt).toBe(steps.length);
    expect(entries.find(({ outcome }) => outcome === 'begun')?.actor).toBe('jane@acme.com');
    expect((await store.list(GoneThing)).items).toHaveLength(1);
    if (!died) break;
    killed++;
  }
  expect(killed).toBeGreaterThan(5);
});
