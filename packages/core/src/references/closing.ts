import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import type { DeepReadonly, Kind, Metadata, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { annotations } from '../resource/index.ts';
import type { DeleteOptions, Store } from '../store/index.ts';
import { preciseTimestamp, type World } from '../world/index.ts';
import { described } from './words.ts';

const Mark = Type.Object({
  /** Who asked for it. */
  by: Type.Optional(Type.String()),
  /** When. */
  at: Type.String(),
  /** The object that was deleted first, such as `project production`, if it is another object. */
  root: Type.Optional(Type.String()),
  /** Tells one request from another. */
  request: Type.Optional(Type.String()),
});

/**
 * Who deletes something, and why. It is written before the deletion. Until then it closes the object: nobody may begin
 * to use it. Afterwards it says why the object goes, to whatever goes with it.
 */
export type DeletionMark = DeepReadonly<Static<typeof Mark>>;

const mark = Compile(Mark);

interface Deps {
  readonly store: Store;
  readonly world: World;
}

type Object = Pick<Resource, 'metadata'>;

/** Attempts before a change gives way to other writers. */
const attempts = 64;

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
 * Whether a request to delete it is under way. A request does not last that long: a mark that is older was left by a
 * process that died.
 */
function isClosing(object: Object, now: number): boolean {
  const by = deletionMarkOf(object);
  return by !== undefined && now - Date.parse(by.at) <= limits.closing_ms;
}

/**
 * Refuses what is gone, going, or about to be deleted. A mark that a dead process left is removed: should that process
 * live after all, its deletion then fails, because the object is no longer the one that it closed.
 */
export async function requireOpen({ store, world }: Deps, kind: Kind, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const object = await store.get(kind, name);
    if (!object) throw new Problem('not_found', `${described(kind, { name })} does not exist`);
    if (object.metadata.deletionTimestamp !== undefined)
      throw new Problem('invalid_request', `${described(kind, object.metadata)} is being deleted`);
    if (object.metadata.annotations?.[annotations.deletion] === undefined) return;
    if (isClosing(object, world.now()))
      throw new Problem('conflict', `${described(kind, object.metadata)} will be deleted now: try again in a moment`);
    try {
      await store.update(kind, { metadata: withDeletionMark(object.metadata, undefined), spec: object.spec });
      return;
    } catch (error) {
      if ((!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) || attempt === attempts) throw error;
    }
  }
}

export interface DeletionRequest extends Pick<DeleteOptions, 'propagation'> {
  /** Who asks. */
  readonly by?: string | undefined;
  /** Looks for what stands against the deletion, and throws if there is anything. */
  readonly check: () => Promise<void>;
}

/**
 * Deletes something on request, unless something stands against it. It is closed first, so that nobody begins to use it
 * after the look. `object` is how the request saw it: if somebody has decided something else meanwhile, it fails with
 * `conflict`.
 */
export async function requestDeletion(
  deps: Deps,
  kind: Kind,
  object: Resource,
  { by, check, propagation }: DeletionRequest,
): Promise<void> {
  if (object.metadata.deletionTimestamp !== undefined) return;
  const { store, world } = deps;
  const closing: DeletionMark = {
    at: preciseTimestamp(world.now()),
    request: world.uuid(),
    ...defined({ by }),
  };
  let seen: Resource = object;
  for (let attempt = 1; ; attempt++) {
    const closed: Resource = await store.update(kind, {
      metadata: withDeletionMark(seen.metadata, closing),
      spec: seen.spec,
    });
    try {
      await check();
      const { uid, resourceVersion } = closed.metadata;
      await store.delete(kind, closed.metadata.name, {
        ...defined({ propagation }),
        preconditions: { uid, resourceVersion },
      });
      return;
    } catch (error) {
      const now =
        isProblem(error, 'conflict') && attempt < attempts ? await store.get(kind, closed.metadata.name) : undefined;
      // A status that was written meanwhile is no reason to give up.
      if (now && isSameIntent(now, closed)) {
        seen = now;
        continue;
      }
      await reopen(store, kind, closed.metadata.name, closing);
      throw error;
    }
  }
}

function isSameIntent({ metadata: now }: Object, { metadata: before }: Object): boolean {
  const mark = annotations.deletion;
  return (
    now.resourceVersion !== before.resourceVersion &&
    now.uid === before.uid &&
    now.generation === before.generation &&
    now.annotations?.[mark] === before.annotations?.[mark]
  );
}

/** Takes a mark back, unless it is another request's by now. */
async function reopen(store: Store, kind: Kind, name: string, closing: DeletionMark): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const now = await store.get(kind, name);
    if (!now || now.metadata.deletionTimestamp !== undefined || deletionMarkOf(now)?.request !== closing.request)
      return;
    try {
      await store.update(kind, { metadata: withDeletionMark(now.metadata, undefined), spec: now.spec });
      return;
    } catch (error) {
      if ((!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) || attempt === attempts) throw error;
    }
  }
}
