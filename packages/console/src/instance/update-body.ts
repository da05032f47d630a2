import type { Instance, InstanceUpdate } from '@unikorn/sdk';

import { defined } from '../defined.ts';

export interface Change {
  readonly metadata?: Partial<InstanceUpdate['metadata']>;
  readonly spec?: Partial<InstanceUpdate['spec']>;
}

/** The body of an update: everything as it is, with these changes. */
export function updateOf({ metadata, spec }: Instance, change: Change): InstanceUpdate {
  const { name, description, tags } = metadata;
  return {
    metadata: { name, ...defined({ description, tags }), ...change.metadata },
    spec: { ...spec, ...change.spec },
  };
}
