import { useQueries, useQuery } from '@tanstack/react-query';

import type { Unikorn } from '@unikorn/sdk';

import { words } from '../words/index.ts';
import { useApi } from './context.tsx';

interface Allowed {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Why an action is not possible now; undefined if it is. */
export type ReasonAgainst = (action: string) => string | undefined;

type Service = 'compute' | 'region' | 'identity';

/** An object that its service is asked about. */
export interface Asked {
  readonly service: Service;
  readonly path: string;
  /** The state of the object. When it changes, the service is asked again. */
  readonly version: string;
}

/**
 * What this user may do with an object now, as the service says it.
 *
 * @example const against = useActions({ service: 'compute', path: `/api/v2/instances/${id}`, version: modifiedTime });
 * @example <Button reason={against('stop')}>Stop</Button>
 */
export function useActions(
  asked: Asked,
  /** The service is asked again after this time, where the answer depends on objects that the page does not see. */
  again_ms?: number,
): ReasonAgainst {
  const { data, isError } = useQuery({
    ...actionsQuery(useApi(), asked),
    refetchInterval: again_ms ?? false,
    placeholderData: (before) => before,
  });
  // Without an answer, the action can be tried: the service refuses it if it must.
  return (action) => (isError && !data ? undefined : reasonIn(data, action));
}

/**
 * What this user may do with some of several objects. An action has a reason against it only if the service gave one
 * for each of them: the others can still be tried, and each result is shown.
 */
export function useActionsOfAny(objects: readonly Asked[]): ReasonAgainst {
  const api = useApi();
  const answers = useQueries({ queries: objects.map((object) => actionsQuery(api, object)) });
  return (action) => commonReason(answers.map(({ data }) => (data ? reasonIn(data, action) : undefined)));
}

/** The reasons against all of several things, each once; undefined if one of them has none. */
export function commonReason(reasons: readonly (string | undefined)[]): string | undefined {
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === 0 || known.length < reasons.length ? undefined : [...new Set(known)].join('; ');
}

/**
 * The objects to ask about: all of a few, and one of each state of many, because the service gives the same answer for
 * objects in the same state. None if there are more states than the limit.
 */
export function askable<Item>(items: readonly Item[], stateOf: (item: Item) => string, limit: number): readonly Item[] {
  if (items.length <= limit) return items;
  const found = new Map<string, Item>();
  for (const item of items) if (!found.has(stateOf(item))) found.set(stateOf(item), item);
  return found.size > limit ? [] : [...found.values()];
}

function actionsQuery(api: Unikorn, { service, path, version }: Asked) {
  return {
    queryKey: ['actions', service, path, version],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Allowed[]> => {
      const answer = await api[service].untyped.send('GET', `${path}/actions`, { signal });
      return Array.isArray(answer.data) ? answer.data.filter(isAllowed) : [];
    },
    staleTime: 5_000,
  };
}

function reasonIn(answer: readonly Allowed[] | undefined, action: string): string | undefined {
  const found = answer?.find((each) => each.action === action);
  if (found?.allowed === true) return undefined;
  return found?.reason ?? (answer ? words.parts.notAllowed : words.parts.loading);
}

function isAllowed(value: unknown): value is Allowed {
  return typeof value === 'object' && value !== null && 'action' in value && 'allowed' in value;
}
