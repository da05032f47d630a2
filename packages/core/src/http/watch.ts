import { createHash } from 'node:crypto';

import { defined } from '../defined.ts';
import { isProblem, toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import { compareVersions, type Store, type WatchEvent } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { mayRead, type Item } from './item-access.ts';
import { pagesOf } from './page.ts';
import type { Request, ServerEvent } from './request.ts';
import type { View } from './view.ts';

/** The objects that a caller may see at the moment. */
interface VisibleScope {
  readonly view: View;
  /** Changes when the visible scope changes. A position from another scope cannot be resumed. */
  readonly fingerprint: string;
  readonly expiresAt: number;
}

interface Source {
  readonly kind: Kind;
  /** Only the object of this name. */
  readonly name?: string;
  readonly store: Store;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly present: (object: Resource) => unknown;
  readonly look: (request: Request) => View;
  /** Whether only objects that are added from now on are shown. */
  readonly additionsOnly?: boolean;
}

/** Streams a collection: the existing objects, the marker `synced`, then every change. */
export function watchCollection(
  collection: {
    readonly kind: Kind;
    readonly view: (request: Request) => View;
    readonly present: (object: Resource) => unknown;
  },
  request: Request,
): AsyncIterable<ServerEvent> {
  const { store, world } = request.runtime;
  return new Watch(
    { kind: collection.kind, store, world, signal: request.signal, present: collection.present, look: collection.view },
    request,
  ).events();
}

/**
 * The objects that are added to a collection from now on, or since the position of the client: `synced`, then `added`.
 * This is for collections of which a client shows only the newest objects, and whose objects do not change.
 */
export function watchAdditions(
  collection: {
    readonly kind: Kind;
    readonly view: (request: Request) => View;
    readonly present: (object: Resource) => unknown;
  },
  request: Request,
): AsyncIterable<ServerEvent> {
  const { kind, present, view: look } = collection;
  const { store, world } = request.runtime;
  return new Watch(
    { kind, store, world, signal: request.signal, present, look, additionsOnly: true },
    request,
  ).events();
}

/** Streams one object. */
export function watchItem(
  { item, present }: { readonly item: Item; readonly present: (object: Resource) => unknown },
  request: Request,
): AsyncIterable<ServerEvent> {
  const { store, world } = request.runtime;
  const look = (current: Request): View => ({ selector: [], visible: (object) => mayRead(item, object, current) });
  return new Watch(
    { kind: item.kind, name: request.params[item.param] ?? '', store, world, signal: request.signal, present, look },
    request,
  ).events();
}

/** The event for a client that has seen `known`; `reset` when that cannot be decided. */
export type Meaning = 'added' | 'modified' | 'deleted' | 'reset' | 'nothing';

interface Known {
  /** By name, the version that was sent to the client, or '0' when it was sent in an earlier connection. */
  readonly versions: ReadonlyMap<string, string>;
  /** Changes up to this version are ones that the client missed while it was disconnected. */
  readonly awayUntil: string;
}

export function meaningOf(
  event: Exclude<WatchEvent<Kind>, { type: 'bookmark' }>,
  known: Known,
  visible: (object: Resource) => boolean,
): Meaning {
  const { name, resourceVersion } = event.object.metadata;
  const shown = known.versions.get(name);
  const away = compareVersions(resourceVersion, known.awayUntil) <= 0;
  if (shown !== undefined && compareVersions(resourceVersion, shown) <= 0) return 'nothing';
  if (event.type !== 'deleted' && visible(event.object))
    return away ? event.type : shown === undefined ? 'added' : 'modified';
  if (shown !== undefined) return 'deleted';
  if (!away) return 'nothing';
  if (event.type === 'deleted') return visible(event.object) ? 'deleted' : 'nothing';
  return 'reset';
}

class Watch {
  readonly #source: Source;
  readonly #request: Request;
  #scope: VisibleScope;
  #versions = new Map<string, string>();
  #awayUntil = '0';
  #position = '0';
  /** The present scope, once it differs from the one of the stream. */
  #renewed: VisibleScope | undefined;
  /** Whether the caller has no access any more. */
  #denied = false;
  /** Ends the present section of the watch. */
  #interrupt = () => {};

  constructor(source: Source, request: Request) {
    this.#source = source;
    this.#request = request;
    this.#scope = this.#scopeOf(request);
  }

  async *events(): AsyncGenerator<ServerEvent> {
    const ended = new AbortController();
    void this.#guard(AbortSignal.any([ended.signal, this.#source.signal]));
    try {
      yield* this.#begin();
      while (!this.#over()) {
        yield* this.#follow();
        if (this.#over()) return;
        const { fingerprint } = this.#scope;
        this.#scope = this.#renewed ?? this.#scope;
        this.#renewed = undefined;
        if (this.#scope.fingerprint !== fingerprint && !this.#source.additionsOnly) yield* this.#synchronise();
        yield this.#event('bookmark', {});
      }
    } finally {
      ended.abort();
    }
  }

  /** Checks the access of the caller again and again, also while the stream waits for a change. */
  async #guard(signal: AbortSignal): Promise<void> {
    const { world } = this.#source;
    for (;;) {
      await world.sleep(waits.reauthorization_ms, signal);
      if (signal.aborted) return;
      const renewed = await this.#lookAgain();
      const { fingerprint, expiresAt } = this.#renewed ?? this.#scope;
      this.#denied = renewed === undefined;
      if (renewed && renewed.fingerprint === fingerprint && renewed.expiresAt === expiresAt) continue;
      this.#renewed = renewed;
      this.#interrupt();
      if (this.#denied) return;
    }
  }

  #over(): boolean {
    return this.#denied || this.#source.signal.aborted || this.#source.world.now() >= this.#scope.expiresAt;
  }

  /** Resumes at the client's position if possible. Otherwise it tells the client to start again. */
  async *#begin(): AsyncGenerator<ServerEvent> {
    const claimed = this.#request.headers['last-event-id'];
    if (claimed === undefined || claimed === '') yield* this.#synchronise();
    else if (!(await this.#resume(String(claimed)))) yield* this.#startOver();
  }

  async #resume(claimed: string): Promise<boolean> {
    const [, position, fingerprint] = /^(\d{1,30})\.([0-9a-f]{16})$/.exec(claimed) ?? [];
    if (position === undefined || fingerprint !== this.#scope.fingerprint) return false;
    this.#position = position;
    if (this.#source.additionsOnly) return compareVersions(position, await this.#head()) <= 0;
    for await (const { objects, version } of this.#snapshot()) {
      this.#awayUntil = version;
      for (const object of objects) this.#versions.set(object.metadata.name, '0');
    }
    return compareVersions(position, this.#awayUntil) <= 0;
  }

  async *#startOver(): AsyncGenerator<ServerEvent> {
    yield { event: 'reset', data: {} };
    this.#versions.clear();
    this.#awayUntil = '0';
    yield* this.#synchronise();
  }

  /**
   * Sends the difference between the client's state and the current state. These events have no position: a client that
   * loses its connection here starts here again. A watched item was there when the route checked it, so it is reported
   * as deleted if it is no longer there.
   */
  async *#synchronise(): AsyncGenerator<ServerEvent> {
    if (this.#source.additionsOnly) {
      this.#position = await this.#head();
      yield this.#event('synced', {});
      return;
    }
    const { name: item } = this.#source;
    const before = this.#versions;
    const expected = new Set(item === undefined ? before.keys() : [item]);
    this.#versions = new Map();
    let from: string | undefined;
    for await (const { objects, version } of this.#snapshot()) {
      from ??= version;
      for (const object of objects) {
        const { name, resourceVersion } = object.metadata;
        const shown = before.get(name);
        const isNew = shown !== resourceVersion;
        const data = isNew ? this.#presented(object) : undefined;
        const isShown = !isNew || data !== undefined;
        if (isShown || shown === undefined) expected.delete(name);
        if (!isShown) continue;
        this.#versions.set(name, resourceVersion);
        if (data !== undefined) yield { event: shown === undefined ? 'added' : 'modified', data };
      }
    }
    for (const name of expected) yield { event: 'deleted', data: gone(name) };
    this.#position = from ?? '0';
    yield this.#event('synced', {});
  }

  /** Sends changes until the next heartbeat is due. */
  async *#follow(): AsyncGenerator<ServerEvent> {
    const { kind, name, store } = this.#source;
    const { signal, end } = this.#segment();
    try {
      const changes = store.watch(kind, {
        from: this.#position,
        selector: this.#scope.view.selector,
        signal,
        ...defined({ name }),
      });
      for await (const change of changes) {
        if (change.type === 'bookmark') this.#position = change.resourceVersion;
        else {
          const event = this.#told(change);
          if (event === 'reset') yield* this.#startOver();
          else if (event) yield event;
        }
      }
    } catch (error) {
      if (!isProblem(error, 'expired')) throw error;
      yield* this.#startOver();
    } finally {
      end();
    }
  }

  /** The event that tells of a change, if the client is to be told of it. */
  #told(change: Exclude<WatchEvent<Kind>, { type: 'bookmark' }>): ServerEvent | 'reset' | undefined {
    const { name, resourceVersion } = change.object.metadata;
    const meaning = this.#meaningOf(change);
    if (meaning === 'reset') return meaning;
    this.#position = resourceVersion;
    if (meaning === 'nothing') return undefined;
    if (meaning === 'deleted') {
      this.#versions.delete(name);
      return this.#event(meaning, gone(name));
    }
    const data = this.#presented(change.object);
    if (data === undefined) return undefined;
    if (!this.#source.additionsOnly) this.#versions.set(name, resourceVersion);
    return this.#event(meaning, data);
  }

  #meaningOf(change: Exclude<WatchEvent<Kind>, { type: 'bookmark' }>): Meaning {
    const { visible } = this.#scope.view;
    if (this.#source.additionsOnly) return change.type === 'added' && visible(change.object) ? 'added' : 'nothing';
    return meaningOf(change, { versions: this.#versions, awayUntil: this.#awayUntil }, visible);
  }

  /** The version of the latest change. */
  async #head(): Promise<string> {
    const { kind, store } = this.#source;
    return (await store.list(kind, { limit: 1, cached: true })).resourceVersion;
  }

  /** Undefined for a damaged object that cannot be presented. It must not stop the events of other objects. */
  #presented(object: Resource): unknown {
    try {
      return this.#source.present(object);
    } catch (error) {
      const { kind } = this.#source;
      const { name } = object.metadata;
      this.#request.log.error(
        { err: toError(error), kind: kind.id, id: name },
        'an object cannot be shown in a stream',
      );
      return undefined;
    }
  }

  /**
   * A section of the watch: it ends with the stream, at the next heartbeat, when the credentials expire, or when the
   * access of the caller changes.
   */
  #segment(): { readonly signal: AbortSignal; readonly end: () => void } {
    const { world, signal } = this.#source;
    const controller = new AbortController();
    const abort = () => {
      controller.abort();
    };
    const cancel = world.after(Math.min(waits.heartbeat_ms, Math.max(0, this.#scope.expiresAt - world.now())), abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted || this.#renewed || this.#denied) abort();
    this.#interrupt = abort;
    return {
      signal: controller.signal,
      end: () => {
        cancel();
        signal.removeEventListener('abort', abort);
        abort();
      },
    };
  }

  async *#snapshot(): AsyncGenerator<{ readonly objects: readonly Resource[]; readonly version: string }> {
    const { kind, name, store } = this.#source;
    if (name === undefined) {
      for await (const page of pagesOf(this.#source, kind, this.#scope.view))
        yield { objects: page.items, version: page.resourceVersion };
      return;
    }
    const resourceVersion = await this.#head();
    const object = await store.get(kind, name);
    yield { objects: object && this.#scope.view.visible(object) ? [object] : [], version: resourceVersion };
  }

  /** Undefined when the caller has no access any more. An authority that cannot be reached counts as a refusal. */
  async #lookAgain(): Promise<VisibleScope | undefined> {
    try {
      return this.#scopeOf({ ...this.#request, ...(await this.#request.reauthorize()) });
    } catch (error) {
      this.#request.log.info({ error }, 'a stream was closed because its caller is no longer authorised');
      return undefined;
    }
  }

  #scopeOf(request: Request): VisibleScope {
    const { caller, acl, url } = request;
    const digest = createHash('sha256').update(JSON.stringify([caller.subject, caller.principal, acl, url]));
    return {
      view: this.#source.look(request),
      fingerprint: digest.digest('hex').slice(0, 16),
      expiresAt: caller.expiresAt ?? Number.POSITIVE_INFINITY,
    };
  }

  #event(event: ServerEvent['event'], data: unknown): ServerEvent {
    return { event, id: `${this.#position}.${this.#scope.fingerprint}`, data };
  }
}

/**
 * The only data about an object that was deleted or became invisible, because the caller may no longer see its last
 * state.
 */
function gone(name: string): unknown {
  return { metadata: { id: name } };
}
