import { isDeterministic, labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import type { ComputeContext } from '../../context.ts';
import { ComputeInstance } from '../../kinds/index.ts';

/**
 * Finds an existing instance with this name whose id is not derived from the name. The store would not detect this
 * conflict.
 */
export type FindNamesake = (networkId: string, name: string) => Promise<ComputeInstance | undefined>;

/**
 * Such instances were created before ids were derived from names. No new ones are created, so a synchronized cache
 * contains all of them.
 */
export function namesakes({ store, caches }: Pick<ComputeContext, 'store' | 'caches'>): FindNamesake {
  const instances = caches.of(ComputeInstance);
  const drawn = instances.index(({ metadata }) =>
    isDeterministic(metadata.name) ? [] : [keyOf(metadata.labels?.[labels.network], metadata.labels?.[labels.name])],
  );
  return async (networkId, name) => {
    if (instances.synced) return drawn.get(keyOf(networkId, name))[0];
    const { items } = await store.list(ComputeInstance, {
      selector: matching({ [labels.name]: name, [labels.network]: networkId }),
      limit: 1,
      cached: true,
    });
    return items[0];
  };
}

function keyOf(networkId = '', name = ''): string {
  return `${networkId}/${name}`;
}
