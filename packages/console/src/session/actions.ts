import { useQuery } from '@tanstack/react-query';

import { words } from '../words/index.ts';
import { useApi } from './context.tsx';

interface Allowed {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Why an action is not possible now; undefined if it is. */
export type ReasonAgainst = (action: string) => string | undefined;

/**
 * What this user may do with an object now, as the service says it.
 *
 * @example const against = useActions('compute', `/api/v2/instances/${id}`, JSON.stringify(instance.status));
 * @example <Button reason={against('stop')}>Stop</Button>
 */
export function useActions(
  service: 'compute' | 'region' | 'identity',
  path: string,
  /** The state of the object. When it changes, the service is asked again. */
  version: string,
): ReasonAgainst {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['actions', service, path, version],
    queryFn: async ({ signal }) => {
      const answer = await api[service].untyped.send('GET', `${path}/actions`, { signal });
      return Array.isArray(answer.data) ? answer.data.filter(isAllowed) : [];
    },
    staleTime: 5_000,
    placeholderData: (before) => before,
  });
  return (action) => {
    const found = data?.find((each) => each.action === action);
    if (found?.allowed === true) return undefined;
    return found?.reason ?? (data ? words.parts.notAllowed : words.parts.loading);
  };
}

function isAllowed(value: unknown): value is Allowed {
  return typeof value === 'object' && value !== null && 'action' in value && 'allowed' in value;
}
