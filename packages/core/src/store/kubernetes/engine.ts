import { isDeepStrictEqual } from 'node:util';

import { LRUCache } from 'lru-cache';

import { defined } from '../../defined.ts';
import { isProblem, Problem, toError } from '../../errors/index.ts';
import { admit, assertFits, type Draft, type Kind, type OwnerReference, type Resource } from '../../kinds/index.ts';
import { internalLimits, limits, waits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { Cancel, World } from '../../world/index.ts';
import { continueToken, parseContinueToken } from '../continue.ts';
import { activeTraceparent, Instruments } from '../instruments.ts';
import { SharedProbe } from '../probe.ts';
import type { Selector } from '../selector.ts';
import type {
  Change,
  DeleteOptions,
  GetOptions,
  ListQuery,
  Page,
  ReadOptions,
  StatusChange,
  Store,
  WatchEvent,
  WatchQuery,
} from '../store.ts';
import type { AdoptingStore, StoredObject } from '../adopting.ts';
import { assertCurrent, changedMeanwhile, created, statusUpdated, updated } from '../transition.ts';
import { compareVersions } from '../version.ts';
import { parsePosition, Watch } from '../watch.ts';
import type { StoreAccess } from './access.ts';
import { ClusterClient, type Answer, type ClusterCall, type ClusterRequest } from './client.ts';
import { isMissing, refusalOf } from './failure.ts';
import { KindCache } from './kind-cache.ts';
import { KindStream } from './kind-stream.ts';
import { countUpTo, latestVersion, listPage, objectsAt } from './listing.ts';
import { asResource, collectionPath, decodeObject, encodeObject, isReportedAs, isWrittenAs } from './objects.ts';
import { assignedUid, originOf, type Origin } from './origin.ts';
import { Outages } from './outages.ts';
import { probeByWriting } from './probe.ts';
import { statusOf } from './status.ts';
import { Timeline } from './timeline.ts';

export interface KubernetesStoreOptions {
  readonly world: World;
  readonly telemetry?: Telemetry | undefined;
  readonly access: StoreAccess;
  /** The namespace of this installation. */
  readonly namespace: string;
  /** The kinds that can own objects. Owners that were moved from another store are found by them. */
  readonly kinds?: readonly Kind[] | undefined;
  /** How often an idle watch gets a bookmark. */
  readonly bookmark_ms?: number | undefined;
  /** Called with each request to the API server. */
  readonly observe?: ((call: ClusterCall) => void) | undefined;
  /**
   * Called when the API server has an older state than before. The store can no longer be used, and everything that the
   * process has read from it may be wrong.
   */
  readonly lost?: ((problem: Problem) => void) | undefined;
}

/** A store of this engine, and the operations that only tools use. */
export interface KubernetesStore extends Store, AdoptingStore {
  /** All objects of these kinds at one version. Fails with `expired` if the API server removes it meanwhile. */
  snapshot(kinds: readonly Kind[]): AsyncIterable<StoredObject>;
}

/** One watch of the API server, and the watches of this process that read it. */
interface Shared {
  readonly stream: KindStream;
  readonly watches: Set<Watch>;
}

/** An object that was returned to a caller, or arrived with a watch. */
interface Recent {
  readonly object: Resource;
  /** When the API server was asked for it. Undefined if it arrived with a watch, which can be late. */
  readonly asked_ms: number | undefined;
}

/** A read in progress. */
interface Asking {
  readonly asked_ms: number;
  readonly answer: Promise<Resource | undefined>;
}

/** A Store whose objects are custom resources of a Kubernetes API server. Any number of processes can share it. */
export class KubernetesEngine implements KubernetesStore {
  readonly sole = false;
  readonly #world: World;
  readonly #outages: Outages;
  readonly #client: ClusterClient;
  readonly #namespace: string;
  readonly #timeline: Timeline;
  readonly #owning: ReadonlyMap<string, Kind>;
  readonly #instruments: Instruments;
  readonly #probe: SharedProbe;
  readonly #bookmark_ms: number;
  readonly #streams = new Map<string, Shared>();
  /** All objects of a kind, for kinds that were listed with `cached`. */
  readonly #caches = new Map<string, KindCache>();
  /** The latest version of an object that this process wrote or read, by kind. */
  readonly #seen = new Map<string, number>();
  /** Recently returned objects, for writers that name their version, and for reads that may be a little old. */
  readonly #recent: LRUCache<string, Recent>;
  /** Reads in progress whose answer may be a little old. Later ones share it, unless this process writes the object. */
  readonly #asking = new Map<string, Asking>();
  /** How many objects this process has removed, by kind. */
  readonly #removals = new Map<string, number>();
  /** The state before a change of this process, by the version that the change made. */
  readonly #predecessors = new LRUCache<string, Resource>({ max: internalLimits.kubernetesPredecessors });
  #cancelBookmark: Cancel | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: KubernetesStoreOptions) {
    const { world, telemetry, access, namespace, kinds = [], bookmark_ms = waits.bookmark_ms, observe, lost } = options;
    this.#world = world;
    this.#outages = new Outages(world, telemetry?.log);
    this.#namespace = namespace;
    this.#bookmark_ms = bookmark_ms;
    this.#timeline = new Timeline((problem) => {
      this.#client.condemn(problem);
      this.#probe.condemn(problem);
      this.#endWatches(problem);
      lost?.(problem);
    });
    this.#owning = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
    this.#client = new ClusterClient(world, access, observe);
    this.#instruments = new Instruments(telemetry);
    this.#probe = new SharedProbe(world, () => probeByWriting({ client: this.#client, world, namespace }));
    this.#recent = new LRUCache({ maxSize: limits.recentBytes });
  }

  create<K extends Kind>(kind: K, draft: Draft<K>): Promise<Resource<K>>;
  create(kind: Kind, draft: Draft): Promise<Resource> {
    return this.#instruments.observe('create', kind, async () => {
      admit(kind, draft);
      const object = created(kind, draft, { uid: '', now: this.#world.now(), traceparent: activeTraceparent() });
      const body = encodeObject(kind, object, await this.#originFor(object));
      assertFits(kind, object, body);
      const { name } = draft.metadata;
      const send = async () => {
        const answer = await this.#client.send({ method: 'POST', path: this.#collection(kind), body });
        if (answer.status === 409) throw new Problem('conflict', `${name} already exists`);
        return this.#stored(kind, name, answer);
      };
      return this.#client.settle(send, (refusal) => this.#alreadyWritten(kind, object, refusal));
    });
  }

  get<K extends Kind>(kind: K, name: string, options?: GetOptions): Promise<Resource<K> | undefined>;
  async get(kind: Kind, name: string, { cached, maxAge_ms }: GetOptions = {}): Promise<Resource | undefined> {
    const cache = cached && !kind.archive ? this.#cache(kind) : undefined;
    if (cache?.knowsOwn) return cache.get(name);
    return maxAge_ms === undefined ? this.#read(kind, name) : this.#readShared(kind, name, maxAge_ms);
  }

  list<K extends Kind>(kind: K, query?: ListQuery): Promise<Page<K>>;
  list(kind: Kind, query: ListQuery = {}): Promise<Page<Kind>> {
    return this.#instruments.observe(
      'list',
      kind,
      async () =>
        (query.cached && !kind.archive ? await this.#cachedPage(kind, query) : undefined) ??
        listPage(this.#listing(kind), query),
    );
  }

  countUpTo(kind: Kind, selector: Selector, most: number, { cached }: ReadOptions = {}): Promise<number> {
    return this.#instruments.observe('count', kind, async () => {
      const cache = cached && !kind.archive ? this.#cache(kind) : undefined;
      return (await cache?.reaches(this.#seen.get(kind.id) ?? 0))
        ? (cache?.countUpTo(selector, most) ?? 0)
        : countUpTo(this.#listing(kind), selector, most);
    });
  }

  update<K extends Kind>(kind: K, change: Change<K>): Promise<Resource<K>>;
  update(kind: Kind, change: Change<Kind>): Promise<Resource> {
    return this.#instruments.observe('update', kind, async () => {
      const previous = await this.#current(kind, change.metadata);
      admit(kind, { metadata: change.metadata, spec: change.spec, status: previous.status }, previous);
      const next = updated(previous, change, activeTraceparent());
      // An unchanged object is sent too: the answer says whether it still has this version, and nothing is written.
      const wanted = next.type === 'unchanged' ? previous : next.object;
      const origin = await this.#originFor(wanted, previous);
      const metadata = { ...wanted.metadata, uid: assignedUid(previous) };
      const body = encodeObject(kind, { metadata, spec: wanted.spec }, origin);
      assertFits(kind, wanted, body);
      const request = { method: 'PUT', path: this.#path(kind, change.metadata.name), body } as const;
      const stored = await this.#client.settle(
        () => this.#replace(kind, previous, request),
        (refusal) =>
          next.type === 'removed' && isProblem(refusal, 'not_found')
            ? Promise.resolve(wanted)
            : this.#alreadyWritten(kind, wanted, refusal),
      );
      if (next.type === 'removed') this.#forget(kind, stored.metadata.name, assignedUid(previous));
      return stored;
    });
  }

  updateStatus<K extends Kind>(kind: K, change: StatusChange<K>): Promise<Resource<K>>;
  updateStatus(kind: Kind, change: StatusChange<Kind>): Promise<Resource> {
    return this.#instruments.observe('updateStatus', kind, async () => {
      const previous = await this.#current(kind, change.metadata, change.of);
      admit(kind, { metadata: previous.metadata, spec: previous.spec, status: change.status }, previous);
      const next = statusUpdated(previous, change);
      const wanted = next.type === 'unchanged' ? previous : next.object;
      const metadata = { ...wanted.metadata, uid: assignedUid(previous) };
      const body = encodeObject(kind, { ...wanted, metadata }, originOf(previous));
      assertFits(kind, wanted, body);
      const request = { method: 'PUT', path: `${this.#path(kind, change.metadata.name)}/status`, body } as const;
      return this.#client.settle(
        () => this.#replace(kind, previous, request),
        (refusal) => this.#alreadyWritten(kind, wanted, refusal, isReportedAs),
      );
    });
  }

  delete<K extends Kind>(kind: K, name: string, options?: DeleteOptions): Promise<Resource<K> | undefined>;
  delete(kind: Kind, name: string, { propagation, preconditions }: DeleteOptions = {}): Promise<Resource | undefined> {
    return this.#instruments.observe('delete', kind, async () => {
      const body = JSON.stringify({
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: preconditions && (await this.#assigned(kind, name, preconditions)),
        propagationPolicy: propagation && { background: 'Background', foreground: 'Foreground' }[propagation],
      });
      const send = () => this.#remove(kind, name, body, preconditions !== undefined);
      // If an earlier attempt took effect, the object is gone, or it has another version because it is marked.
      return this.#client.settle(send, async (refusal) => {
        const current = isProblem(refusal, 'conflict') ? await this.get(kind, name) : undefined;
        if (current?.metadata.deletionTimestamp === undefined) throw refusal;
        return current;
      });
    });
  }

  watch<K extends Kind>(kind: K, query: WatchQuery): AsyncIterable<WatchEvent<K>>;
  watch(kind: Kind, query: WatchQuery): AsyncIterable<WatchEvent<Kind>> {
    const { watchers, expired } = this.#instruments.metrics;
    // To Kubernetes, 0 is any version, and not the beginning.
    if (!(Number(query.from) > 0)) return refusedWatch(query.from);
    const from = parsePosition(query.from);
    const shared = this.#shared(kind, from);
    const ended = (watch: Watch, error?: unknown) => {
      shared.watches.delete(watch);
      watchers.dec({ kind: kind.id });
      if (isProblem(error, 'expired')) expired.inc({ kind: kind.id });
      if (shared.watches.size === 0) this.#endStream(kind, shared);
    };
    const watch = new Watch({ kind, query, feed: shared.stream.feed, history: shared.stream.history(), ended });
    shared.watches.add(watch);
    watchers.inc({ kind: kind.id });
    this.#scheduleBookmark();
    return watch;
  }

  probe(): Promise<void> {
    return this.#probe.tell();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#cancelBookmark?.();
    this.#endWatches();
    await this.#client.close();
  }

  #endWatches(error?: Problem): void {
    for (const cache of this.#caches.values()) cache.close();
    for (const { watches } of [...this.#streams.values()]) for (const watch of [...watches]) watch.end(error);
  }

  async adopt(kind: Kind, object: Resource): Promise<void> {
    const { uid, creationTimestamp, deletionTimestamp, generation } = object.metadata;
    const origin = {
      uid,
      creationTimestamp,
      ...defined({ deletionTimestamp }),
      // Kubernetes counts the creation, and the request to delete.
      generation: generation - (deletionTimestamp === undefined ? 1 : 2),
      ...(await this.#originFor(object)),
    };
    const { name, labels, annotations, finalizers, ownerReferences } = object.metadata;
    const metadata = { name, ...defined({ labels, annotations, finalizers, ownerReferences }) };
    const body = encodeObject(kind, { metadata, spec: object.spec }, origin);
    const send = async () => {
      const answer = await this.#client.send({ method: 'POST', path: this.#collection(kind), body });
      return answer.status === 409 ? await this.#adopted(kind, object) : this.#stored(kind, name, answer);
    };
    const stored = await this.#client.settle(send, (refusal) => Promise.reject(toError(refusal)));
    const { status } = object;
    if (status !== undefined && !isDeepStrictEqual(stored.status, status))
      await this.updateStatus(kind, { metadata: stored.metadata, of: stored, status });
  }

  async adoptDeletion(kind: Kind, { metadata: { name } }: Resource): Promise<void> {
    await this.delete(kind, name);
  }

  async *snapshot(kinds: readonly Kind[]): AsyncGenerator<StoredObject> {
    const [first] = kinds;
    if (!first) return;
    const version = await latestVersion(this.#listing(first));
    for (const kind of kinds)
      for await (const object of objectsAt(this.#listing(kind), version)) yield { kind, object };
  }

  /** An object that an interrupted run has written. */
  async #adopted(kind: Kind, object: Resource): Promise<Resource> {
    const { name, uid } = object.metadata;
    const stored = await this.get(kind, name);
    if (stored?.metadata.uid === uid && isWrittenAs(stored, object)) return stored;
    throw new Problem('conflict', `${kind.kind} ${name} already exists, and has other content`);
  }

  /**
   * The origin of an object that is written: that of the stored object, and the uids of owners that were moved. An
   * owner was nearly always read shortly before.
   */
  async #originFor({ metadata: { ownerReferences = [] } }: Resource, previous?: Resource): Promise<Origin> {
    const { owners: known = {}, ...origin } = previous ? originOf(previous) : {};
    const before = new Set(previous?.metadata.ownerReferences?.map(({ uid }) => uid));
    const owners: Record<string, string> = {};
    for (const reference of ownerReferences) {
      const { uid } = reference;
      const assigned = before.has(uid)
        ? Object.keys(known).find((each) => known[each] === uid)
        : await this.#assignedTo(reference);
      if (assigned !== undefined && assigned !== uid) owners[assigned] = uid;
    }
    return Object.keys(owners).length === 0 ? origin : { ...origin, owners };
  }

  /** The uid of an owner in Kubernetes; undefined if the owner does not exist, or its kind is not known. */
  async #assignedTo({ apiVersion, kind: name, ...owner }: OwnerReference): Promise<string | undefined> {
    const kind = this.#owning.get(`${apiVersion.slice(0, apiVersion.lastIndexOf('/'))}/${name}`);
    const recent = kind && this.#recent.get(keyOf(kind, owner.name))?.object;
    const current = recent?.metadata.uid === owner.uid ? recent : kind && (await this.get(kind, owner.name));
    return current?.metadata.uid === owner.uid ? assignedUid(current) : undefined;
  }

  /** Preconditions with the uid that the object has in Kubernetes. */
  async #assigned(
    kind: Kind,
    name: string,
    { uid, ...preconditions }: NonNullable<DeleteOptions['preconditions']>,
  ): Promise<DeleteOptions['preconditions']> {
    if (uid === undefined) return preconditions;
    const recent = this.#recent.get(keyOf(kind, name))?.object;
    const current = recent?.metadata.uid === uid ? recent : await this.get(kind, name);
    return { ...preconditions, uid: current?.metadata.uid === uid ? assignedUid(current) : uid };
  }

  #collection(kind: Kind): string {
    return collectionPath(kind, this.#namespace);
  }

  #path(kind: Kind, name: string): string {
    return `${this.#collection(kind)}/${encodeURIComponent(name)}`;
  }

  #listing(kind: Kind) {
    return { client: this.#client, namespace: this.#namespace, timeline: this.#timeline, kind };
  }

  #cache(kind: Kind): KindCache {
    const known = this.#caches.get(kind.id);
    if (known) return known;
    const cache = new KindCache({
      world: this.#world,
      kind,
      outages: this.#outages,
      list: (query) => listPage(this.#listing(kind), query),
      watch: (from, signal) => this.watch(kind, { from, signal }),
      isConnected: () => this.#streams.get(kind.id)?.stream.isConnected ?? false,
      reconnect: () => this.#streams.get(kind.id)?.stream.reconnect(),
    });
    this.#caches.set(kind.id, cache);
    return cache;
  }

  /** A page from the cache; undefined if the cache is incomplete, or too far behind. */
  async #cachedPage(kind: Kind, query: ListQuery): Promise<Page<Kind> | undefined> {
    const { selector = [], limit = Infinity, bytes = Infinity } = query;
    const start = query.continue === undefined ? undefined : parseContinueToken(kind, selector, query.continue);
    // The token of an API server only continues there.
    if (!(limit >= 1) || start?.next !== undefined) return undefined;
    const cache = this.#cache(kind);
    // To read everything takes as long as to fill the cache, and then both have the same objects.
    if (selector.length === 0 && limit > 1) await cache.whenComplete();
    if (!(await cache.reaches(Math.max(this.#seen.get(kind.id) ?? 0, Number(start?.version ?? 0))))) return undefined;
    const version = start?.version ?? String(cache.position);
    const { items, isPart } = cache.part({ selector, after: start?.after ?? '', limit, bytes });
    const last = items.at(-1)?.metadata.name;
    return {
      items,
      resourceVersion: version,
      ...(isPart && last !== undefined ? { continue: continueToken(kind, selector, { version, after: last }) } : {}),
    };
  }

  async #read(kind: Kind, name: string): Promise<Resource | undefined> {
    const asked_ms = this.#world.monotonic_ms();
    const removals = this.#removals.get(kind.id);
    const answer = await this.#client.send({ method: 'GET', path: this.#path(kind, name) });
    // An answer from before a removal of this process must not be used again.
    if (!isMissing(answer, name))
      return this.#stored(kind, name, answer, removals === this.#removals.get(kind.id) ? asked_ms : undefined);
    this.#recent.delete(keyOf(kind, name));
    return undefined;
  }

  /** The answer of a request that was sent at most this long ago, whether it has arrived or not. */
  async #readShared(kind: Kind, name: string, maxAge_ms: number): Promise<Resource | undefined> {
    const key = keyOf(kind, name);
    const now_ms = this.#world.monotonic_ms();
    const recent = this.#recent.get(key);
    if (recent?.asked_ms !== undefined && now_ms - recent.asked_ms <= maxAge_ms) return recent.object;
    const others = this.#asking.get(key);
    if (others && now_ms - others.asked_ms <= maxAge_ms) return others.answer;
    const own = { asked_ms: now_ms, answer: this.#read(kind, name) };
    this.#asking.set(key, own);
    try {
      return await own.answer;
    } finally {
      if (this.#asking.get(key) === own) this.#asking.delete(key);
    }
  }

  /** The object of an answer. `asked_ms` is the time of a read, or a time before it; undefined for a write. */
  #stored(kind: Kind, name: string, answer: Answer, asked_ms?: number): Resource {
    if (answer.status !== 200 && answer.status !== 201) throw refusalOf(answer, { kind: kind.kind, name });
    const object = decodeObject(kind, asResource(answer.body));
    this.#timeline.saw(kind, object.metadata.resourceVersion);
    if (asked_ms === undefined) this.#asking.delete(keyOf(kind, name));
    this.#remember(kind, object, answer.length, asked_ms);
    this.#caches.get(kind.id)?.learn(object);
    this.#seen.set(kind.id, Math.max(this.#seen.get(kind.id) ?? 0, Number(object.metadata.resourceVersion)));
    return object;
  }

  /** Answers and events can arrive in another order than the changes. A newer state stays. */
  #remember(kind: Kind, object: Resource, length: number, asked_ms?: number): void {
    const key = keyOf(kind, object.metadata.name);
    const known = this.#recent.get(key);
    const order = known && compareVersions(known.object.metadata.resourceVersion, object.metadata.resourceVersion);
    if (order !== undefined && (order > 0 || (order === 0 && asked_ms === undefined))) return;
    this.#recent.set(key, { object, asked_ms }, { size: Math.max(1, length) });
  }

  /** The object does not exist any more. */
  #drop(key: string): void {
    this.#recent.delete(key);
    this.#asking.delete(key);
  }

  /** This process has removed the object. */
  #forget(kind: Kind, name: string, assigned: string): void {
    this.#removals.set(kind.id, (this.#removals.get(kind.id) ?? 0) + 1);
    this.#drop(keyOf(kind, name));
    this.#caches.get(kind.id)?.forget(assigned);
  }

  /** The object with the version that a writer read, without a request if it was returned recently. */
  async #current(
    kind: Kind,
    { name, resourceVersion }: { readonly name: string; readonly resourceVersion: string },
    known?: Resource,
  ): Promise<Resource> {
    const recent = known && Object.isFrozen(known) ? known : this.#recent.get(keyOf(kind, name))?.object;
    if (recent?.metadata.resourceVersion === resourceVersion) return recent;
    const current = await this.get(kind, name);
    if (!current) throw missing(name);
    assertCurrent(current, resourceVersion);
    return current;
  }

  async #replace(kind: Kind, previous: Resource, request: ClusterRequest): Promise<Resource> {
    const { name, resourceVersion } = previous.metadata;
    const answer = await this.#client.send(request);
    if (isMissing(answer, name)) throw missing(name);
    if (answer.status === 409) throw changedMeanwhile(name);
    const stored = this.#stored(kind, name, answer);
    if (stored.metadata.resourceVersion !== resourceVersion)
      this.#predecessors.set(stored.metadata.resourceVersion, previous);
    return stored;
  }

  /** A refusal after an attempt without an answer: that attempt may have written the object. */
  async #alreadyWritten(
    kind: Kind,
    written: Resource,
    refusal: unknown,
    isSame: typeof isWrittenAs = isWrittenAs,
  ): Promise<Resource> {
    if (!isProblem(refusal, 'conflict')) throw refusal;
    const current = await this.get(kind, written.metadata.name);
    if (current && isSame(current, written)) return current;
    throw refusal;
  }

  async #remove(kind: Kind, name: string, body: string, conditional: boolean): Promise<Resource | undefined> {
    while (true) {
      const answer = await this.#client.send({ method: 'DELETE', path: this.#path(kind, name), body });
      if (isMissing(answer, name)) {
        this.#drop(keyOf(kind, name));
        return undefined;
      }
      if (answer.status === 409 && !conditional) continue;
      const removed = answer.status === 200 ? statusOf(answer.body) : undefined;
      if (removed) {
        this.#forget(kind, name, removed.details?.uid ?? '');
        return undefined;
      }
      return this.#stored(kind, name, answer);
    }
  }

  #shared(kind: Kind, from: number): Shared {
    const known = this.#streams.get(kind.id);
    if (known) return known;
    const stream = new KindStream({
      world: this.#world,
      client: this.#client,
      namespace: this.#namespace,
      timeline: this.#timeline,
      kind,
      outages: this.#outages,
      from,
      predecessorOf: (version) => this.#predecessors.get(version),
      received: (object, length) => {
        this.#remember(kind, object, length);
      },
    });
    const shared = { stream, watches: new Set<Watch>() };
    this.#streams.set(kind.id, shared);
    return shared;
  }

  #endStream(kind: Kind, { stream }: Shared): void {
    stream.close();
    this.#streams.delete(kind.id);
  }

  #scheduleBookmark(): void {
    this.#cancelBookmark ??= this.#world.after(this.#bookmark_ms, () => {
      this.#cancelBookmark = undefined;
      const all = [...this.#streams.values()];
      this.#instruments.metrics.lag.set(
        Math.max(0, ...all.flatMap(({ watches }) => [...watches].map(({ lag }) => lag))),
      );
      for (const { stream } of all) stream.feed.bookmark();
      if (all.length > 0) this.#scheduleBookmark();
    });
  }
}

/** It fails when it is read, as every other watch. */
function refusedWatch(from: string): AsyncIterable<WatchEvent<Kind>> {
  const next = async () => {
    await Promise.resolve();
    parsePosition(from);
    throw new Problem('expired', 'this version is no longer stored: list, and watch from the version of the list');
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function keyOf(kind: Kind, name: string): string {
  return `${kind.id}/${name}`;
}

function missing(name: string): Problem {
  return new Problem('not_found', `${name} does not exist`);
}
