import { Problem } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';

import { ComputeInstance } from '../../kinds/index.ts';

/** What a saga has just written. */
export async function written(store: Store, id: string): Promise<ComputeInstance> {
  const instance = await store.get(ComputeInstance, id);
  if (!instance) throw new Problem('conflict', `instance ${id} was deleted while it was being written`);
  return instance;
}
