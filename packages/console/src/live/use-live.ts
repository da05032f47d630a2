import { useSyncExternalStore } from 'react';

import type { Change } from '@unikorn/sdk';

import { useServices } from '../session/context.tsx';
import type { Health, Identified, Open, Snapshot } from './hub.ts';
import { kinds, type Kind, type Scope } from './kinds.ts';

/** The objects of a kind. */
export type ObjectOf<K extends Kind> =
  ReturnType<(typeof kinds)[K]> extends AsyncGenerator<Change<infer Item extends Identified>, never> ? Item : never;

/**
 * The live list of a kind. It stays current while a component uses it.
 *
 * @example const { items, freshness } = useLive('instances', { organization, project });
 */
export function useLive<K extends Kind>(kind: K, scope: Scope): Snapshot<ObjectOf<K>> {
  const { hub, api } = useServices();
  const key = `${kind} ${scope.organization ?? ''} ${scope.project ?? ''} ${scope.region ?? ''}`;
  const list = hub.list<ObjectOf<K>>(
    key,
    opener(kind, (options) => kinds[kind](api, scope, options)),
  );
  return useSyncExternalStore(list.subscribe, () => list.snapshot);
}

/** The table of kinds has one function per kind, and the compiler cannot see that a kind and its function fit. */
function opener<K extends Kind>(
  _kind: K,
  open: (options: Parameters<(typeof kinds)[K]>[2]) => unknown,
): Open<ObjectOf<K>> {
  const holder: { open?: Open<ObjectOf<K>> } = {};
  Reflect.set(holder, 'open', open);
  return (options) => {
    if (!holder.open) throw new Error('there is no such stream');
    return holder.open(options);
  };
}

/** Whether all lists of the page are current. */
export function useHealth(): Health {
  const { hub } = useServices();
  return useSyncExternalStore(hub.subscribe, () => hub.health);
}
