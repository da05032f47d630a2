import type { Related } from '../controller/index.ts';
import { contain } from '../controller/contain.ts';
import type { WatchedObjects } from './watched.ts';

/**
 * Every change of an object that another service shows wakes the names that `wakes` returns for its state before and
 * after. It is the counterpart of `related` for objects of other services.
 *
 * @example watchedRelated('networks', networks, ({ metadata }) => byNetwork.names(metadata.id));
 */
export function watchedRelated<T>(
  cause: string,
  objects: WatchedObjects<T>,
  wakes: (object: T) => Iterable<string>,
): Related {
  return {
    cause,
    copy: (caches) => caches.include(objects),
    subscribe: (_caches, telemetry, wake) =>
      objects.subscribe(({ object, previous }) => {
        const names = new Set<string>();
        for (const state of [previous, object])
          contain(telemetry, `related ${cause}`, 'wakes', () => {
            for (const name of state === undefined ? [] : wakes(state)) names.add(name);
          });
        for (const name of names) wake(name);
      }),
  };
}
