import { isDeepStrictEqual } from 'node:util';

import type { Kind, Metadata } from '../kinds/index.ts';
import { finalizers, findCondition, withoutFinalizer } from '../resource/index.ts';
import type { CacheChange } from './cache.ts';
import type { Wakeup } from './queue.ts';
import { observes, type Managed } from './reconcile.ts';

/**
 * Why a change of an object wakes it: the object is new or was removed, its generation changed (spec or deletion), or
 * its finalizers, labels or annotations were edited. A status write wakes nothing, because controllers and monitors
 * write it. Adding or removing the controller's own finalizer wakes nothing either.
 */
export function wakeupBy<K extends Kind>(change: CacheChange<K>): Wakeup | undefined;
export function wakeupBy({
  type,
  object,
  previous,
}: {
  type: CacheChange<Kind>['type'];
  object: Managed;
  previous?: Managed;
}): Wakeup | undefined {
  if (type === 'deleted') return { priority: 'change', cause: 'gone' };
  if (!previous || previous.metadata.uid !== object.metadata.uid) return { priority: 'change', cause: 'created' };
  const [before, after] = [previous.metadata, object.metadata];
  if (before.deletionTimestamp !== after.deletionTimestamp) return { priority: 'change', cause: 'deletion' };
  if (before.generation !== after.generation) return { priority: 'change', cause: 'spec' };
  return isDeepStrictEqual(edited(before), edited(after)) ? undefined : { priority: 'change', cause: 'metadata' };
}

/** The metadata that users and other services can edit. */
function edited(metadata: Metadata): unknown {
  return [withoutFinalizer(metadata, finalizers.framework), metadata.labels ?? {}, metadata.annotations ?? {}];
}

/** At the start all objects are reconciled: first those that are not up to date, last those that are. */
export function wakeupAtStart(object: Managed): Wakeup {
  const cause = 'replay';
  if (!observes(object) || object.metadata.deletionTimestamp !== undefined) return { priority: 'change', cause };
  const available = findCondition(object.status?.conditions, 'Available')?.status === 'True';
  return { priority: available ? 'resync' : 'retry', cause };
}
