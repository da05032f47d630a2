import { Type } from 'typebox';
import { expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { modify } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import { defineMigration, MigrationRecord, objectsOf, runMigrations, type MigrationContext } from './index.ts';

const Note = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Note',
  plural: 'notes',
  realisation: 'static',
  spec: Type.Object({ text: Type.String() }),
  status: {},
});

async function stage(texts: readonly string[]): Promise<MigrationContext> {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Note, MigrationRecord] });
  for (const [position, text] of texts.entries())
    await store.create(Note, { metadata: { name: `n${String(position).padStart(4, '0')}` }, spec: { text } });
  return { store, world, telemetry: silentTelemetry() };
}

async function texts({ store }: MigrationContext): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { spec } of objectsOf(store, Note)) found.push(spec.text);
  return found;
}

function appending(name: string, suffix: string) {
  return defineMigration({
    name,
    run: async ({ store }) => {
      for await (const { metadata } of objectsOf(store, Note))
        await modify(store, Note, metadata.name, (note) => ({ ...note, spec: { text: note.spec.text + suffix } }));
    },
  });
}

it('runs each migration once per state, in order', async () => {
  const context = await stage(['a', 'b']);
  const migrations = [appending('test-one', '1'), appending('test-two', '2')];
  await runMigrations(context, migrations);
  await runMigrations(context, migrations);
  expect(await texts(context)).toEqual(['a12', 'b12']);
  await runMigrations(context, [...migrations, appending('test-three', '3')]);
  expect(await texts(context)).toEqual(['a123', 'b123']);
});

it('runs an interrupted migration again before any later one', async () => {
  const context = await stage(['a']);
  let crashes = 1;
  const runs: string[] = [];
  const migrations = ['test-one', 'test-two'].map((name) =>
    defineMigration({
      name,
      run: () => {
        runs.push(name);
        return crashes-- > 0 ? Promise.reject(new Error('killed')) : Promise.resolve();
      },
    }),
  );
  await expect(runMigrations(context, migrations)).rejects.toThrow('killed');
  await runMigrations(context, migrations);
  expect(runs).toEqual(['test-one', 'test-one', 'test-two']);
});

it('ends in the same state if replicas start at the same time', async () => {
  const context = await stage(['a', 'b']);
  const migrations = [
    defineMigration({
      name: 'test-capitals',
      run: async ({ store }) => {
        for await (const { metadata } of objectsOf(store, Note))
          await modify(store, Note, metadata.name, (note) => ({
            ...note,
            spec: { text: note.spec.text.toUpperCase() },
          }));
      },
    }),
  ];
  await Promise.all([runMigrations(context, migrations), runMigrations(context, migrations)]);
  expect(await texts(context)).toEqual(['A', 'B']);
});

it('sees every object, however many pages they take', async () => {
  const many = Array.from({ length: limits.pageItems + 1 }, (_, position) => String(position));
  expect(await texts(await stage(many))).toEqual(many);
});

it('refuses two migrations with the same name, and invalid names', async () => {
  const context = await stage([]);
  await expect(runMigrations(context, [appending('test-one', '1'), appending('test-one', '2')])).rejects.toThrow(
    'two migrations have the name test-one',
  );
  expect(() => appending('Test', '1')).toThrow('is not a valid migration name');
});
