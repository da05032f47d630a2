import { createContext, use, useSyncExternalStore } from 'react';

import type { Unikorn } from '@unikorn/sdk';

import type { Hub } from '../live/hub.ts';
import type { Session, SessionState } from './session.ts';

/** The things of which each page has exactly one. */
export interface Services {
  readonly session: Session;
  readonly api: Unikorn;
  readonly hub: Hub;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('a component is used outside the application');
  return services;
}

/** The typed client of all services, with the token of the session. */
export function useApi(): Unikorn {
  return useServices().api;
}

export function useSession(): SessionState {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, () => session.state);
}
