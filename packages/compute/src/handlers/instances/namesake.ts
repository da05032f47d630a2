import { isDeterministic, labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import type { ComputeContext } from '../../context.ts';
import { ComputeInstance } from '../../kinds/index.ts';

/**
 * Finds an instance of a name that another one of that name would not collide with, because its id does not follow from
 * it.
 */
export type FindNamesake = (networkId: string, name: string) => Promise<ComputeInstance | undefined>;

/**
 * Such instances are from before ids followed from names. Nobody makes them any more, so that whoever watches instances
 * knows them all.
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
    });
    return items[0];
  };
}

function keyOf(networkId = '', name = ''): string {
  return `${networkId}/${name}`;
}
