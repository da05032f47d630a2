import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Resource } from '../../kinds/index.ts';
import { matching } from '../selector.ts';
import type { Store } from '../store.ts';
import { compareVersions } from '../version.ts';
import { eventsUntil, useStore, type StoreHarness } from './harness.ts';
import { colour, team, Widget } from './kinds.ts';

/** One operation of a user on one of a few names. The store and the model both refuse invalid operations. */
type Command =
  | { readonly type: 'create'; readonly name: string; readonly team: string; readonly held: boolean }
  | { readonly type: 'resize'; readonly name: string; readonly size: number }
  | { readonly type: 'relabel'; readonly name: string; readonly team: string }
  | { readonly type: 'report'; readonly name: string; readonly phase: string }
  | { readonly type: 'release'; readonly name: string }
  | { readonly type: 'delete'; readonly name: string };

interface ModelObject {
  readonly size: number;
  readonly team: string;
  readonly phase: string | undefined;
  readonly held: boolean;
  readonly marked: boolean;
  readonly generation: number;
}

type Model = ReadonlyMap<string, ModelObject>;

const name = fc.constantFrom('a', 'b', 'c');
const teams = fc.constantFrom('red', 'blue');
const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('create'), name, team: teams, held: fc.boolean() }),
    fc.record({ type: fc.constant('resize'), name, size: fc.nat({ max: 2 }) }),
    fc.record({ type: fc.constant('relabel'), name, team: teams }),
    fc.record({ type: fc.constant('report'), name, phase: fc.constantFrom('up', 'down') }),
    fc.record({ type: fc.constant('release'), name }),
    fc.record({ type: fc.constant('delete'), name }),
  ),
  { maxLength: 24 },
);

/** The result of a command according to the contract. */
function expected(model: Model, command: Command): Model {
  const before = model.get(command.name);
  const set = (after: ModelObject) => new Map(model).set(command.name, after);
  const unset = () => new Map([...model].filter(([key]) => key !== command.name));
  if (command.type === 'create') {
    return before
      ? model
      : set({ size: 1, team: command.team, phase: undefined, held: command.held, marked: false, generation: 1 });
  }
  if (!before) return model;
  switch (command.type) {
    case 'resize':
      return set({
        ...before,
        size: command.size,
        generation: command.size === before.size ? before.generation : before.generation + 1,
      });
    case 'relabel':
      return set({ ...before, team: command.team });
    case 'report':
      return set({ ...before, phase: command.phase });
    case 'release':
      return before.marked ? unset() : set({ ...before, held: false });
    case 'delete':
      if (!before.held) return unset();
      return set({ ...before, marked: true, generation: before.marked ? before.generation : before.generation + 1 });
  }
}

async function perform(store: Store, run: string, command: Command): Promise<void> {
  const name = `${run}-${command.name}`;
  if (command.type === 'create') {
    const finalizers = command.held ? ['x.org/hold'] : [];
    await store
      .create(Widget, {
        metadata: { name, labels: { [colour]: run, [team]: command.team }, finalizers },
        spec: { size: 1 },
      })
      .catch(() => undefined);
    return;
  }
  const object = await store.get(Widget, name);
  if (!object) return;
  const { metadata } = object;
  switch (command.type) {
    case 'resize':
      await store.update(Widget, { ...object, spec: { size: command.size } });
      break;
    case 'relabel':
      await store.update(Widget, {
        ...object,
        metadata: { ...metadata, labels: { ...metadata.labels, [team]: command.team } },
      });
      break;
    case 'report':
      await store.updateStatus(Widget, { ...object, status: { phase: command.phase } });
      break;
    case 'release':
      await store.update(Widget, { ...object, metadata: { ...metadata, finalizers: [] } });
      break;
    case 'delete':
      await store.delete(Widget, name);
      break;
  }
}

function modelOf(objects: readonly Resource<Widget>[]): Model {
  return new Map(
    objects.map(({ metadata, spec, status }) => [
      metadata.name.slice(-1),
      {
        size: spec.size,
        team: metadata.labels?.[team] ?? '',
        phase: status?.phase,
        held: (metadata.finalizers ?? []).length > 0,
        marked: metadata.deletionTimestamp !== undefined,
        generation: metadata.generation,
      },
    ]),
  );
}

/** The state of a client that listed once and then followed the events, up to the last version. */
async function replayed(
  store: Store,
  query: { readonly selector: ReturnType<typeof matching> },
  start: Snapshot,
  end: string,
): Promise<Resource<Widget>[]> {
  const known = new Map(start.items.map((object) => [object.metadata.name, object]));
  const events = await eventsUntil(
    store,
    Widget,
    { ...query, from: start.resourceVersion },
    ({ object }) => object.metadata.name === end,
  );
  for (const { type, object } of events.slice(0, -1)) {
    if (type === 'deleted') known.delete(object.metadata.name);
    else known.set(object.metadata.name, object);
  }
  return [...known.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

interface Snapshot {
  readonly items: readonly Resource<Widget>[];
  readonly resourceVersion: string;
}

export function describeModel(harness: StoreHarness): void {
  describe('any sequence of operations', () => {
    const current = useStore(harness);

    it('the store has the state of the model, and every watch from any point ends with the same state', async () => {
      const { store } = current();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          const run = `run${runs++}`;
          const queries = [
            { selector: matching({ [colour]: run }) },
            { selector: matching({ [colour]: run, [team]: 'red' }) },
          ] as const;
          const snapshots: (readonly [Snapshot, Snapshot])[] = [];
          let model: Model = new Map();
          for (const command of steps) {
            snapshots.push([await store.list(Widget, queries[0]), await store.list(Widget, queries[1])]);
            await perform(store, run, command);
            model = expected(model, command);
            expect(modelOf((await store.list(Widget, queries[0])).items)).toEqual(model);
          }
          const final = [await store.list(Widget, queries[0]), await store.list(Widget, queries[1])] as const;
          const end = `${run}-end`;
          await store.create(Widget, {
            metadata: { name: end, labels: { [colour]: run, [team]: 'red' } },
            spec: { size: 1 },
          });
          for (const snapshot of snapshots) {
            expect(await replayed(store, queries[0], snapshot[0], end)).toEqual(final[0].items);
            expect(await replayed(store, queries[1], snapshot[1], end)).toEqual(final[1].items);
            expect(compareVersions(final[0].resourceVersion, snapshot[0].resourceVersion)).toBeGreaterThanOrEqual(0);
          }
        }),
        { numRuns: 25, endOnFailure: true },
      );
    });
  });
}
