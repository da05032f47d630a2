import type { WatchCache } from '@unikorn/core/controller';
import { isProblem, toError } from '@unikorn/core/errors';
import type { Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import { preciseTimestamp, type Cancel, type World } from '@unikorn/core/world';

import { ComputeInstance, historyLabels, InstanceHistory, type HistoryEntry } from '../kinds/index.ts';
import { birthOf, isBirth, tellsOf } from './birth.ts';
import { appended } from './page.ts';

/** What happened; when, and in which life of the instance, is added unless it is known. */
export type Happening = Omit<HistoryEntry, 'time'> & { readonly time?: string };

export interface HistoryOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly instances: WatchCache<typeof ComputeInstance>;
}

interface Pending {
  readonly entries: HistoryEntry[];
  readonly cancel: Cancel;
  /** The instance, where whoever noted something had it at hand: it may be gone when that is written. */
  instance: ComputeInstance | undefined;
}

/** What happens to an instance within this time is written at once: all that its making comes to, as a rule. Whoever reads sooner has it written. */
const gather_ms = 5_000;

/** Longer than any message of ours; what others say is cut. */
const messageLength = 1_000;

/** How often two processes may come in each other's way before one gives up. */
const attempts = 16;

/**
 * Keeps what happened to instances, one page for each and a day. What machinery does is gathered for a moment; what people
 * asked for is stored before they are answered, and takes along what was gathered. That they asked for an instance is stored
 * with the instance itself, and gets into its history with whatever is written there first.
 */
export class History {
  readonly #options: HistoryOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Notes what happened; it is stored soon. */
  record(id: string, happening: Happening, instance?: ComputeInstance): void {
    const entry = this.#entry(happening);
    const pending = this.#pending.get(id);
    if (pending) {
      pending.entries.push(entry);
      pending.instance ??= instance;
      return;
    }
    const cancel = this.#options.world.after(gather_ms, () => void this.#flush(id));
    this.#pending.set(id, { entries: [entry], cancel, instance });
  }

  /** Notes what happened, and resolves once that is stored. */
  async commit(id: string, happening: Happening): Promise<void> {
    this.record(id, happening);
    await this.#flush(id);
  }

  /** The pages of an instance, of all its lives, the oldest first; with what has been noted up to now. */
  async pages(id: string): Promise<readonly InstanceHistory[]> {
    await this.#flush(id);
    const pages = await this.#stored(id);
    const instance = await this.#options.store.get(ComputeInstance, id);
    if (!instance || tellsOf(pages, instance)) return pages;
    // A process ended between storing the instance and writing of it.
    await this.commit(id, birthOf(instance));
    return this.#stored(id);
  }

  /** Stores whatever is noted. */
  async flush(): Promise<void> {
    await Promise.all([...new Set([...this.#pending.keys(), ...this.#writing.keys()])].map((id) => this.#flush(id)));
  }

  async #stored(id: string): Promise<readonly InstanceHistory[]> {
    const { items } = await this.#options.store.list(InstanceHistory, { selector: matching({ [historyLabels.instance]: id }) });
    return items;
  }

  #entry({ message, ...happening }: Happening): HistoryEntry {
    const cut = message?.slice(0, messageLength);
    return { time: preciseTimestamp(this.#options.world.now()), ...happening, ...(cut ? { message: cut } : {}) };
  }

  /** One write for each instance at a time, so that pages are not fought over. A history that cannot be kept stops nobody's work. */
  #flush(id: string): Promise<void> {
    const before = this.#writing.get(id) ?? Promise.resolve();
    const pending = this.#pending.get(id);
    if (!pending) return before;
    this.#pending.delete(id);
    pending.cancel();
    const { telemetry } = this.#options;
    const written = before
      .then(() => this.#append(id, pending))
      .catch((thrown: unknown) => {
        telemetry.log.error({ err: toError(thrown), id, entries: pending.entries }, 'the history of an instance could not be written');
      })
      .finally(() => {
        if (this.#writing.get(id) === written) this.#writing.delete(id);
      });
    this.#writing.set(id, written);
    return written;
  }

  async #append(id: string, { entries, instance: known }: Pending): Promise<void> {
    const { store, world, instances } = this.#options;
    const day = dayOf(world.now());
    const instance = instances.get(id) ?? (await store.get(ComputeInstance, id)) ?? known;
    const added = instance ? entries.map((entry) => ({ uid: instance.metadata.uid, ...entry })) : entries;
    for (let attempt = 1; ; attempt++) {
      // What begins with the birth is the first page, as a rule.
      const page = attempt === 1 && added.some(isBirth) ? undefined : await store.get(InstanceHistory, `${id}.${day}`);
      const owner = page ?? instance ?? (await this.#stored(id)).at(-1);
      if (!owner) return;
      const told = instance ? await this.#fromBirth(instance, page, added) : added;
      try {
        if (page) await store.update(InstanceHistory, { metadata: page.metadata, spec: appended(page.spec, told) });
        else await store.create(InstanceHistory, { metadata: { name: `${id}.${day}`, labels: pageLabels(id, day, owner.metadata) }, spec: appended({ entries: [] }, told) });
        return;
      } catch (error) {
        if (!isProblem(error, 'conflict') || attempt === attempts) throw error;
      }
    }
  }

  /** What is to be added, with exactly one beginning of this life of the instance before anything else of it. */
  async #fromBirth(instance: ComputeInstance, page: InstanceHistory | undefined, added: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
    const isItsBirth = (entry: HistoryEntry) => isBirth(entry) && entry.uid === instance.metadata.uid;
    if (page && tellsOf([page], instance)) return added.filter((entry) => !isItsBirth(entry));
    if (added.some(isItsBirth) || tellsOf(await this.#stored(instance.metadata.name), instance)) return added;
    return [birthOf(instance), ...added];
  }
}

/** Whose it was is said on every page, because rights to it are decided by that when nothing else is left. */
function pageLabels(id: string, day: string, { labels: carried = {} }: Metadata): Readonly<Record<string, string>> {
  const { [labels.organization]: organization = '', [labels.project]: project = '' } = carried;
  return { [historyLabels.instance]: id, [historyLabels.day]: day, [labels.organization]: organization, [labels.project]: project };
}

/** Such as `2026-01-31`, by UTC. */
export function dayOf(time: number): string {
  return preciseTimestamp(time).slice(0, 10);
}

/** What of an error anybody may read. */
export function toldOf(error: unknown): string {
  return isProblem(error) ? error.message : 'an unexpected error occurred';
}
