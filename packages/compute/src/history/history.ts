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
  /** What was done to make an instance that is not there yet: it becomes part of its life if it is born, else of none. */
  unborn: HistoryEntry[];
  readonly cancel: Cancel;
  /** The lives that something was noted of, by uid: they may be over when it is written. */
  readonly lives: Map<string, ComputeInstance>;
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

  /** Notes what happened to an instance; it is stored soon. */
  record(id: string, happening: Happening, instance: ComputeInstance | undefined = this.#options.instances.get(id)): void {
    const pending = this.#pending.get(id) ?? this.#begin(id);
    const entry = this.#entry(instance ? { uid: instance.metadata.uid, ...happening } : happening);
    if (instance) pending.lives.set(instance.metadata.uid, instance);
    if (isBirth(entry)) {
      pending.entries.push(...pending.unborn.filter(isDone).map((before) => ({ ...before, ...uidOf(entry) })));
      pending.unborn = pending.unborn.filter((before) => !isDone(before));
    }
    pending.entries.push(entry);
  }

  /** Notes what was done to make an instance that is not there yet. */
  recordUnborn(id: string, happening: Happening): void {
    (this.#pending.get(id) ?? this.#begin(id)).unborn.push(this.#entry(happening));
  }

  /** Notes what happened, and resolves once that is stored. */
  async commit(id: string, happening: Happening, instance?: ComputeInstance): Promise<void> {
    this.record(id, happening, instance);
    await this.#flush(id);
  }

  /** The pages of an instance, of all its lives, the oldest first; with what has been noted up to now. */
  async pages(id: string): Promise<readonly InstanceHistory[]> {
    await this.#flush(id);
    const instance = await this.#options.store.get(ComputeInstance, id);
    if (instance) await this.settle(instance);
    return this.#stored(id);
  }

  /** Sees to it that the history of an instance begins: a process may have ended between storing it and writing of it. */
  async settle(instance: ComputeInstance): Promise<void> {
    const { name } = instance.metadata;
    const isTold = async () => tellsOf(await this.#stored(name), instance);
    if (await isTold()) return;
    await this.#flush(name);
    if (!(await isTold())) await this.commit(name, birthOf(instance), instance);
  }

  /** Stores whatever is noted. */
  async flush(): Promise<void> {
    await Promise.all([...new Set([...this.#pending.keys(), ...this.#writing.keys()])].map((id) => this.#flush(id)));
  }

  #begin(id: string): Pending {
    const cancel = this.#options.world.after(gather_ms, () => void this.#flush(id));
    const pending: Pending = { entries: [], unborn: [], cancel, lives: new Map() };
    this.#pending.set(id, pending);
    return pending;
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

  async #append(id: string, { entries, unborn, lives }: Pending): Promise<void> {
    const { store, world, instances } = this.#options;
    const day = dayOf(world.now());
    const instance = instances.get(id) ?? (await store.get(ComputeInstance, id)) ?? [...lives.values()].at(-1);
    if (instance) lives.set(instance.metadata.uid, instance);
    const added = [...(instance ? entries.map((entry) => ({ ...uidOf(instance.metadata), ...entry })) : entries), ...unborn];
    for (let attempt = 1; ; attempt++) {
      // What begins with a birth is the first page, as a rule.
      const page = attempt === 1 && added.some(isBirth) ? undefined : await store.get(InstanceHistory, `${id}.${day}`);
      const owner = page ?? instance ?? (await this.#stored(id)).at(-1);
      if (!owner) return;
      const told = await this.#fromBirths([...lives.values()], page, added);
      try {
        if (page) await store.update(InstanceHistory, { metadata: page.metadata, spec: appended(page.spec, told) });
        else await store.create(InstanceHistory, { metadata: { name: `${id}.${day}`, labels: pageLabels(id, day, owner.metadata) }, spec: appended({ entries: [] }, told) });
        return;
      } catch (error) {
        if (!isProblem(error, 'conflict') || attempt === attempts) throw error;
      }
    }
  }

  /** What is to be added, with exactly one beginning of each life before anything else of it. */
  async #fromBirths(lives: readonly ComputeInstance[], page: InstanceHistory | undefined, added: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
    let told = added;
    const births: HistoryEntry[] = [];
    for (const life of lives) {
      const others = told.filter((entry) => !(isBirth(entry) && entry.uid === life.metadata.uid));
      const hasBirth = others.length < told.length;
      // Only of one that was born today nothing can be told on another page.
      const isNew = hasBirth && bornOn(life) === dayOf(this.#options.world.now());
      const isKnown = (page !== undefined && tellsOf([page], life)) || (!isNew && tellsOf(await this.#stored(life.metadata.name), life));
      if (isKnown) told = others;
      else if (!hasBirth) births.push(birthOf(life));
    }
    return [...births, ...told];
  }
}

/** What was taken back, or never worked, is part of no life. */
function isDone({ outcome }: HistoryEntry): boolean {
  return outcome === 'done';
}

function uidOf({ uid }: { readonly uid?: string | undefined }): Pick<HistoryEntry, 'uid'> {
  return uid === undefined ? {} : { uid };
}

function bornOn({ metadata }: ComputeInstance): string {
  return metadata.creationTimestamp.slice(0, 10);
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
