import { isProblem } from '@unikorn/core/errors';
import type { Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';
import { preciseTimestamp, type World } from '@unikorn/core/world';

import {
  GoneInstance,
  historyLabels,
  InstanceHistory,
  type ComputeInstance,
  type HistoryEntry,
} from '../kinds/index.ts';
import { fitted, inOrder } from './entries.ts';
import { foldOf, partsPerVolume } from './folding.ts';
import { birthName, goneName, notesName } from './names.ts';
import { Remembered } from './remembered.ts';

/** What is written at once: more than a controller does in some seconds, and small beside what an object may be. */
const writtenRoom = { entries: 200, bytes: 64 * 1024 } as const;

/** How many instances the number of parts is known of without looking: some hundred bytes each. */
const counted = 10_000;

/** Stores histories. What is written stays as it is, but that the parts of a day are put together when there are many. */
export class Archive {
  readonly #store: Store;
  readonly #world: World;
  /** By instance and day. */
  readonly #parts = new Remembered<number>(counted);

  readonly #process: string;
  #written = 0;

  constructor({ store, world }: { readonly store: Store; readonly world: World }) {
    this.#store = store;
    this.#world = world;
    this.#process = world.uuid().slice(0, 8);
  }

  /** Adds to a history. */
  async add(
    id: string,
    owner: Metadata,
    entries: readonly HistoryEntry[],
    life: ComputeInstance | undefined,
  ): Promise<void> {
    const day = this.#today();
    const name = notesName(id, day, this.#world.now(), this.#unique());
    await this.#store.create(InstanceHistory, {
      metadata: { name, labels: partLabels(id, day, owner) },
      spec: fitted(inOrder(entries), writtenRoom),
    });
    await this.#count(id, day, life);
  }

  /** Begins the history of a life, unless that was done already. */
  async begin(life: ComputeInstance, entries: readonly HistoryEntry[]): Promise<'begun' | 'known'> {
    const id = life.metadata.name;
    const day = this.#today();
    try {
      await this.#store.create(InstanceHistory, {
        metadata: { name: birthName(life), labels: partLabels(id, day, life.metadata) },
        spec: fitted(inOrder(entries), writtenRoom),
      });
    } catch (error) {
      if (isProblem(error, 'conflict')) return 'known';
      throw error;
    }
    if (bornOn(life) === day && this.#parts.get(`${id} ${day}`) === undefined) this.#parts.set(`${id} ${day}`, 1);
    return 'begun';
  }

  async hasBegun(life: ComputeInstance): Promise<boolean> {
    return (await this.#store.get(InstanceHistory, birthName(life))) !== undefined;
  }

  /** Keeps what is left of an instance that goes, with the last that happened to it. It says when it went. */
  async bury(life: ComputeInstance, entries: readonly HistoryEntry[]): Promise<void> {
    const {
      metadata,
      spec: { flavorId, imageId },
    } = life;
    const deletedAt = metadata.deletionTimestamp ?? preciseTimestamp(this.#world.now());
    const carried = [labels.name, labels.network, labels.region].flatMap((label) =>
      metadata.labels?.[label] === undefined ? [] : [[label, metadata.labels[label]] as const],
    );
    const spec = {
      uid: metadata.uid,
      createdAt: metadata.creationTimestamp,
      deletedAt,
      flavorId,
      imageId,
      ...fitted(inOrder(entries), writtenRoom),
    };
    try {
      await this.#store.create(GoneInstance, {
        metadata: {
          name: goneName(life, deletedAt),
          labels: { ...partLabels(metadata.name, this.#today(), metadata), ...Object.fromEntries(carried) },
        },
        spec,
      });
    } catch (error) {
      // A process that ended before the instance went had got this far.
      if (!isProblem(error, 'conflict')) throw error;
      if (entries.length > 0) await this.add(metadata.name, metadata, entries, life);
    }
  }

  /** Whose a history is that there is already; any part of it says so. */
  async owner(id: string): Promise<Metadata | undefined> {
    const selector = matching({ [historyLabels.instance]: id });
    const [part] = (await this.#store.list(InstanceHistory, { selector, limit: 1 })).items;
    return part?.metadata ?? (await this.#store.list(GoneInstance, { selector, limit: 1 })).items[0]?.metadata;
  }

  async #count(id: string, day: string, life: ComputeInstance | undefined): Promise<void> {
    const key = `${id} ${day}`;
    const before = this.#parts.get(key);
    const selector = matching({ [historyLabels.instance]: id, [historyLabels.day]: day });
    const now =
      before === undefined
        ? (await this.#store.list(InstanceHistory, { selector, limit: partsPerVolume })).items.length
        : before + 1;
    this.#parts.set(key, now);
    if (now < partsPerVolume) return;
    await this.#fold(id, day, life);
  }

  /** The volume is stored before what it replaces goes, so that nothing is lost whenever a process ends. */
  async #fold(id: string, day: string, life: ComputeInstance | undefined): Promise<void> {
    const { items } = await this.#store.list(InstanceHistory, {
      selector: matching({ [historyLabels.instance]: id, [historyLabels.day]: day }),
    });
    const fold = foldOf(id, day, items, life?.metadata.uid);
    const [owner] = items;
    this.#parts.set(`${id} ${day}`, fold ? 1 : Math.min(items.length, partsPerVolume - 1));
    if (!fold || !owner) return;
    try {
      await this.#store.create(InstanceHistory, {
        metadata: { name: fold.volume.name, labels: partLabels(id, day, owner.metadata) },
        spec: fold.volume.spec,
      });
    } catch (error) {
      // Another process does the same.
      if (isProblem(error, 'conflict')) return;
      throw error;
    }
    for (const { of, spec } of fold.shortened)
      await modify(this.#store, InstanceHistory, of.metadata.name, (current) => ({ ...current, spec }));
    await Promise.all(fold.removed.map((name) => this.#store.delete(InstanceHistory, name)));
  }

  /** In the order in which they are asked for, and others than those of any other process. */
  #unique(): string {
    return `${(this.#written++).toString(36).padStart(7, '0')}-${this.#process}`;
  }

  #today(): string {
    return dayOf(this.#world.now());
  }
}

/** Whose it was is said on every part, because rights to it are decided by that when nothing else is left. */
function partLabels(id: string, day: string, { labels: carried = {} }: Metadata): Readonly<Record<string, string>> {
  const { [labels.organization]: organization = '', [labels.project]: project = '' } = carried;
  return {
    [historyLabels.instance]: id,
    [historyLabels.day]: day,
    [labels.organization]: organization,
    [labels.project]: project,
  };
}

function bornOn({ metadata }: ComputeInstance): string {
  return metadata.creationTimestamp.slice(0, 10);
}

/** Such as `2026-01-31`, by UTC. */
export function dayOf(time: number): string {
  return preciseTimestamp(time).slice(0, 10);
}
