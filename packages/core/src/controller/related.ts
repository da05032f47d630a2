import { isDeepStrictEqual } from 'node:util';

import type { Kind, Resource } from '../kinds/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { Cancel } from '../world/index.ts';
import type { CacheChange } from './cache.ts';
import type { Caches, Copy } from './caches.ts';
import { contain } from './contain.ts';
import type { Managed } from './reconcile.ts';

/** Objects of another kind, or of another service, whose changes wake objects of the controller's. */
export interface Related {
  /** Names them in metrics. */
  readonly cause: string;
  /** The copy of them that is read. The controller begins when it is complete. */
  copy(caches: Caches): Pick<Copy, 'whenSynced'>;
  subscribe(caches: Caches, telemetry: Telemetry, wake: (name: string) => void): Cancel;
}

/**
 * Every change of an object of the kind, its status included, wakes the names `wakes` gives for its state before and after;
 * that something was tried once more in vain wakes nobody.
 * An index of the controller's own cache makes that cost the same however many objects there are.
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
        const states = previous ? [previous, object] : [object];
        const names = states.flatMap(
          (state) => contain(telemetry, `related ${kind.id}`, 'wakes', () => [...wakes(state)]) ?? [],
        );
        for (const name of new Set(names)) wake(name);
      }),
  };
}

/**
 * Whether a change says nothing but that something was tried once more. Those who fail together would else keep each
 * other awake.
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
