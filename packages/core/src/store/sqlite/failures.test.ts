import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, vi } from 'vitest';

import { isProblem } from '../../errors/index.ts';
import { limits } from '../../limits.ts';
import { silentTelemetry, virtualWorld } from '../../testing/index.ts';
import { systemWorld } from '../../world/index.ts';
import { eventsUntil, expectProblem, names } from '../conformance/harness.ts';
import { Gadget, Widget, widget } from '../conformance/kinds.ts';
import { Reader } from './reader.ts';
import { openMemoryStore } from './memory.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';
import { startWriter, WorkerPort } from './worker-port.ts';
import { usualRetention, type Batch, type Operation } from './writer.ts';

const scratchPath = scratchPaths();
const oneChange: Batch = {
  operations: [
    {
      type: 'added',
      kind: 1,
      name: 'a',
      expected: 0,
      data: '{}',
      previous: null,
      removedLabels: [],
      addedLabels: [],
      removedOwners: [],
      addedOwners: [],
    },
  ],
  collected: 1,
};

describe('a full disk', () => {
  it('fails every write that does not fit, stores nothing of it, and ends once there is room', async () => {
    const path = scratchPath();
    const bulky = Array.from({ length: 400 }, (_, index) => `part ${index}`);
    const fill = (store: Awaited<ReturnType<typeof openScratchStore>>, name: string) =>
      store.create(Widget, { metadata: { name }, spec: { size: 1, parts: bulky } });
    const store = await openScratchStore(path, { maxBytes: 400_000 });
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 10; round++) {
      outcomes.push(
        ...(await Promise.allSettled(Array.from({ length: 10 }, (_, index) => fill(store, `w${round}-${index}`)))),
      );
    }
    const stored = outcomes.flatMap((outcome, index) =>
      outcome.status === 'fulfilled' ? [`w${Math.floor(index / 10)}-${index % 10}`] : [],
    );
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(stored.length).toBeGreaterThan(0);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every((error) => isProblem(error, 'storage_full'))).toBe(true);
    expect(names((await store.list(Widget)).items)).toEqual(stored);
    const events = await eventsUntil(
      store,
      Widget,
      { from: '1' },
      ({ object }) => object.metadata.name === stored.at(-1),
    );
    expect(events.map(({ object }) => object.metadata.name)).toEqual(stored);
    await store.close();

    const roomier = await openScratchStore(path, { maxBytes: 4_000_000 });
    await fill(roomier, 'z');
    expect(names((await roomier.list(Widget)).items)).toEqual([...stored, 'z']);
    await roomier.close();
  });
});

describe('the writing thread', () => {
  it('is the only one that writes: the event loop’s own connection cannot', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    await store.create(Widget, widget('a'));
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(() => {
      reader.exec('DELETE FROM objects');
    }).toThrow(/readonly/);
    expect(new Reader(reader).head()).toBe(2);
    reader.close();
    await store.close();
  });

  it('fails its current and later operations when it dies', async () => {
    const path = scratchPath();
    await (await openScratchStore(path)).close();
    const thread = startWriter({ path, retention: { ...usualRetention, changes: 10 }, maxBytes: undefined });
    const port = await WorkerPort.connect(thread, systemWorld);
    expect(await port.commit(oneChange)).toEqual([2]);
    const ended = thread.terminate();
    await expectProblem(port.commit(oneChange), 'storage_unavailable');
    await ended;
    await expectProblem(port.commit(oneChange), 'storage_unavailable');
    await port.close();
  });

  it('fails all operations of a failed commit, and then continues', async () => {
    const path = scratchPath();
    await (await openScratchStore(path)).close();
    const port = await WorkerPort.connect(
      startWriter({ path, retention: usualRetention, maxBytes: undefined }),
      systemWorld,
    );
    const named = (name: string, addedLabels: Operation['addedLabels'] = []): Batch => ({
      ...oneChange,
      operations: oneChange.operations.map((operation) => ({ ...operation, name, addedLabels })),
    });
    const broken = named('b', [
      [0, 'x'],
      [0, 'x'],
    ]);
    const outcomes = await Promise.allSettled([port.commit(named('a')), port.commit(broken), port.commit(named('c'))]);
    expect(
      outcomes.map((outcome) =>
        outcome.status === 'rejected' ? isProblem(outcome.reason, 'storage_unavailable') : outcome.value,
      ),
    ).toEqual([true, true, true]);
    expect(await Promise.all([port.commit(named('a')), port.commit(named('c'))])).toEqual([[2], [3]]);
    await port.close();
  });

  it('commits operations that arrive together in one transaction, each with its own result', async () => {
    const path = scratchPath();
    await (await openScratchStore(path)).close();
    const thread = startWriter({ path, retention: { ...usualRetention, changes: 10 }, maxBytes: undefined });
    const messages = vi.spyOn(thread, 'postMessage');
    const port = await WorkerPort.connect(thread, systemWorld);
    expect(
      await Promise.all([
        port.commit(oneChange),
        port.commit(oneChange),
        port.commit({ ...oneChange, operations: [] }),
      ]),
    ).toEqual([[2], [0], []]);
    expect(messages).toHaveBeenCalledTimes(1);
    await port.close();
  });
});

describe('a closed store', () => {
  it('answers everything with "storage_unavailable", and can be closed again', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds: [Widget] });
    await store.close();
    await expectProblem(store.create(Widget, widget('a')), 'storage_unavailable');
    await expectProblem(store.get(Widget, 'a'), 'storage_unavailable');
    await expectProblem(store.list(Widget), 'storage_unavailable');
    await store.close();
  });

  it('ends a list in progress', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds: [Widget] });
    await Promise.all(
      Array.from({ length: 2 * limits.pageItems }, (_, index) => store.create(Widget, widget(`w${index}`))),
    );
    const listing = store.list(Widget);
    await Promise.all([expectProblem(listing, 'storage_unavailable'), store.close()]);
  });

  it('completes the operations that were requested before it was closed', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    const created = Array.from({ length: 100 }, (_, index) => store.create(Widget, widget(`w${index}`)));
    await store.close();
    await Promise.all(created);
    const again = await openScratchStore(path);
    expect((await again.list(Widget)).items).toHaveLength(100);
    await again.close();
  });
});

describe('a kind', () => {
  it('that the store was not opened with is a programming error', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds: [Widget] });
    await expect(store.get(Gadget, 'a')).rejects.toThrow(
      /gadgets.conformance.unikorn-cloud.org is not one of the kinds/,
    );
    await store.close();
  });
});

describe('metrics', () => {
  it('count operations by outcome', async () => {
    const telemetry = silentTelemetry();
    const store = openMemoryStore({ world: virtualWorld(), kinds: [Widget], telemetry });
    await store.create(Widget, widget('a'));
    await store.create(Widget, widget('a')).catch(() => undefined);
    const text = await telemetry.registry.metrics();
    expect(text).toContain(
      'unikorn_store_operations_total{kind="widgets.conformance.unikorn-cloud.org",verb="create",outcome="ok"} 1',
    );
    expect(text).toContain(
      'unikorn_store_operations_total{kind="widgets.conformance.unikorn-cloud.org",verb="create",outcome="conflict"} 1',
    );
    expect(text).toContain('unikorn_store_batch_operations_count 2');
    await store.close();
  });
});

describe('history', () => {
  it('is removed in steps and is never shorter than requested', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path, { history: { changes: 50 } });
    for (let round = 0; round < 8; round++)
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.create(Widget, widget(`w${round}-${index}`))));
    await store.create(Widget, widget('last'));
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const reader = new Reader(database);
    expect(reader.head() - reader.floor()).toBeGreaterThanOrEqual(50);
    expect(reader.head() - reader.floor()).toBeLessThan(200);
    database.close();
  });
});
