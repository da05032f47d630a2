import { isProblem, Problem } from '../errors/index.ts';
import { kindWords, type Kind, type Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import type { Change, StatusChange, Store } from './store.ts';

/**
 * Reads, decides and writes, again until no other writer changed the object in between. `decide` gets the current
 * object, may be called several times, and returns undefined to make no change. Throws `not_found` if the object does
 * not exist.
 *
 * @example await modify(store, Lot, id, (lot) => ({ ...lot, spec: { ...lot.spec, spaces: 20 } }));
 */
export function modify<K extends Kind>(
  store: Store,
  kind: K,
  name: string,
  decide: (current: Resource<K>) => Change<K> | undefined,
): Promise<Resource<K>> {
  return untilUncontended(store, kind, name, decide, (change) => store.update(kind, change));
}

/**
 * The same for the status alone.
 *
 * @example await modifyStatus(store, User, id, ({ metadata, status }) => ({ metadata, status: { ...status, lastActive } }));
 */
export function modifyStatus<K extends Kind>(
  store: Store,
  kind: K,
  name: string,
  decide: (current: Resource<K>) => StatusChange<K> | undefined,
): Promise<Resource<K>> {
  return untilUncontended(store, kind, name, decide, (change) => store.updateStatus(kind, change));
}

async function untilUncontended<K extends Kind, C>(
  store: Store,
  kind: K,
  name: string,
  decide: (current: Resource<K>) => C | undefined,
  write: (change: C) => Promise<Resource<K>>,
): Promise<Resource<K>> {
  for (let attempt = 1; ; attempt++) {
    const current = await store.get(kind, name);
    if (!current) throw new Problem('not_found', `${kindWords(kind)} ${name} does not exist`);
    const change = decide(current);
    if (change === undefined) return current;
    try {
      return await write(change);
    } catch (error) {
      if (!isProblem(error, 'conflict') || attempt === internalLimits.modifyAttempts) throw error;
    }
  }
}
