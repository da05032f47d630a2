import { isDeepStrictEqual } from 'node:util';

import type { Kind, Resource } from '../kinds/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { Cancel } from '../world/index.ts';
import type { CacheChange } from './cache.ts';
import type { Caches, Copy } from './caches.ts';
import { contain } from './contain.ts';
import type { Managed } from './reconcile.ts';

/** Objects of another kind, or of another service, whose changes wake objects of this controller. */
export interface Related {
  /** The label of these wake-ups in metrics. */
  readonly cause: string;
  /** The copy of the objects. The controller starts when it is complete. */
  copy(caches: Caches): Pick<Copy, 'whenSynced'>;
  subscribe(caches: Caches, telemetry: Telemetry, wake: (name: string) => void): Cancel;
}

/**
 * Every change of an object of the kind, also of its status, wakes the names that `wakes` returns for its state before
 * and after. A change that only counts another failed attempt wakes nothing. With an index of the controller's own
 * cache, the cost does not depend on the number of objects.
 *
 * @example
 * const byServer = caches.of(Instance).index((instance) => [instance.metadata.name]);
 * related(Server, (server) => byServer.names(server.metadata.name));
 */
export function related<R extends Kind>(kind: R, wakes: (object: Resource<R>) => Iterable<string>): Related {
  return {
    cause: kind.id,
    copy: (caches) => caches.of(kind),
    subscribe: (caches, telemetry, wake) =>
      caches.of(kind).subscribe((change) => {
        if (isRecount(change)) return;
        const { object, previous } = change;
        const names = new Set<string>();
        for (const state of previous ? [previous, object] : [object])
          contain(telemetry, `related ${kind.id}`, 'wakes', () => {
            for (const name of wakes(state)) names.add(name);
          });
        for (const name of names) wake(name);
      }),
  };
}

/**
 * Whether a change only counts another failed attempt. Objects that fail together would otherwise keep waking each
 * other.
 */
export function isRecount<K extends Kind>(change: CacheChange<K>): boolean;
export function isRecount({
  type,
  object,
  previous,
}: {
  readonly type: CacheChange<Kind>['type'];
  readonly object: Managed;
  readonly previous?: Managed;
}): boolean {
  if (type !== 'modified' || !object.status?.retry || !previous?.status?.retry) return false;
  return isDeepStrictEqual(withoutCount(object), withoutCount(previous));
}

function withoutCount({ metadata, spec, status }: Managed): unknown {
  return [{ ...metadata, resourceVersion: '' }, spec, { ...status, retry: undefined }];
}
