import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { MigrationRecord } from '../migration/index.ts';
import { childOf, finalizers } from '../resource/index.ts';
import { Widget, widget } from '../store/conformance/index.ts';
import { modify, modifyStatus } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { virtualWorld } from '../testing/index.ts';
import { assertImported, fileSource, storeSource, survey, transfer, writeObjects } from './index.ts';

const kinds = [Widget, MigrationRecord];

function open(collectsGarbage = false) {
  const store = openMemoryStore({ world: virtualWorld(), kinds, collectsGarbage });
  onTestFinished(() => store.close());
  return store;
}

/** A state with owners, a status, several generations, and an object that waits for its dependents. */
async function filled() {
  const store = open();
  const owner = await store.create(Widget, widget('b-owner', { finalizers: [finalizers.framework] }));
  await store.create(Widget, widget('a-owned', { ownerReferences: [childOf(owner)] }));
  await modify(store, Widget, 'a-owned', (current) => ({ ...current, spec: { ...current.spec, size: 7 } }));
  await modifyStatus(store, Widget, 'a-owned', ({ metadata }) => ({ metadata, status: { observedGeneration: 2 } }));
  await store.delete(Widget, 'b-owner', { propagation: 'foreground' });
  await store.create(MigrationRecord, { metadata: { name: 'test-one' }, spec: { finishedAt: 'then' } });
  return store;
}

it('objects are moved with uids, times, generations, owners and marks, and can be moved back', async () => {
  const from = await filled();
  const [there, back] = [open(), open()];
  const { total, digest } = await transfer({ source: storeSource(from, kinds), target: there, kinds });
  expect(total).toBe(3);
  await transfer({ source: storeSource(there, kinds), target: back, kinds });
  expect((await survey(storeSource(back, kinds))).digest).toBe(digest);
  const before = await from.get(Widget, 'b-owner');
  expect(before?.metadata.deletionTimestamp).toBeDefined();
  expect({ ...(await back.get(Widget, 'b-owner'))?.metadata, resourceVersion: '' }).toEqual({
    ...before?.metadata,
    resourceVersion: '',
  });
  await assertImported(back);
});

it('an interrupted transfer blocks the target, and is continued', async () => {
  const source = storeSource(await filled(), kinds);
  const target = open();
  let writes = 0;
  const killed = {
    ...bound(target),
    adopt: (...of: Parameters<typeof target.adopt>) =>
      writes++ > 0 ? Promise.reject(new Error('killed')) : target.adopt(...of),
  };
  await expect(transfer({ source, target: killed, kinds })).rejects.toThrow('killed');
  await expect(assertImported(target)).rejects.toThrow('not complete');
  await transfer({ source, target, kinds });
  await assertImported(target);
  expect((await survey(storeSource(target, kinds))).digest).toBe((await survey(source)).digest);
});

it('a target with other objects, or with a part of another state, is refused', async () => {
  const from = await filled();
  const target = open();
  await target.create(Widget, widget('other'));
  const move = () => transfer({ source: storeSource(from, kinds), target, kinds });
  await expect(move()).rejects.toThrow('the target is not empty: it has the Widget other');
  await target.create(MigrationRecord, {
    metadata: { name: 'core-import' },
    spec: { finishedAt: '', importing: 'another' },
  });
  await expect(move()).rejects.toThrow('the target has a part of another state');
  await target.delete(Widget, 'other');
  await move();
});

it('a source that changes meanwhile is found by the comparison', async () => {
  const from = await filled();
  const target = open();
  const changing = {
    ...bound(target),
    adopt: async (...of: Parameters<typeof target.adopt>) => {
      await target.adopt(...of);
      await modify(from, Widget, 'a-owned', (current) => ({ ...current, spec: { ...current.spec, size: 8 } }));
    },
  };
  await expect(transfer({ source: storeSource(from, kinds), target: changing, kinds })).rejects.toThrow(
    'the source has changed during the transfer',
  );
  await expect(assertImported(target)).rejects.toThrow('not complete');
});

it('a file has all objects, and a file that is cut or changed is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unikorn-transfer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'objects.jsonl');
  const source = storeSource(await filled(), kinds);
  expect(await writeObjects(path, source.objects(), { release: '1', time: 'now' })).toBe(3);
  const target = open();
  await transfer({ source: fileSource(path, kinds), target, kinds });
  expect((await survey(storeSource(target, kinds))).digest).toBe((await survey(source)).digest);
  const text = await readFile(path, 'utf8');
  const lines = text.trimEnd().split('\n');
  for (const [damaged, message] of [
    [lines.slice(0, -1).join('\n'), 'incomplete'],
    [text.replace('"size":7', '"size":9'), 'was changed'],
    [lines.slice(1).join('\n'), 'not a header'],
    [text.slice(0, -10), 'not JSON'],
  ] as const) {
    await writeFile(path, damaged);
    await expect(survey(fileSource(path, kinds))).rejects.toThrow(message);
  }
  await writeFile(path, text);
  await expect(survey(fileSource(path, [Widget]))).rejects.toThrow('does not know');
});

/** The store with its methods, so that a test can replace some. */
function bound(store: ReturnType<typeof open>) {
  return {
    sole: true,
    create: store.create.bind(store),
    get: store.get.bind(store),
    list: store.list.bind(store),
    countUpTo: store.countUpTo.bind(store),
    update: store.update.bind(store),
    updateStatus: store.updateStatus.bind(store),
    delete: store.delete.bind(store),
    watch: store.watch.bind(store),
    probe: store.probe.bind(store),
    close: store.close.bind(store),
    adopt: store.adopt.bind(store),
    adoptDeletion: store.adoptDeletion.bind(store),
  };
}
