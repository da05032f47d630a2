import { isDeepStrictEqual } from 'node:util';

import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { isProblem } from '../../errors/index.ts';
import type { Kind, Resource } from '../../kinds/index.ts';
import { internalLimits, limits, waits } from '../../limits.ts';
import type { World } from '../../world/index.ts';
import { Feed, type FeedChange } from '../feed.ts';
import type { History } from '../watch.ts';
import type { ClusterClient } from './client.ts';
import { refusalOf } from './failure.ts';
import { linesOf } from './lines.ts';
import { latestVersion, objectAt } from './listing.ts';
import { asResource, collectionPath, decodeObject } from './objects.ts';
import type { Outages } from './outages.ts';
import { pauseAfter_ms } from './pauses.ts';
import { RememberedPredecessor } from './predecessor.ts';
import { statusOf } from './status.ts';
import type { Timeline } from './timeline.ts';

const event = Compile(
  Type.Object({
    type: Type.Union(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'].map((type) => Type.Literal(type))),
    object: Type.Unknown(),
  }),
);

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

export interface KindStreamOptions {
  readonly world: World;
  readonly client: Pick<ClusterClient, 'send' | 'stream'>;
  readonly namespace: string;
  readonly kind: Kind;
  readonly timeline: Timeline;
  readonly outages: Outages;
  /** The version of the first watch. */
  readonly from: number;
  /** The state before a change that this process made; undefined if another process made it. */
  readonly predecessorOf: (version: string) => Resource | undefined;
  /** Called with every object that arrives. */
  readonly received: (object: Resource, length: number) => void;
}

/**
 * The changes of one kind, from one watch of the API server, for all watches of this process. When the connection ends,
 * it connects again at the version that it had reached. Each watch only has a position, so a connection that begins at
 * an earlier version gives none of them a gap or a duplicate.
 */
export class KindStream {
  readonly feed: Feed;
  readonly #options: KindStreamOptions;
  readonly #closed = new AbortController();
  /** The last state of objects that changed since the feed began. */
  readonly #last = new LRUCache<string, Resource>({ max: internalLimits.kubernetesLastStates });
  /** What the log calls it. */
  readonly #read: string;
  #connection = new AbortController();
  #isConnected = false;
  /** Every later change has arrived, or will arrive on the present connection. */
  #position: number;
  /** Where the feed began. Changes since then were only dropped if there were too many. */
  #begin: number;
  /** The API server no longer has the changes after this version. */
  #expired = -1;

  constructor(options: KindStreamOptions) {
    this.#options = options;
    this.#read = `the watch of ${options.kind.plural}`;
    this.#position = this.#begin = options.from;
    this.feed = new Feed({
      head: options.from,
      capacity: limits.recentChanges,
      capacity_bytes: limits.kindChangesBytes,
    });
    void this.#run();
  }

  /** The changes that a watch asks for when they are older than the feed. */
  history(): History {
    let first = true;
    return {
      // Only the API server knows the latest version, and it is not asked for every watch.
      head: () => Number.MAX_SAFE_INTEGER,
      page: (_, after) => {
        const mayRewind = first || after < this.#begin;
        first = false;
        if (after <= this.#expired || after === 0 || !mayRewind) return Promise.resolve(undefined);
        if (this.feed.after(this.#options.kind.id, after) === undefined) this.#restart(after);
        return Promise.resolve({ changes: [], head: after });
      },
    };
  }

  /** Gives up the connection, which seems dead, and resumes with another one. */
  reconnect(): void {
    this.#connection.abort();
  }

  /** Whether changes arrive at the moment. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  close(): void {
    this.#closed.abort();
    this.#connection.abort();
  }

  #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Connects again at this version. */
  #restart(version: number): void {
    this.#position = this.#begin = version;
    this.#last.clear();
    this.feed.restart(version);
    this.#connection.abort();
  }

  async #run(): Promise<void> {
    const { world, outages } = this.#options;
    let failures = 0;
    for (let connections = 0; !this.#isClosed(); connections++) {
      const connection = (this.#connection = new AbortController());
      const from = this.#position;
      let failure: unknown;
      try {
        // An API server that has an older state than before accepts a version that it does not know, and is silent.
        if (connections > 0) await latestVersion(this.#options);
        await this.#follow(from, connection.signal).finally(() => {
          this.#isConnected = false;
        });
      } catch (thrown) {
        if (this.#isClosed()) return;
        if (connection.signal.aborted) continue;
        failure = thrown;
        if (isProblem(thrown, 'expired')) await this.#expire(from).catch(() => undefined);
        else outages.failed(this.#read, thrown);
      }
      failures = this.#position === from ? failures + 1 : 0;
      if (failures > 0) await world.sleep(pauseAfter_ms(failure, failures - 1, world.random()), this.#closed.signal);
    }
  }

  /** Every watch that needs changes after this version ends with `expired`. The others go on. */
  async #expire(from: number): Promise<void> {
    this.#expired = Math.max(this.#expired, from);
    const latest = Number(await latestVersion(this.#options));
    if (this.#position === from) this.#restart(Math.max(latest, from + 1));
  }

  async #follow(from: number, connection: AbortSignal): Promise<void> {
    const { world, client, kind, namespace } = this.#options;
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: String(from),
      timeoutSeconds: String(Math.round((waits.kubernetesWatch_ms / 1000) * (1 + world.random()))),
    });
    const path = `${collectionPath(kind, namespace)}?${query.toString()}`;
    const { status, chunks } = await client.stream(path, AbortSignal.any([connection, this.#closed.signal]));
    this.#isConnected = status === 200;
    if (this.#isConnected) this.#options.outages.worked(this.#read);
    for await (const lines of linesOf(chunks)) {
      // A refusal is one line too.
      if (status !== 200) throw refusalOf({ status, body: parse(lines.join('\n')), length: 0 }, { kind: kind.kind });
      for (const line of lines) {
        if (connection.aborted) return;
        this.#receive(line);
      }
    }
    if (status !== 200) throw refusalOf({ status, body: '', length: 0 }, { kind: kind.kind });
  }

  #receive(line: string): void {
    const { kind, received } = this.#options;
    const value = parse(line);
    if (!event.Check(value)) throw new Error('the API server sent an event of unknown form');
    const { type, object } = value;
    if (type === 'ERROR')
      throw refusalOf({ status: statusOf(object)?.code ?? 500, body: object, length: 0 }, { kind: kind.kind });
    const version = Number(asResource(object).metadata.resourceVersion);
    this.#options.timeline.saw(kind, String(version));
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      if (version <= this.#position) return;
      const decoded = decodeObject(kind, asResource(object));
      this.#position = version;
      this.feed.announce(kind.id, this.#change(types[type], version, decoded, line.length));
      if (type === 'DELETED') this.#last.delete(decoded.metadata.name);
      else {
        this.#last.set(decoded.metadata.name, decoded);
        received(decoded, line.length);
      }
    } else if (version > this.#position) {
      this.#position = version;
      this.feed.advance(version);
    }
  }

  #change(type: FeedChange['type'], version: number, object: Resource, bytes: number): FeedChange {
    const change = { version, type, object, bytes };
    if (type !== 'modified') return change;
    const { name } = object.metadata;
    const previous = this.#last.get(name) ?? this.#options.predecessorOf(object.metadata.resourceVersion);
    if (previous) return sameLabels(previous, object) ? change : { ...change, previous };
    return { ...change, predecessor: new RememberedPredecessor(() => this.#readPredecessor(object, version)) };
  }

  async #readPredecessor(object: Resource, version: number): Promise<Resource | undefined> {
    const previous =
      this.#options.predecessorOf(object.metadata.resourceVersion) ??
      (await objectAt(this.#options, object.metadata.name, version - 1));
    return previous && sameLabels(previous, object) ? undefined : previous;
  }
}

function sameLabels(a: Resource, b: Resource): boolean {
  return isDeepStrictEqual(a.metadata.labels ?? {}, b.metadata.labels ?? {});
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
