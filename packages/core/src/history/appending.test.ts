import { describe, expect, it } from 'vitest';

import { defined } from '../defined.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import { isWrite } from '../testing/index.ts';
import { dayOf } from './archive.ts';
import { day_ms, id, moved, stage, storage, ThingHistory, thingSubject } from './keeping.fixture.ts';
import type { HistoryEntry, HistoryEvent, HistoryPart } from './kinds.ts';
import { effective, mergeOf } from './merging.ts';
import { entriesName } from './names.ts';
import { readHistory } from './reading.ts';

const edit = (index: number): HistoryEvent => ({
  type: 'intent',
  action: 'update',
  outcome: 'accepted',
  actor: 'jane@acme.com',
  traceId: String(index).padStart(32, '0'),
});

async function parts(store: Store): Promise<readonly HistoryPart[]> {
  return (await store.list(ThingHistory)).items;
}

describe('a history', () => {
  it('is appended to: 1,500 small edits write less than 5 MB, and all of them are recorded', async () => {
    let bytes = 0;
    const { world, store, history } = await stage((call, happen) => {
      bytes += Buffer.byteLength(JSON.stringify(call.written ?? ''));
      return happen();
    });
    for (let index = 0; index < 1_500; index++) {
      await history.commit(id, edit(index));
      await world.advance(1);
    }
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(5_000_000);
    const { entries } = await history.read(id, {});
    expect(entries.filter(({ action }) => action === 'update').map(({ traceId }) => Number(traceId))).toEqual(
      Array.from({ length: 1_500 }, (_, index) => index),
    );
    expect((await parts(store)).length).toBeLessThan(100);
  });

  it('of a store with several processes is listed once for many writes, and its parts are still merged', async () => {
    let lists = 0;
    const around: Parameters<typeof stage>[0] = (call, happen) => {
      if (call.verb === 'list') lists++;
      return happen();
    };
    const { world, store, history } = await stage(around, 1, thingSubject, { sole: false });
    await history.commit(id, edit(0));
    // Without a cache of the objects, it looks for the owner of the history once.
    lists = 0;
    for (let index = 1; index < 20; index++) {
      await history.commit(id, edit(index));
      await world.advance(1);
    }
    expect(lists).toBe(0);
    for (let index = 20; index < 100; index++) {
      await history.commit(id, edit(index));
      await world.advance(1);
    }
    expect(lists).toBeLessThan(10);
    expect(effective(await parts(store)).length).toBeLessThan(internalLimits.historyPartsPerMerge + 10);
  });

  it('of a day is bounded in number and bytes, counts the removed entries, and removes requests last', async () => {
    const { world, store, history } = await stage();
    const rounds = 4_000;
    for (let index = 0; index < rounds; index++) {
      history.record(id, { ...moved(String(index)), message: 'x'.repeat(500) });
      if (index % 10 === 0) await history.commit(id, edit(index));
      else if (index % 10 === 5) await history.flush();
      await world.advance(1);
    }
    await history.flush();
    const all = effective(await parts(store));
    const told = all.flatMap(({ spec }) => spec.entries);
    expect(told.length).toBeLessThan(internalLimits.historyDay.entries + internalLimits.historyPartsPerMerge * 10);
    expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(internalLimits.historyDay.bytes * 1.5);
    const dropped = all.reduce((sum, { spec }) => sum + (spec.dropped ?? 0), 0);
    expect(told.length + dropped).toBe(rounds + rounds / 10 + 1);
    expect(told.filter(({ action }) => action === 'update')).toHaveLength(rounds / 10);
    expect((await history.read(id, { limit: 2 })).entries.at(-1)).toMatchObject({ outcome: String(rounds - 1) });
  });

  it('loses and repeats no entry when a process ends while parts are merged', async () => {
    for (let death = 0; death <= internalLimits.historyPartsPerMerge + 1; death += 11) {
      let deletions = 0;
      const { store, history } = await stage((call, happen) =>
        call.verb === 'delete' && deletions++ >= death ? new Promise(() => undefined) : happen(),
      );
      const edits = Array.from({ length: internalLimits.historyPartsPerMerge + 1 }, (_, index) => index);
      for (const index of edits) void history.commit(id, edit(index));
      await expect.poll(async () => (await parts(store)).some(({ spec }) => spec.replaces)).toBe(true);
      const { entries } = await readHistory(store, storage, id, {});
      expect(
        entries
          .filter(({ action }) => action === 'update')
          .map(({ traceId }) => Number(traceId))
          .toSorted((a, b) => a - b),
      ).toEqual(edits);
    }
  });

  it('is merged by the next process, with the parts that another process left', async () => {
    const { world, store, thing } = await stage();
    const day = dayOf(world.now());
    const place = {
      [storage.labels.subject]: id,
      [storage.labels.day]: day,
      [labels.organization]: 'o',
      [labels.project]: 'p',
    };
    const entry = (index: number): HistoryEntry => ({
      type: 'intent',
      action: 'update',
      outcome: 'accepted',
      time: `2026-01-01T00:00:00.${String(index).padStart(6, '0')}Z`,
    });
    const put = (name: string, spec: HistoryPart['spec']) =>
      store.create(ThingHistory, { metadata: { name, labels: place }, spec });
    const names = Array.from({ length: internalLimits.historyPartsPerMerge + 2 }, (_, index) =>
      entriesName({ id, day, time: index, unique: 'x' }),
    );
    for (const [index, name] of names.entries()) await put(name, { entries: [entry(index)] });
    await put(`${id}.${day}.a.earlier`, { entries: [entry(0), entry(1)], replaces: names.slice(0, 2) });
    const merge = mergeOf(id, day, await parts(store), thing.metadata.uid);
    expect(merge?.merged.spec.entries).toHaveLength(internalLimits.historyPartsPerMerge);
    expect(merge?.removed.toSorted()).toEqual(names.toSorted());
  });

  it('of an older version, with a whole day in one object, is read and continued', async () => {
    const { world, store, history, thing } = await stage();
    const day = dayOf(world.now());
    const before: HistoryEntry = {
      type: 'intent',
      action: 'create',
      outcome: 'accepted',
      actor: 'jane@acme.com',
      time: '2026-01-01T00:00:00.000000Z',
      uid: thing.metadata.uid,
    };
    await store.create(ThingHistory, {
      metadata: {
        name: `${id}.${day}`,
        labels: {
          [storage.labels.subject]: id,
          [storage.labels.day]: day,
          [labels.organization]: 'o',
          [labels.project]: 'p',
        },
      },
      spec: { entries: [before], dropped: 3 },
    });
    await world.advance(10);
    await history.commit(id, edit(1));
    const read = await history.read(id, {});
    expect(read.entries.map(({ action }) => action)).toEqual(['create', 'update']);
    expect(read.dropped).toBe(3);
  });

  it('whose parts have the names of an earlier version is read, begins only once, and is merged with later parts', async () => {
    const { world, store, history, thing, creations } = await stage();
    const day = dayOf(world.now());
    const place = {
      [storage.labels.subject]: id,
      [storage.labels.day]: day,
      [labels.organization]: 'o',
      [labels.project]: 'p',
    };
    const put = (name: string, entry: HistoryEntry) =>
      store.create(ThingHistory, { metadata: { name, labels: place }, spec: { entries: [entry] } });
    const { uid } = thing.metadata;
    const time = '2026-01-01T00:00:00.000000Z';
    await put(`${id}.${day}.b.${uid}`, { type: 'intent', action: 'create', outcome: 'accepted', time, uid });
    const written = world.now().toString(36).padStart(9, '0');
    await put(`${id}.${day}.c.${written}-0000000-abcdef01`, {
      ...moved('first'),
      time: '2026-01-01T00:00:00.000001Z',
      uid,
    });
    const later = Array.from({ length: internalLimits.historyPartsPerMerge }, (_, index) => String(index));
    for (const outcome of later) {
      await world.advance(1);
      await history.commit(id, moved(outcome));
    }
    const { entries } = await history.read(id, {});
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'create accepted',
      'power first',
      ...later.map((outcome) => `power ${outcome}`),
    ]);
    expect(await creations()).toHaveLength(1);
    expect((await parts(store)).length).toBeLessThan(internalLimits.historyPartsPerMerge);
  });

  it('is read in pages, from the latest back, each entry once', async () => {
    const { world, history } = await stage();
    for (let index = 0; index < 70; index++) {
      await history.commit(id, edit(index));
      // Some happen at the same instant, and some on another day.
      await world.advance(index % 3 === 0 ? 1 : index === 40 ? day_ms : 0);
    }
    const { entries: all } = await history.read(id, {});
    const pages: HistoryEntry[][] = [];
    let before: string | undefined;
    for (let isPart = true; isPart;) {
      const page = await history.read(id, { limit: 9, ...defined({ before }) });
      expect(page.entries.length).toBeLessThanOrEqual(9);
      pages.unshift([...page.entries]);
      before = page.entries[0]?.time;
      isPart = page.isPart;
    }
    expect(pages.flat()).toEqual(all);
    expect(all).toHaveLength(71);
  });

  it('is written soon while few objects change, and in batches while many change', async () => {
    let writes = 0;
    const { world, history } = await stage((call, happen) => {
      if (isWrite(call)) writes++;
      return happen();
    });
    history.record(id, moved('Building'));
    await world.advance(500);
    expect(writes).toBe(1);
    const others = Array.from(
      { length: 50 },
      (_, index) => `f0000000-0000-4000-8000-${String(index + 100).padStart(12, '0')}`,
    );
    for (let second = 0; second < 4; second++) {
      history.record(id, moved(String(second)));
      for (const other of others) history.record(other, moved(String(second)));
      await world.advance(1_000);
    }
    expect(writes).toBe(1);
    await world.advance(2_000);
    expect(writes).toBe(2);
  });
});
