import { Problem } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { atVersion } from './encoding.ts';
import type { Feed, FeedChange, Wake } from './feed.ts';
import { matches } from './selector.ts';
import type { WatchEvent, WatchQuery } from './store.ts';

/** The log on disk, which a watch reads when it is further behind than the changes in memory. */
export interface History {
  /** The version of the last commit. */
  head(): number;
  /**
   * The oldest changes of the kind after this version, at most a page, as of `head`; undefined if some are no longer
   * stored.
   */
  page(
    kind: Kind,
    after: number,
  ): Promise<{ readonly changes: readonly FeedChange[]; readonly head: number } | undefined>;
}

interface WatchOptions {
  readonly kind: Kind;
  readonly query: WatchQuery;
  readonly feed: Feed;
  readonly history: History;
  /** Called once, when the watch has ended. */
  readonly ended: (watch: Watch, error?: unknown) => void;
}

type Step = IteratorResult<WatchEvent<Kind>, undefined>;

const done: Step = { done: true, value: undefined };

/** A cursor over the changes of a kind. It only stores a position and at most a page, so a slow reader costs little. */
export class Watch implements AsyncIterableIterator<WatchEvent<Kind>, undefined> {
  readonly #options: WatchOptions;
  #page: readonly FeedChange[] = [];
  #taken = 0;
  #position: number | undefined;
  #live = true;
  #interrupt: (() => void) | undefined;
  readonly #end = () => {
    this.end();
  };

  constructor(options: WatchOptions) {
    this.#options = options;
    options.query.signal?.addEventListener('abort', this.#end, { once: true });
  }

  /** Number of changes, of all kinds, that it has not read yet. */
  get lag(): number {
    return this.#interrupt ? 0 : this.#options.feed.head - this.#reached;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    try {
      const event = await this.#advance();
      return event ? { done: false, value: event } : done;
    } catch (error) {
      if (!this.#live) return done;
      this.end(error);
      throw error;
    }
  }

  return(): Promise<Step> {
    this.end();
    return Promise.resolve(done);
  }

  end(error?: unknown): void {
    if (!this.#live) return;
    this.#live = false;
    this.#options.query.signal?.removeEventListener('abort', this.#end);
    this.#interrupt?.();
    this.#options.ended(this, error);
  }

  async #advance(): Promise<WatchEvent<Kind> | undefined> {
    const { kind, query, feed, history } = this.#options;
    if (query.signal?.aborted) this.end();
    this.#position ??= parseFrom(query.from, history);
    while (this.#live) {
      const event = this.#take();
      if (event) return event;
      const incomplete = this.#page[this.#taken];
      if (incomplete) {
        await incomplete.predecessor?.find();
        continue;
      }
      const recent = feed.after(kind.id, this.#reached);
      if (!recent) await this.#catchUp();
      else if (recent.length > 0) this.#turnTo(recent);
      else {
        const wake = await this.#woken();
        this.#position = Math.max(this.#reached, wake.head);
        if (wake.reason === 'bookmark') return { type: 'bookmark', resourceVersion: String(this.#reached) };
      }
    }
    return undefined;
  }

  /** The version up to which all matching changes were returned. */
  get #reached(): number {
    return this.#position ?? this.#options.feed.head;
  }

  #take(): WatchEvent<Kind> | undefined {
    while (true) {
      const change = this.#page[this.#taken];
      if (!change || this.#needsPredecessor(change)) return undefined;
      this.#taken++;
      this.#position = change.version;
      const event = eventOf(change, this.#options.query);
      if (event) return event;
    }
  }

  /** Without a selector, the previous state makes no difference. */
  #needsPredecessor({ predecessor, object }: FeedChange): boolean {
    const { name, selector } = this.#options.query;
    if (!predecessor || predecessor.known || !selector?.length) return false;
    return name === undefined || name === object.metadata.name;
  }

  async #catchUp(): Promise<void> {
    const { kind, history } = this.#options;
    const page = await history.page(kind, this.#reached);
    if (!page)
      throw new Problem(
        'expired',
        `changes after version ${this.#reached} are no longer stored: list again, and watch from the version that the list returns`,
      );
    this.#turnTo(page.changes);
    if (page.changes.length === 0) this.#position = page.head;
  }

  #turnTo(page: readonly FeedChange[]): void {
    this.#page = page;
    this.#taken = 0;
  }

  #woken(): Promise<Wake> {
    const { kind, feed } = this.#options;
    return new Promise((resolve) => {
      const woken = (wake: Wake) => {
        this.#interrupt = undefined;
        resolve(wake);
      };
      const cancel = feed.next(kind.id, woken);
      this.#interrupt = () => {
        cancel();
        woken({ reason: 'end', head: this.#reached });
      };
    });
  }
}

/** The version as a number. */
export function parsePosition(from: string): number {
  if (!/^\d{1,15}$/.test(from))
    throw new Problem(
      'invalid_request',
      `${from} is not a resource version: use one from a list, an event or a bookmark`,
    );
  return Number(from);
}

function parseFrom(from: string, history: History): number {
  const position = parsePosition(from);
  // A version above the head was returned before the state was replaced by a backup. The changes since then are not
  // known.
  if (position > history.head())
    throw new Problem(
      'expired',
      `version ${from} is unknown: list again, and watch from the version that the list returns`,
    );
  return position;
}

/** The event for a watcher of a selection. An object that leaves the selection is shown in its last state inside it. */
function eventOf(
  { version, type, object, predecessor, previous = predecessor?.object }: FeedChange,
  { name, selector }: WatchQuery,
): WatchEvent<Kind> | undefined {
  if (name !== undefined && name !== object.metadata.name) return undefined;
  const selected = (state: Resource) => matches(selector, state.metadata.labels);
  const before = type !== 'added' && selected(previous ?? object);
  const after = type !== 'deleted' && selected(object);
  if (after) return { type: before ? 'modified' : 'added', object };
  return before ? { type: 'deleted', object: previous ? atVersion(previous, version) : object } : undefined;
}
