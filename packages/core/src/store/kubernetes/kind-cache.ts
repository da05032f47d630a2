import { isProblem } from '../../errors/index.ts';
import type { Kind, Resource } from '../../kinds/index.ts';
import { internalLimits, limits, waits } from '../../limits.ts';
import type { World } from '../../world/index.ts';
import { matches, type Selector } from '../selector.ts';
import type { ListQuery, Page, WatchEvent } from '../store.ts';
import { compareVersions } from '../version.ts';
import { LabelIndex } from './label-index.ts';
import { assignedUid } from './origin.ts';
import type { Outages } from './outages.ts';
import { pauseAfter_ms } from './pauses.ts';

export interface KindCacheOptions {
  readonly world: World;
  readonly kind: Kind;
  readonly outages: Outages;
  /** Lists from the API server. */
  readonly list: (query: ListQuery) => Promise<Page<Kind>>;
  readonly watch: (from: string, signal: AbortSignal) => AsyncIterable<WatchEvent<Kind>>;
  /** Whether the watch of the API server is connected. Without it the cache can fall behind for a long time. */
  readonly isConnected: () => boolean;
  /** Replaces the connection of the watch, because it does not deliver. */
  readonly reconnect: () => void;
}

/** Where a part of a list begins and ends. */
export interface Cut {
  readonly selector: Selector;
  /** The name of the last object that the caller has. */
  readonly after: string;
  readonly limit: number;
  readonly bytes: number;
}

export interface CachedPart {
  readonly items: readonly Resource[];
  /** Whether objects follow after the last one. */
  readonly isPart: boolean;
}

/**
 * All objects of one kind in this process, with an index of their labels, for reads that may miss the latest changes of
 * other processes. One watch keeps it current. Its changes arrive in the order of their versions, so once the cache has
 * a change it has all earlier changes of the kind. States that this process wrote or read are added at once, so that it
 * never returns an older one.
 */
export class KindCache {
  readonly #options: KindCacheOptions;
  readonly #closed = new AbortController();
  #objects = new Map<string, Resource>();
  #index: LabelIndex;
  /** The names in order. Undefined after an object was added or removed. */
  #ordered: readonly string[] | undefined;
  #position = 0;
  #isComplete = false;
  /** The latest version that this process wrote or read while the cache was not complete. */
  #missed = 0;
  /** When the cache was filled, or got its last change. */
  #told_ms = 0;
  readonly #complete = Promise.withResolvers<undefined>();
  readonly #waiting = new Set<() => void>();
  /**
   * Objects that this process deleted and whose event has not arrived, by the uid that Kubernetes assigned. A deletion
   * has no known version.
   */
  readonly #deleted = new Set<string>();

  constructor(options: KindCacheOptions) {
    this.#options = options;
    this.#index = new LabelIndex(options.kind);
    void this.#run();
  }

  /** The version up to which the cache has all changes. */
  get position(): number {
    return this.#position;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Resolves after the first complete list, or when it fails. */
  whenComplete(): Promise<void> {
    return this.#complete.promise.then(() => undefined);
  }

  /** Resolves with true as soon as the cache has all changes up to this version; with false if that takes too long. */
  async reaches(version: number): Promise<boolean> {
    const until_ms = this.#options.world.monotonic_ms() + waits.kubernetesCache_ms;
    while (this.#isCurrent() && this.#position < version) {
      const left_ms = until_ms - this.#options.world.monotonic_ms();
      if (left_ms <= 0) {
        this.#options.reconnect();
        return false;
      }
      await this.#changedWithin(left_ms);
    }
    return this.#isCurrent();
  }

  /** Whether it has every state that this process wrote or read. */
  get knowsOwn(): boolean {
    return this.#isCurrent() && this.#position >= this.#missed;
  }

  get(name: string): Resource | undefined {
    return this.#shown(name, []);
  }

  /**
   * Adds a state that this process wrote or read, before its event arrives. If the cache has already passed its
   * version, it is not added: the object may be deleted since, and no later event would remove it.
   */
  learn(object: Resource): void {
    const version = Number(object.metadata.resourceVersion);
    if (!this.#isComplete) this.#missed = Math.max(this.#missed, version);
    else if (version > this.#position) this.#replace(object, false);
  }

  /** An object that this process deleted is not shown any more. `uid` is the one that Kubernetes assigned. */
  forget(uid: string): void {
    this.#deleted.add(uid);
    const [oldest] = this.#deleted;
    if (this.#deleted.size > internalLimits.kubernetesPredecessors && oldest !== undefined)
      this.#deleted.delete(oldest);
  }

  part({ selector, after, limit, bytes }: Cut): CachedPart {
    const items: Resource[] = [];
    let held_bytes = 0;
    for (const object of this.#matching(selector, after)) {
      if (items.length >= limit || held_bytes >= bytes) return { items, isPart: true };
      items.push(object);
      if (bytes !== Infinity) held_bytes += JSON.stringify(object).length;
    }
    return { items, isPart: false };
  }

  countUpTo(selector: Selector, most: number): number {
    let count = 0;
    for (const name of this.#index.candidates(selector) ?? this.#objects.keys()) {
      if (count >= most) break;
      if (this.#shown(name, selector)) count++;
    }
    return count;
  }

  close(): void {
    this.#closed.abort();
    this.#isComplete = false;
    this.#complete.resolve(undefined);
    this.#wake();
  }

  /** A watch that connects again is not waited for, because that takes milliseconds. */
  #isCurrent(): boolean {
    const { world, isConnected } = this.#options;
    if (!this.#isComplete) return false;
    return isConnected() || world.monotonic_ms() - this.#told_ms < waits.kubernetesCache_ms;
  }

  /** In order of name. */
  *#matching(selector: Selector, after: string): Generator<Resource> {
    const candidates = this.#index.candidates(selector);
    const names = candidates ? [...candidates].filter((name) => name > after).sort() : this.#names();
    for (let at = candidates ? 0 : firstAfter(names, after); at < names.length; at++) {
      const object = this.#shown(names[at] ?? '', selector);
      if (object) yield object;
    }
  }

  #names(): readonly string[] {
    return (this.#ordered ??= [...this.#objects.keys()].sort());
  }

  #shown(name: string, selector: Selector): Resource | undefined {
    const object = this.#objects.get(name);
    return object && !this.#deleted.has(assignedUid(object)) && matches(selector, object.metadata.labels)
      ? object
      : undefined;
  }

  async #run(): Promise<void> {
    const { world, outages, kind } = this.#options;
    const read = `the list of ${kind.plural} for the cache`;
    for (let failures = 0; !this.#isClosed();) {
      try {
        const from = await this.#fill();
        outages.worked(read);
        failures = 0;
        for await (const event of this.#options.watch(from, this.#closed.signal)) this.#apply(event);
      } catch (thrown) {
        if (this.#isClosed()) return;
        this.#isComplete = false;
        // Lists then ask the API server, and report its failure.
        this.#complete.resolve(undefined);
        if (!isProblem(thrown, 'expired') || failures > 0) outages.failed(read, thrown);
        await world.sleep(pauseAfter_ms(thrown, failures++, world.random()), this.#closed.signal);
      }
    }
  }

  #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Reads all objects, and returns the version to watch from. */
  async #fill(): Promise<string> {
    const objects = new Map<string, Resource>();
    const index = new LabelIndex(this.#options.kind);
    let version: string | undefined;
    let next: string | undefined;
    do {
      const page = await this.#options.list({
        limit: limits.pageItems,
        ...(next === undefined ? {} : { continue: next }),
      });
      version ??= page.resourceVersion;
      next = page.continue;
      for (const object of page.items) {
        objects.set(object.metadata.name, object);
        index.replace(object.metadata.name, undefined, object);
      }
      await this.#options.world.turn();
    } while (next !== undefined && !this.#isClosed());
    this.#objects = objects;
    this.#index = index;
    this.#ordered = undefined;
    this.#position = Number(version);
    this.#told_ms = this.#options.world.monotonic_ms();
    this.#isComplete = !this.#isClosed();
    this.#complete.resolve(undefined);
    return version;
  }

  #apply(event: WatchEvent<Kind>): void {
    this.#told_ms = this.#options.world.monotonic_ms();
    if (event.type === 'bookmark') this.#position = Math.max(this.#position, Number(event.resourceVersion));
    else {
      this.#replace(event.object, event.type === 'deleted');
      this.#position = Math.max(this.#position, Number(event.object.metadata.resourceVersion));
    }
    this.#wake();
  }

  /** The first list can have newer objects than its version says. They stay. */
  #replace(object: Resource, isDeleted: boolean): void {
    const { name, resourceVersion } = object.metadata;
    const before = this.#objects.get(name);
    if (isDeleted) this.#deleted.delete(assignedUid(object));
    const order = before ? compareVersions(before.metadata.resourceVersion, resourceVersion) : -1;
    // The write that removes an object can return it with the version of its deletion.
    if (isDeleted ? order > 0 : order >= 0) return;
    if (isDeleted) this.#objects.delete(name);
    else this.#objects.set(name, object);
    this.#index.replace(name, before, isDeleted ? undefined : object);
    if (isDeleted || !before) this.#ordered = undefined;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const woken of waiting) woken();
  }

  #changedWithin(wait_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const woken = () => {
        cancel();
        this.#waiting.delete(woken);
        resolve();
      };
      const cancel = this.#options.world.after(wait_ms, woken);
      this.#waiting.add(woken);
    });
  }
}

function firstAfter(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') <= name) low = middle + 1;
    else high = middle;
  }
  return low;
}
