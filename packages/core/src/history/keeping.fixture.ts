import { Type } from 'typebox';
import { onTestFinished } from 'vitest';

import { WatchCache } from '../controller/index.ts';
import { defineKind } from '../kinds/index.ts';
import { annotations, labels } from '../resource/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, silentTelemetry, virtualWorld, type Around } from '../testing/index.ts';
import { History } from './history.ts';
import { defineGoneKind, defineHistoryKind, historyStorage, type HistoryEvent } from './kinds.ts';
import { readHistory } from './reading.ts';
import type { HistorySubject } from './subject.ts';

export const day_ms = 24 * 3600_000;
export const id = 'f0000000-0000-4000-8000-000000000001';
export const moved = (outcome: string): HistoryEvent => ({ type: 'transition', action: 'power', outcome });

const group = 'test.unikorn-cloud.org';
const found = { subject: `${group}/thing-id`, day: `${group}/day` };

export const Thing = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'Thing',
  plural: 'things',
  spec: Type.Object({ size: Type.Integer() }),
  status: {},
});
export const ThingHistory = defineHistoryKind({
  group,
  kind: 'ThingHistory',
  plural: 'thinghistories',
  labels: found,
});
export const GoneThing = defineGoneKind({ group, kind: 'GoneThing', plural: 'gonethings', labels: found });
export const storage = historyStorage(found, ThingHistory, GoneThing);

export const thingSubject: HistorySubject<typeof Thing> = {
  kind: Thing,
  resource: 'thing',
  storage,
  param: 'thingID',
  endpoint: 'test:things',
};

/** An object, and the histories that a number of processes write for it. */
export async function stage(
  around: Around = (_call, happen) => happen(),
  processes = 1,
  subject: HistorySubject = thingSubject,
  { sole = true }: { readonly sole?: boolean } = {},
) {
  const world = virtualWorld();
  const memory = openMemoryStore({ world, kinds: [Thing, ThingHistory, GoneThing] });
  onTestFinished(() => memory.close());
  const place = { [labels.name]: 'a', [labels.organization]: 'o', [labels.project]: 'p' };
  const metadata = { name: id, labels: place, annotations: { [annotations.principalCreator]: 'jane@acme.com' } };
  const create = () => memory.create(Thing, { metadata, spec: { size: 1 } });
  const thing = await create();
  const store = interpose(memory, around, { sole });
  const context = { store, world, telemetry: silentTelemetry() };
  const begin = () => new History({ ...context, subject, objects: new WatchCache(Thing, context) });
  const history = begin();
  const histories = [history, ...Array.from({ length: processes - 1 }, begin)];
  const entries = async () => (await readHistory(memory, storage, id, {})).entries;
  const creations = async () => (await entries()).filter(({ action }) => action === 'create');
  /** The outcomes of all entries except the creation. */
  const outcomes = async () =>
    (await entries()).filter(({ action }) => action !== 'create').map(({ outcome }) => outcome);
  return { world, store: memory, thing, create, begin, history, histories, creations, outcomes };
}
