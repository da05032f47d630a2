import { createContext, use } from 'react';

import type { Instance } from '@unikorn/sdk';

const InstanceContext = createContext<Instance | undefined>(undefined);

export const InstanceProvider = InstanceContext;

/** The instance of the page, for its tabs. */
export function useInstance(): Instance {
  const instance = use(InstanceContext);
  if (!instance) throw new Error('this is not the page of an instance');
  return instance;
}
