import type { Owners } from '../controller/index.ts';
import { defined } from '../defined.ts';
import type { Resource } from '../kinds/index.ts';
import type { WatchedObjects } from './watched.ts';

/** The fields of an owner that its service shows. */
export interface ShownOwner {
  readonly name: string;
  readonly deletionTime?: string | undefined;
  readonly deletedBy?: string | undefined;
  readonly deletionCause?: string | undefined;
}

export interface WatchedOwners<T> {
  /** The kind of the owner in words, such as `network`. */
  readonly what: string;
  readonly objects: WatchedObjects<T>;
  readonly ownerOf: (object: T) => ShownOwner;
  /** Asks the service for the owner; undefined when it does not exist. */
  readonly ask: (id: string, target: Pick<Resource, 'metadata'>) => Promise<T | undefined>;
}

/**
 * Owners that belong to another service, for a cascading deletion.
 *
 * @example watchedOwners({ what: 'network', objects: watches.networks, ownerOf: ({ metadata }) => metadata, ask: (id) => client.network(id) })
 */
export function watchedOwners<T>({ what, objects, ownerOf, ask }: WatchedOwners<T>): Owners {
  const stays = (object: T | undefined) => object !== undefined && ownerOf(object).deletionTime === undefined;
  return {
    copy: (caches) => caches.include(objects),
    stays: (id) => stays(objects.get(id)),
    subscribe: (listener) =>
      objects.subscribe(({ id, object }) => {
        if (!stays(object)) listener(id);
      }),
    fate: async (id, target) => {
      const found = await ask(id, target);
      if (found === undefined) return { stays: false };
      const { name, deletionTime: at, deletedBy: by, deletionCause } = ownerOf(found);
      if (at === undefined) return { stays: true };
      const root = deletionCause ?? `${what} ${name}`;
      return { stays: false, cause: { at, root, ...defined({ by }) } };
    },
  };
}
