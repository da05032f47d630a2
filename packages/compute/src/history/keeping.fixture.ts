import { onTestFinished } from 'vitest';

import { WatchCache } from '@unikorn/core/controller';
import { annotations, labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld, type Around } from '@unikorn/core/testing';

import { ComputeInstance, GoneInstance, InstanceHistory } from '../kinds/index.ts';
import { History, type Happening } from './history.ts';
import { readHistory } from './reading.ts';

export const day_ms = 24 * 3600_000;
export const id = 'f0000000-0000-4000-8000-000000000001';
export const moved = (outcome: string): Happening => ({ type: 'transition', action: 'power', outcome });

/** An instance, and the histories that as many processes keep of it. */
export async function stage(around: Around = (_call, happen) => happen(), processes = 1) {
  const world = virtualWorld();
  const memory = openMemoryStore({ world, kinds: [ComputeInstance, InstanceHistory, GoneInstance] });
  onTestFinished(() => memory.close());
  const place = {
    [labels.name]: 'a',
    [labels.organization]: 'o',
    [labels.project]: 'p',
    [labels.region]: 'r',
    [labels.network]: 'n',
  };
  const metadata = { name: id, labels: place, annotations: { [annotations.principalCreator]: 'jane@acme.com' } };
  const create = () => memory.create(ComputeInstance, { metadata, spec: { flavorId: 'f', imageId: 'i' } });
  const instance = await create();
  const store = interpose(memory, around);
  const context = { store, world, telemetry: silentTelemetry() };
  const begin = () => new History({ ...context, instances: new WatchCache(ComputeInstance, context) });
  const history = begin();
  const histories = [history, ...Array.from({ length: processes - 1 }, begin)];
  const entries = async () => (await readHistory(memory, id, {})).entries;
  const births = async () => (await entries()).filter(({ action }) => action === 'create');
  /** Of everything but its beginning. */
  const outcomes = async () =>
    (await entries()).filter(({ action }) => action !== 'create').map(({ outcome }) => outcome);
  return { world, store: memory, instance, create, begin, history, histories, births, outcomes };
}
