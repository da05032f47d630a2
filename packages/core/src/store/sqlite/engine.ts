import { isDeepStrictEqual } from 'node:util';

import { isProblem, Problem, toError } from '../../errors/index.ts';
import { admit, type Draft, type Kind, type Resource } from '../../kinds/index.ts';
import { limits, waits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { Cancel, World } from '../../world/index.ts';
import type { AdoptingStore } from '../adopting.ts';
import { encode, readBack } from '../encoding.ts';
import { Feed, type FeedChange } from '../feed.ts';
import { activeTraceparent, Instruments, type Verb } from '../instruments.ts';
import { SharedProbe } from '../probe.ts';
import type { Selector } from '../selector.ts';
import type { Change, DeleteOptions, ListQuery, Page, StatusChange, Store, WatchEvent, WatchQuery } from '../store.ts';
import {
  assertCurrent,
  changedMeanwhile,
  created,
  deleted,
  statusUpdated,
  updated,
  type Transition,
} from '../transition.ts';
import { Watch, type History } from '../watch.ts';
import { readable, reading } from './failure.ts';
import { GarbageCollector } from './garbage.ts';
import { commitMetrics, observedPort } from './instruments.ts';
import { countUpTo, listPage } from './listing.ts';
import { Objects } from './objects.ts';
import type { KindEntry } from './operation.ts';
import type { WriterPort } from './port.ts';
import type { Reader } from './reader.ts';
import type { Retention } from './writer.ts';

export interface EngineOptions {
  readonly world: World;
  readonly telemetry?: Telemetry | undefined;
  readonly kinds: readonly Kind[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly reader: Reader;
  readonly port: WriterPort;
  /** How many changes are kept for watchers that resume. */
  readonly retention: Retention;
  /** How often an idle watch gets a bookmark. */
  readonly bookmark_ms?: number | undefined;
  /** Whether it deletes the objects whose owners are deleted. A tool that moves objects turns it off. */
  readonly collectsGarbage?: boolean | undefined;
  /** Ends other users of the state, before the engine closes. */
  readonly beforeClosing?: (() => Promise<unknown>) | undefined;
  /** Releases other resources that were opened for the engine, when it closes. */
  readonly release?: (() => void) | undefined;
}

/** A Store with SQLite: it decides on the event loop, reads through its own connection, and writes through a port. */
export class SqliteEngine implements Store, AdoptingStore {
  readonly sole = true;
  readonly #world: World;
  readonly #reader: Reader;
  readonly #port: WriterPort;
  readonly #objects: Objects;
  readonly #feed: Feed;
  readonly #garbage: GarbageCollector;
  readonly #instruments: Instruments;
  readonly #history: History;
  readonly #watches = new Set<Watch>();
  readonly #probe: SharedProbe;
  readonly #bookmark_ms: number;
  readonly #beforeClosing: (() => Promise<unknown>) | undefined;
  readonly #release: (() => void) | undefined;
  #cancelBookmark: Cancel | undefined;
  #closing: Promise<void> | undefined;

  constructor({
    world,
    telemetry,
    kinds,
    numbers,
    reader,
    port,
    retention,
    bookmark_ms = waits.bookmark_ms,
    collectsGarbage = true,
    beforeClosing,
    release,
  }: EngineOptions) {
    const head = reader.head();
    this.#world = world;
    this.#reader = reader;
    this.#instruments = new Instruments(telemetry);
    this.#bookmark_ms = bookmark_ms;
    this.#beforeClosing = beforeClosing;
    this.#release = release;
    this.#feed = new Feed({
      head,
      capacity: Math.min(limits.recentChanges, retention.changes),
      capacity_bytes: Math.min(limits.recentChangesBytes, retention.bytes),
    });
    this.#port = observedPort(port, world, reader, commitMetrics(this.#instruments.registry));
    this.#probe = new SharedProbe(world, () => this.#port.probe());
    this.#objects = new Objects({
      kinds,
      numbers,
      reader,
      port: this.#port,
      collected: () => this.#garbage.collected,
      announce: (kind, change) => {
        this.#feed.announce(kind.id, change);
        if (collectsGarbage) this.#garbage.notice(change);
      },
    });
    this.#garbage = new GarbageCollector({ world, reader, objects: this.#objects, log: telemetry?.log });
    if (collectsGarbage) this.#garbage.resume(head);
    this.#history = { head: () => reader.head(), page: (kind, after) => this.#page(kind, after) };
  }

  create<K extends Kind>(kind: K, draft: Draft<K>): Promise<Resource<K>>;
  create(kind: Kind, draft: Draft): Promise<Resource> {
    return this.#observe('create', kind, async () => {
      admit(kind, draft);
      const object = created(kind, draft, {
        uid: this.#world.uuid(),
        now: this.#world.now(),
        traceparent: activeTraceparent(),
      });
      const stored = await this.#objects.swap(this.#objects.entry(kind), undefined, { type: 'stored', object });
      if (!stored) throw new Problem('conflict', `${draft.metadata.name} already exists`);
      return stored;
    });
  }

  get<K extends Kind>(kind: K, name: string): Promise<Resource<K> | undefined>;
  get(kind: Kind, name: string): Promise<Resource | undefined> {
    try {
      return Promise.resolve(this.#objects.read(this.#objects.entry(kind), name));
    } catch (error) {
      return Promise.reject(toError(readable(error)));
    }
  }

  list<K extends Kind>(kind: K, query?: ListQuery): Promise<Page<K>>;
  list(kind: Kind, query: ListQuery = {}): Promise<Page<Kind>> {
    return this.#observe('list', kind, () =>
      listPage({ world: this.#world, reader: this.#reader, head: this.#feed.head }, this.#objects.entry(kind), query),
    );
  }

  countUpTo(kind: Kind, selector: Selector, most: number): Promise<number> {
    return this.#observe('count', kind, () =>
      countUpTo(
        { world: this.#world, reader: this.#reader, head: this.#feed.head },
        this.#objects.entry(kind),
        selector,
        most,
      ),
    );
  }

  update<K extends Kind>(kind: K, change: Change<K>): Promise<Resource<K>>;
  update(kind: Kind, change: Change<Kind>): Promise<Resource> {
    return this.#observe('update', kind, () =>
      this.#replace(kind, { metadata: change.metadata }, (previous) => {
        admit(kind, { metadata: change.metadata, spec: change.spec, status: previous.status }, previous);
        return updated(previous, change, activeTraceparent());
      }),
    );
  }

  updateStatus<K extends Kind>(kind: K, change: StatusChange<K>): Promise<Resource<K>>;
  updateStatus(kind: Kind, change: StatusChange<Kind>): Promise<Resource> {
    return this.#observe('updateStatus', kind, () =>
      this.#replace(kind, change, (previous) => {
        admit(kind, { metadata: previous.metadata, spec: previous.spec, status: change.status }, previous);
        return statusUpdated(previous, change);
      }),
    );
  }

  delete<K extends Kind>(kind: K, name: string, options?: DeleteOptions): Promise<Resource<K> | undefined>;
  delete(kind: Kind, name: string, options: DeleteOptions = {}): Promise<Resource | undefined> {
    return this.#observe('delete', kind, async () => {
      const entry = this.#objects.entry(kind);
      while (true) {
        const previous = this.#objects.read(entry, name);
        if (!previous) return undefined;
        const next = deleted(previous, options, this.#world.now());
        if (next.type === 'unchanged') return previous;
        const stored = await this.#objects.swap(entry, previous, next);
        if (stored) return next.type === 'removed' ? undefined : stored;
      }
    });
  }

  watch<K extends Kind>(kind: K, query: WatchQuery): AsyncIterable<WatchEvent<K>>;
  watch(kind: Kind, query: WatchQuery): AsyncIterable<WatchEvent<Kind>> {
    const { id } = this.#objects.entry(kind).kind;
    const { watchers, expired } = this.#instruments.metrics;
    const ended = (watch: Watch, error?: unknown) => {
      this.#watches.delete(watch);
      watchers.dec({ kind: id });
      if (isProblem(error, 'expired')) expired.inc({ kind: id });
    };
    const watch = new Watch({ kind, query, feed: this.#feed, history: this.#history, ended });
    this.#watches.add(watch);
    watchers.inc({ kind: id });
    this.#scheduleBookmark();
    return watch;
  }

  probe(): Promise<void> {
    return this.#probe.tell();
  }

  async adopt(kind: Kind, object: Resource): Promise<void> {
    const entry = this.#objects.entry(kind);
    const { name } = object.metadata;
    if (await this.#objects.swap(entry, undefined, { type: 'stored', object: readBack(object) })) return;
    // An interrupted run has written it.
    const stored = this.#objects.read(entry, name);
    if (!stored || !isDeepStrictEqual(unversioned(stored), unversioned(object)))
      throw new Problem('conflict', `${kind.kind} ${name} already exists, and has other content`);
  }

  /** An object is adopted with its mark. */
  adoptDeletion(): Promise<void> {
    return Promise.resolve();
  }

  /** Marks the state as unusable after damage was found while it is in use; later operations fail with this problem. */
  condemn(problem: Problem): void {
    this.#probe.condemn(problem);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#beforeClosing?.();
    await this.#garbage.close();
    await this.#objects.close();
    this.#cancelBookmark?.();
    for (const watch of this.#watches) watch.end();
    // The writer closes last: the last connection that closes a database checkpoints its log, and the reader may not
    // write.
    this.#reader.close();
    await this.#port.close();
    this.#release?.();
  }

  #observe<T>(verb: Verb, kind: Kind, work: () => Promise<T>): Promise<T> {
    return this.#instruments.observe(verb, kind, () => reading(work));
  }

  async #replace(
    kind: Kind,
    { metadata: { name, resourceVersion }, of: known }: Pick<StatusChange<Kind>, 'metadata' | 'of'>,
    decide: (previous: Resource) => Transition,
  ): Promise<Resource> {
    const entry = this.#objects.entry(kind);
    // An object that is not frozen was not returned by this store. The swap checks whether it is still the stored one.
    const previous = known && Object.isFrozen(known) ? known : this.#objects.read(entry, name);
    if (!previous) throw missing(name);
    assertCurrent(previous, resourceVersion);
    const next = decide(previous);
    if (next.type === 'unchanged') return known ? this.#confirmed(entry, previous) : previous;
    const stored = await this.#objects.swap(entry, previous, next);
    if (stored) return stored;
    this.#confirmed(entry, previous);
    throw changedMeanwhile(name);
  }

  /** Returns the stored object if it still has this version; otherwise the change is refused. */
  #confirmed(entry: KindEntry, { metadata: { name, resourceVersion } }: Resource): Resource {
    const stored = this.#objects.read(entry, name);
    if (!stored) throw missing(name);
    assertCurrent(stored, resourceVersion);
    return stored;
  }

  /** Checks after reading whether all changes were still kept, because another thread compacts the log. */
  async #page(kind: Kind, after: number): Promise<{ changes: readonly FeedChange[]; head: number } | undefined> {
    await this.#world.turn();
    const head = this.#reader.head();
    const changes = this.#reader.changes(this.#objects.entry(kind).number, after);
    return after < this.#reader.floor() ? undefined : { changes, head };
  }

  #scheduleBookmark(): void {
    this.#cancelBookmark ??= this.#world.after(this.#bookmark_ms, () => {
      this.#cancelBookmark = undefined;
      this.#instruments.metrics.lag.set(Math.max(0, ...this.#watches.values().map(({ lag }) => lag)));
      if (this.#watches.size === 0) return;
      this.#feed.bookmark();
      this.#scheduleBookmark();
    });
  }
}

function unversioned(object: Resource): unknown {
  return JSON.parse(encode(object));
}

function missing(name: string): Problem {
  return new Problem('not_found', `${name} does not exist`);
}
