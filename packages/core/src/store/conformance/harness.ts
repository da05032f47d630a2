import { afterEach, beforeEach, expect } from 'vitest';

import { isProblem, type ProblemCode } from '../../errors/index.ts';
import type { Kind, Resource } from '../../kinds/index.ts';
import type { Store, WatchEvent, WatchQuery } from '../store.ts';
import { kinds } from './kinds.ts';

/** The functions that an engine provides for the tests. */
export interface StoreHarness {
  /** Operations go through several stores of the same objects in turn. */
  readonly several?: boolean;
  /** A store without objects of these kinds. */
  open(kinds: readonly Kind[]): Promise<StoreUnderTest>;
}

export interface StoreUnderTest {
  readonly store: Store;
  /** Makes every version returned so far too old to watch from. */
  readonly expireHistory: () => Promise<void>;
  /** Lets the time pass until an idle watch gets a bookmark. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A fresh store for every test of the enclosing block. */
export function useStore(harness: StoreHarness): () => StoreUnderTest {
  let current: StoreUnderTest | undefined;
  beforeEach(async () => {
    current = await harness.open(kinds);
  });
  afterEach(() => current?.close());
  return () => {
    if (!current) throw new Error('a store exists while a test runs');
    return current;
  };
}

/** The events of a watch without bookmarks, up to the first one that satisfies the condition. */
export async function eventsUntil<K extends Kind>(
  store: Store,
  kind: K,
  query: WatchQuery,
  last: (event: ObjectEvent<K>) => boolean,
): Promise<ObjectEvent<K>[]> {
  const events: ObjectEvent<K>[] = [];
  for await (const event of store.watch(kind, query)) {
    if (event.type === 'bookmark') continue;
    events.push(event);
    if (last(event)) return events;
  }
  throw new Error('the watch ended early');
}

export type ObjectEvent<K extends Kind> = Exclude<WatchEvent<K>, { type: 'bookmark' }>;

/** Resolves once the object is removed. Garbage collection takes some time. */
export async function gone(store: Store, kind: Kind, name: string): Promise<void> {
  const { resourceVersion } = await store.list(kind);
  if (await store.get(kind, name))
    await eventsUntil(store, kind, { from: resourceVersion, name }, ({ type }) => type === 'deleted');
}

/** Resolves with the object as soon as it satisfies the condition. */
export async function becomes<K extends Kind>(
  store: Store,
  kind: K,
  name: string,
  wanted: (object: Resource<K>) => boolean,
): Promise<Resource<K>> {
  const { resourceVersion } = await store.list(kind);
  const current = await store.get(kind, name);
  if (current && wanted(current)) return current;
  const events = await eventsUntil(
    store,
    kind,
    { from: resourceVersion, name },
    ({ type, object }) => type !== 'deleted' && wanted(object),
  );
  const last = events.at(-1);
  if (!last) throw new Error('the watch ended early');
  return last.object;
}

export async function expectProblem(promise: Promise<unknown>, code: ProblemCode): Promise<void> {
  const outcome = await promise.then(
    () => 'no failure',
    (error: unknown) => (isProblem(error) ? error.code : error),
  );
  expect(outcome).toBe(code);
}

export function names(objects: readonly Resource[]): string[] {
  return objects.map(({ metadata }) => metadata.name);
}
