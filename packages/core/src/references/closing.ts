import { isDeepStrictEqual } from 'node:util';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { isProblem, Problem, StillInProgress } from '../errors/index.ts';
import type { DeepReadonly, Kind, Metadata, Resource } from '../kinds/index.ts';
import { internalLimits, limits } from '../limits.ts';
import { annotations } from '../resource/index.ts';
import type { DeleteOptions, Store } from '../store/index.ts';
import { preciseTimestamp, type World } from '../world/index.ts';
import { described } from './words.ts';

const Mark = Type.Object({
  /** The user or account that asked for the deletion. */
  by: Type.Optional(Type.String()),
  /** The time of the request. */
  at: Type.String(),
  /** The object that was deleted first, such as `project production`, if it is another object. */
  root: Type.Optional(Type.String()),
  /** Distinguishes requests from each other. */
  request: Type.Optional(Type.String()),
});

/**
 * Who deletes an object, and why. The mark is written before the deletion. Until then it closes the object: no other
 * object may start to use it. Afterwards it is the recorded cause for all objects that are deleted with it.
 */
export type DeletionMark = DeepReadonly<Static<typeof Mark>>;

const mark = Compile(Mark);

interface Deps {
  readonly store: Store;
  readonly world: World;
}

type Object = Pick<Resource, 'metadata'>;

export function deletionMarkOf({ metadata }: Object): DeletionMark | undefined {
  const text = metadata.annotations?.[annotations.deletion];
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return mark.Check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function withDeletionMark<M extends Metadata>(metadata: M, by: DeletionMark | undefined): M {
  const others = Object.entries(metadata.annotations ?? {}).filter(([key]) => key !== annotations.deletion);
  return {
    ...metadata,
    annotations: Object.fromEntries(by ? [...others, [annotations.deletion, JSON.stringify(by)]] : others),
  };
}

/**
 * Whether a request to delete the object is in progress. Requests do not take that long: an older mark was left by a
 * process that died.
 */
function isClosing(object: Object, now: number): boolean {
  const by = deletionMarkOf(object);
  return by !== undefined && isInProgress(by, now);
}

function isInProgress({ at }: DeletionMark, now: number): boolean {
  return now - Date.parse(at) <= limits.closing_ms;
}

/**
 * Refuses an object that does not exist, is being deleted, or is about to be deleted. A mark of a dead process is
 * removed. If that process is alive after all, its deletion fails, because the object has changed since it was closed.
 */
export async function requireOpen({ store, world }: Deps, kind: Kind, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const object = await store.get(kind, name);
    if (!object) throw new Problem('not_found', `${described(kind, { name })} does not exist`);
    if (object.metadata.deletionTimestamp !== undefined)
      throw new Problem('invalid_request', `${described(kind, object.metadata)} is being deleted`);
    if (object.metadata.annotations?.[annotations.deletion] === undefined) return;
    if (isClosing(object, world.now()))
      throw new StillInProgress(`${described(kind, object.metadata)} is about to be deleted: try again in a moment`);
    try {
      await store.update(kind, { metadata: withDeletionMark(object.metadata, undefined), spec: object.spec });
      return;
    } catch (error) {
      if (
        (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) ||
        attempt === internalLimits.closingAttempts
      )
        throw error;
    }
  }
}

export interface DeletionRequest extends Pick<DeleteOptions, 'propagation'> {
  /** The user or account that asks for the deletion. */
  readonly by?: string | undefined;
  /** Checks for reasons against the deletion, and throws if there is one. */
  readonly check: () => Promise<void>;
}

/**
 * Deletes an object on request, if the check does not throw. The object is closed first, so that no other object starts
 * to use it after the check. `object` is the state that the request read: if another request has changed the object
 * since then, the deletion fails with `conflict`.
 *
 * Other requests to delete the same object are no conflict. An object that one of them has closed is closed for all of
 * them, and the first one whose check succeeds deletes it. So none of them takes back the mark of another.
 *
 * @example await requestDeletion({ store, world }, Network, network, { by, check: () => refuseWhileUsed(store, Network, network.metadata) });
 */
export async function requestDeletion(
  deps: Deps,
  kind: Kind,
  object: Resource,
  { by, check, propagation }: DeletionRequest,
): Promise<void> {
  const { store, world } = deps;
  const closing: DeletionMark = {
    at: preciseTimestamp(world.now()),
    request: world.uuid(),
    ...defined({ by }),
  };
  const { name } = object.metadata;
  let seen: Resource = object;
  for (let attempt = 1; ; attempt++) {
    if (seen.metadata.deletionTimestamp !== undefined) return;
    let closed: Resource = seen;
    try {
      if (!isClosing(seen, world.now()))
        closed = await store.update(kind, { metadata: withDeletionMark(seen.metadata, closing), spec: seen.spec });
      await check();
      const { uid, resourceVersion } = closed.metadata;
      await store.delete(kind, name, { ...defined({ propagation }), preconditions: { uid, resourceVersion } });
      return;
    } catch (error) {
      const isRaced = isProblem(error, 'conflict') || isProblem(error, 'not_found');
      // A process that stood still must not begin again: the caller has got no answer, and may not want it any more.
      const mayRepeat = isRaced && attempt < internalLimits.closingAttempts && isInProgress(closing, world.now());
      const now = mayRepeat ? await store.get(kind, name) : undefined;
      if (now && now.metadata.resourceVersion !== closed.metadata.resourceVersion && isSameIntent(now, object)) {
        seen = now;
        continue;
      }
      await reopen(store, kind, name, closing);
      throw error;
    }
  }
}

/** Whether no other request than deletions has changed the object. A status that was written does not count. */
function isSameIntent({ metadata: now }: Object, { metadata: before }: Object): boolean {
  if (now.uid !== before.uid) return false;
  return now.deletionTimestamp !== undefined || isDeepStrictEqual(decisionsIn(now), decisionsIn(before));
}

/** Every deletion writes these. */
const deletionNotes: readonly string[] = [annotations.deletion, annotations.traceparent];

function decisionsIn({ generation, labels, annotations: all = {} }: Metadata): readonly unknown[] {
  const others = Object.entries(all).filter(([key]) => !deletionNotes.includes(key));
  return [generation, labels, Object.fromEntries(others)];
}

/** Removes a mark, unless another request has replaced it. */
async function reopen(store: Store, kind: Kind, name: string, closing: DeletionMark): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const now = await store.get(kind, name);
    if (!now || now.metadata.deletionTimestamp !== undefined || deletionMarkOf(now)?.request !== closing.request)
      return;
    try {
      await store.update(kind, { metadata: withDeletionMark(now.metadata, undefined), spec: now.spec });
      return;
    } catch (error) {
      if (
        (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) ||
        attempt === internalLimits.closingAttempts
      )
        throw error;
    }
  }
}
