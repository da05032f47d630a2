import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { labels } from '../resource/index.ts';
import { isWrite } from '../testing/index.ts';
import { day_ms, GoneThing, id, moved, stage, Thing, ThingHistory, thingSubject } from './keeping.fixture.ts';

describe('an event', () => {
  it('is collected for a moment and written with others, or when the process stops', async () => {
    let writes = 0;
    const { world, history, outcomes } = await stage((call, happen) => {
      if (isWrite(call)) writes++;
      return happen();
    });
    for (const outcome of ['Pending', 'Building', 'Running']) history.record(id, moved(outcome));
    expect(await outcomes()).toEqual([]);
    await world.advance(5_000);
    expect([await outcomes(), writes]).toEqual([['Pending', 'Building', 'Running'], 1]);
    history.record(id, moved('Stopped'));
    await history.flush();
    expect(await outcomes()).toEqual(['Pending', 'Building', 'Running', 'Stopped']);
  });

  it('is written together with a request, in order of time', async () => {
    const { world, history, outcomes } = await stage();
    const time = '2026-01-01T00:00:00.000000Z';
    await world.advance(50);
    history.record(id, moved('Running'));
    await history.commit(id, { type: 'intent', action: 'start', outcome: 'accepted', time });
    expect(await outcomes()).toEqual(['accepted', 'Running']);
  });

  it('is not lost when several processes write it at the same moment', async () => {
    const { histories, outcomes } = await stage(undefined, 4);
    await Promise.all(
      histories.flatMap((history, process) =>
        [1, 2, 3].map((step) => history.commit(id, { type: 'intent', action: 'stop', outcome: `${process}/${step}` })),
      ),
    );
    expect((await outcomes()).toSorted()).toEqual(
      histories.flatMap((_, process) => [1, 2, 3].map((step) => `${process}/${step}`)),
    );
  });

  it('keeps its organization and project if the object is gone on the day of the write', async () => {
    const { world, store, history, outcomes } = await stage();
    await history.commit(id, moved('Running'));
    await store.delete(Thing, id);
    await world.advance(day_ms);
    await history.commit(id, moved('gone'));
    const { items } = await store.list(ThingHistory);
    expect(
      items.map(({ metadata }) => [metadata.labels?.[labels.organization], metadata.labels?.[labels.project]]),
    ).toEqual([
      ['o', 'p'],
      ['o', 'p'],
    ]);
    expect(await outcomes()).toEqual(['Running', 'gone']);
  });

  it('keeps its organization and project if the object is gone before anything was written', async () => {
    const { world, store, history, thing, creations, outcomes } = await stage();
    history.record(id, { type: 'intent', action: 'create', outcome: 'accepted', uid: thing.metadata.uid }, thing);
    await store.delete(Thing, id);
    history.record(id, moved('gone'));
    await world.advance(5_000);
    expect([(await creations()).length, await outcomes()]).toEqual([1, ['gone']]);
  });

  it('comes after the creation with its caller and time, also if a process ended before it was written', async () => {
    const { world, store, history, create, begin } = await stage();
    expect((await history.read(id, {})).entries).toMatchObject([
      {
        type: 'intent',
        action: 'create',
        outcome: 'accepted',
        actor: 'jane@acme.com',
        time: '2026-01-01T00:00:00.000000Z',
      },
    ]);
    await store.delete(Thing, id);
    await world.advance(3_000);
    await create();
    const next = begin();
    await next.commit(id, { type: 'intent', action: 'stop', outcome: 'accepted' });
    const { entries: both } = await next.read(id, {});
    expect(both.map(({ action, time }) => [action, time.slice(17, 19)])).toEqual([
      ['create', '00'],
      ['create', '03'],
      ['stop', '03'],
    ]);
    expect(new Set(both.map(({ uid }) => uid)).size).toBe(2);
  });

  it('comes after one creation only, whichever process writes first', async () => {
    const { world, thing, histories, creations, outcomes } = await stage(undefined, 2);
    const [api, controllers] = histories;
    api?.record(id, { type: 'intent', action: 'create', outcome: 'accepted', traceId: 'a' }, thing);
    await controllers?.commit(id, moved('Running'));
    await world.advance(5_000);
    await world.advance(day_ms);
    await controllers?.commit(id, moved('Stopped'));
    expect([(await creations()).length, await outcomes()]).toEqual([1, ['Running', 'Stopped']]);
  });

  it('comes after one creation only, if the object is deleted before the entries are written', async () => {
    const { history, thing, creations } = await stage();
    history.record(id, { type: 'intent', action: 'create', outcome: 'accepted', traceId: 'a' }, thing);
    await history.recordDeletion(thing);
    await history.recordDeletion(thing);
    expect(await creations()).toMatchObject([{ traceId: 'a' }]);
  });

  it('comes after one creation only, if a process writes after midnight', async () => {
    const { world, create, store, histories, creations } = await stage(undefined, 2);
    await store.delete(Thing, id);
    await world.advance(day_ms - 1_000);
    const thing = await create();
    const [api, controllers] = histories;
    api?.record(id, { type: 'intent', action: 'create', outcome: 'accepted' }, thing);
    await controllers?.commit(id, moved('Running'));
    await world.advance(5_000);
    expect(await creations()).toHaveLength(1);
  });

  it('belongs to its own object, even if the next object with the same id exists when it is written', async () => {
    const { world, store, history, thing, create, creations } = await stage();
    history.record(id, moved('Stopped'), thing);
    await store.delete(Thing, id);
    await world.advance(100);
    history.recordBeforeCreation(id, { type: 'saga', action: 'charge', outcome: 'done' });
    history.recordBeforeCreation(id, { type: 'saga', action: 'put', outcome: 'undone' });
    const next = await create();
    history.record(id, { type: 'intent', action: 'create', outcome: 'accepted' }, next);
    await world.advance(5_000);
    const { entries } = await history.read(id, {});
    expect((await creations()).map(({ uid }) => uid)).toEqual([thing.metadata.uid, next.metadata.uid]);
    expect(
      entries.map(({ action, uid }) => [action, uid === next.metadata.uid ? 2 : uid === thing.metadata.uid ? 1 : 0]),
    ).toEqual([
      ['create', 1],
      ['power', 1],
      ['charge', 2],
      ['create', 2],
      ['put', 0],
    ]);
  });

  it('has a message of at most a thousand characters', async () => {
    const { store, history } = await stage();
    await history.commit(id, { ...moved('Running'), message: 'x'.repeat(5_000) });
    const [page] = (await store.list(ThingHistory)).items;
    expect(page?.spec.entries.at(-1)?.message).toBe('x'.repeat(1_000));
  });

  it('of an object that never existed is not stored', async () => {
    const { history, store } = await stage();
    await history.commit('f0000000-0000-4000-8000-000000000002', moved('Running'));
    expect((await store.list(ThingHistory)).items).toEqual([]);
  });

  it('does not stop other work if it cannot be written', async () => {
    const { history } = await stage((call, happen) =>
      isWrite(call) ? Promise.reject(new Problem('storage_full', 'the disk is full')) : happen(),
    );
    await expect(history.commit(id, moved('Running'))).resolves.toBeUndefined();
  });

  it('is not stored for an object without unusual events, if its kind leaves these out', async () => {
    let calls = 0;
    const { history, store, thing } = await stage(
      (_call, happen) => {
        calls++;
        return happen();
      },
      1,
      { ...thingSubject, uneventful: 'left out' },
    );
    expect((await history.read(id, {})).entries).toMatchObject([{ action: 'create', actor: 'jane@acme.com' }]);
    calls = 0;
    await history.recordDeletion(thing);
    expect(calls).toBeLessThanOrEqual(2);
    expect((await store.list(ThingHistory)).items).toEqual([]);
    expect((await store.list(GoneThing)).items).toEqual([]);
  });

  it('is looked up by name, and not by labels, in a store of several processes', async () => {
    const verbs: string[] = [];
    const { history, store, thing } = await stage(
      ({ verb }, happen) => {
        verbs.push(verb);
        return happen();
      },
      1,
      { ...thingSubject, uneventful: 'left out' },
      { sole: false },
    );
    await history.recordDeletion(thing);
    expect(verbs).toEqual(['get', 'get']);
    await history.commit(id, moved('Errored'));
    await history.recordDeletion(thing);
    expect(verbs).not.toContain('list');
    expect((await store.list(GoneThing)).items).toHaveLength(1);
  });

  it('of an object that is not stored yet does not search a store of several processes', async () => {
    const verbs: string[] = [];
    const around: Parameters<typeof stage>[0] = ({ verb }, happen) => {
      verbs.push(verb);
      return happen();
    };
    const { history, store } = await stage(around, 1, thingSubject, { sole: false });
    await history.commit('f0000000-0000-4000-8000-000000000002', moved('Running'));
    expect(verbs).not.toContain('list');
    await history.commit(id, moved('Running'));
    await store.delete(Thing, id);
    await history.commit(id, moved('Stopped'));
    expect((await history.read(id, {})).entries.map(({ outcome }) => outcome)).toContain('Stopped');
  });

  it('is stored with the creation after the first unusual event, if its kind leaves the others out', async () => {
    const { history, store, thing } = await stage(undefined, 1, { ...thingSubject, uneventful: 'left out' });
    await history.commit(id, moved('Errored'));
    await history.recordDeletion(thing);
    expect((await store.list(GoneThing)).items).toHaveLength(1);
    expect((await history.read(id, {})).entries.map(({ action }) => action)).toEqual(['create', 'power', 'deletion']);
  });
});
