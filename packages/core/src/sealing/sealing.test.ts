import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { MigrationRecord, runMigrations } from '../migration/index.ts';
import { modify, modifyStatus } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import { rekey, resealingOf, sealedStore, sealingMigration, TextSealer, type SealedField } from './index.ts';

const Note = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Note',
  plural: 'notes',
  spec: Type.Object({ secret: Type.Optional(Type.String()), open: Type.Optional(Type.String()) }),
  status: { body: Type.Optional(Type.String()) },
});

const fields: readonly SealedField[] = [
  { kind: Note, path: ['spec', 'secret'] },
  { kind: Note, path: ['status', 'body'], holding: 'secret' },
];
const key = new Uint8Array(32).fill(1);
const nextKey = new Uint8Array(32).fill(2);

function stage(sealer = new TextSealer(key)) {
  const world = virtualWorld();
  const engine = openMemoryStore({ world, kinds: [Note, MigrationRecord] });
  onTestFinished(() => engine.close());
  return { world, engine, store: sealedStore(engine, sealer, fields) };
}

const note = { metadata: { name: 'a' }, spec: { secret: 'c3dvcmRmaXNo', open: 'x' } };

describe('a sealed text', () => {
  const sealer = new TextSealer(key);

  it('is not readable, is opened with the key, and is the same only in the same place', () => {
    const sealed = sealer.seal('swordfish', 'here');
    expect(sealed).not.toContain('swordfish');
    expect(sealer.open(sealed)).toBe('swordfish');
    expect(sealer.seal('swordfish', 'here')).toBe(sealed);
    expect(sealer.seal('swordfish', 'there')).not.toBe(sealed);
    expect(sealer.open('never sealed')).toBe('never sealed');
  });

  it('is opened after a change of keys if the earlier key is given, and not without it', () => {
    const sealed = sealer.seal('swordfish', 'here');
    expect(new TextSealer(nextKey, key).open(sealed)).toBe('swordfish');
    expect(new TextSealer(nextKey, key).seal('swordfish', 'here')).not.toBe(sealed);
    expect(() => new TextSealer(nextKey).open(sealed)).toThrow('restore the encryption key');
  });

  it('that was changed is refused', () => {
    const sealed = sealer.seal('swordfish', 'here');
    expect(() => sealer.open(`${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`)).toThrow('damaged');
  });
});

describe('a sealed store', () => {
  it('stores secret fields sealed, and returns them in plain text to its readers', async () => {
    const { engine, store } = stage();
    const { resourceVersion: from } = await store.list(Note);
    expect(await store.create(Note, note)).toMatchObject({ spec: note.spec });
    const raw = await engine.get(Note, 'a');
    expect(raw?.spec.secret).toMatch(/^sealed:v1:/);
    expect(raw?.spec.open).toBe('x');
    expect(await store.get(Note, 'a')).toMatchObject({ spec: note.spec });
    expect((await store.list(Note)).items).toMatchObject([{ spec: note.spec }]);
    for await (const event of store.watch(Note, { from })) {
      if (event.type === 'bookmark') continue;
      expect(event.object).toMatchObject({ spec: note.spec });
      break;
    }
    expect(await store.delete(Note, 'a')).toBeUndefined();
  });

  it('makes no new version when the same text is written again, also after a change of keys', async () => {
    const { engine, store } = stage();
    const {
      metadata: { resourceVersion },
    } = await store.create(Note, note);
    const again = async (through: typeof store) =>
      (await modify(through, Note, 'a', (current) => ({ ...current, spec: { ...current.spec } }))).metadata
        .resourceVersion;
    expect(await again(store)).toBe(resourceVersion);
    const rotated = sealedStore(engine, new TextSealer(nextKey, key), fields);
    expect(await again(rotated)).toBe(resourceVersion);
    expect(await modify(rotated, Note, 'a', (current) => ({ ...current, spec: { secret: 'other' } }))).toMatchObject({
      spec: { secret: 'other' },
    });
    expect(new TextSealer(nextKey).open((await engine.get(Note, 'a'))?.spec.secret ?? '')).toBe('other');
  });

  it('never stores secret fields in plain text, also when only the status is written', async () => {
    const { engine, store } = stage();
    const made = await store.create(Note, note);
    await store.updateStatus(Note, { metadata: made.metadata, of: made, status: { body: 'a secret' } });
    const raw = await engine.get(Note, 'a');
    expect([raw?.spec.secret, raw?.status?.body].every((text) => text?.startsWith('sealed:v1:'))).toBe(true);
    expect(await store.get(Note, 'a')).toMatchObject({ spec: note.spec, status: { body: 'a secret' } });
    await modifyStatus(store, Note, 'a', ({ metadata }) => ({ metadata, status: { body: 'plain' } }));
    expect((await engine.get(Note, 'a'))?.status?.body).toBe('plain');
  });
});

it('plain text of an older version is sealed once, and the object stays settled', async () => {
  const { world, engine, store } = stage();
  const old = await engine.create(Note, note);
  await engine.updateStatus(Note, {
    metadata: old.metadata,
    status: { body: 'a secret', observedGeneration: old.metadata.generation },
  });
  const context = { store: engine, world, telemetry: silentTelemetry() };
  const migrate = (name: string) =>
    runMigrations(context, [sealingMigration(name, engine, new TextSealer(key), fields)]);
  await migrate('test-sealing');
  const raw = await engine.get(Note, 'a');
  expect(JSON.stringify(raw)).not.toMatch(/c3dvcmRmaXNo|a secret/);
  expect(raw?.status?.observedGeneration).toBe(raw?.metadata.generation);
  expect(await store.get(Note, 'a')).toMatchObject({ spec: note.spec, status: { body: 'a secret' } });
  await migrate('test-sealing-again');
  expect((await engine.get(Note, 'a'))?.metadata.resourceVersion).toBe(raw?.metadata.resourceVersion);
});

it('secrets of an earlier key are encrypted again with the current one, and the object stays settled', async () => {
  const { engine, store } = stage();
  const made = await store.create(Note, note);
  await store.updateStatus(Note, {
    metadata: made.metadata,
    of: made,
    status: { body: 'a secret', observedGeneration: made.metadata.generation },
  });
  await store.create(Note, { metadata: { name: 'b' }, spec: { open: 'nothing to hide' } });
  const rotated = resealingOf(new TextSealer(nextKey, key), fields);
  expect(await rekey(engine, rotated)).toBe(1);
  expect(await rekey(engine, rotated)).toBe(0);
  const later = sealedStore(engine, new TextSealer(nextKey), fields);
  expect(await later.get(Note, 'a')).toMatchObject({ spec: note.spec, status: { body: 'a secret' } });
  const raw = await engine.get(Note, 'a');
  expect(raw?.status?.observedGeneration).toBe(raw?.metadata.generation);
});

it('a change by another process during the encryption is kept', async () => {
  const { engine, store } = stage();
  await store.create(Note, note);
  const both = sealedStore(engine, new TextSealer(nextKey, key), fields);
  let interfered = false;
  const [resealing] = resealingOf(new TextSealer(nextKey, key), fields);
  if (!resealing) throw new Error('there is no resealing');
  await rekey(engine, [
    {
      ...resealing,
      reseal: async (...of) => {
        if (!interfered)
          await modify(both, Note, 'a', (current) => ({ ...current, spec: { ...current.spec, open: 'changed' } }));
        interfered = true;
        return resealing.reseal(...of);
      },
    },
  ]);
  const later = sealedStore(engine, new TextSealer(nextKey), fields);
  expect(await later.get(Note, 'a')).toMatchObject({ spec: { ...note.spec, open: 'changed' } });
});
