import { useInfiniteQuery } from '@tanstack/react-query';

import { limits } from '../limits.ts';
import { useLive } from '../live/use-live.ts';
import type { Freshness } from '../live/hub.ts';
import { useApi } from '../session/context.tsx';
import { merged, type Entry, type Part } from './lanes.ts';

interface Scope {
  readonly organization: string;
  readonly project?: string | undefined;
}

const services = ['compute', 'region', 'identity'] as const;
type Service = (typeof services)[number];

/** Where each service continues. A service that has nothing more is left out. */
type Position = Readonly<Partial<Record<Service, string>>>;

interface Page {
  readonly entries: Readonly<Record<Service, readonly Entry[]>>;
  readonly next: Position;
}

export interface Entries {
  readonly entries: readonly Entry[];
  readonly freshness: Freshness;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
}

/** What happened in a project or organization: new entries as they come, and older ones on request. */
export function useEntries(scope: Scope): Entries {
  const { compute, region, identity } = useApi();
  const live = {
    compute: useLive('computeActivity', scope),
    region: useLive('regionActivity', scope),
    identity: useLive('identityActivity', scope),
  };
  const ask = {
    compute: (query: Query) => compute.GET('/api/v2/activity', { params: { query } }),
    region: (query: Query) => region.GET('/api/v2/activity', { params: { query } }),
    identity: (query: Query) => identity.GET('/api/v1/activity', { params: { query } }),
  };
  const query = {
    organizationID: [scope.organization],
    ...(scope.project === undefined ? {} : { projectID: [scope.project] }),
    limit: limits.activityPage,
  };
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['activity', scope.organization, scope.project ?? ''],
    initialPageParam: { compute: '', region: '', identity: '' },
    queryFn: async ({ pageParam }: { readonly pageParam: Position }): Promise<Page> => {
      const read = async (service: Service) => {
        const position = pageParam[service];
        if (position === undefined) return { entries: [], next: undefined };
        const { data: entries = [], response } = await ask[service]({
          ...query,
          ...(position === '' ? {} : { continue: position }),
        });
        return { entries, next: response.headers.get('continue') ?? undefined };
      };
      const [one, other, third] = await Promise.all([read('compute'), read('region'), read('identity')]);
      return {
        entries: { compute: one.entries, region: other.entries, identity: third.entries },
        next: {
          ...(one.next === undefined ? {} : { compute: one.next }),
          ...(other.next === undefined ? {} : { region: other.next }),
          ...(third.next === undefined ? {} : { identity: third.next }),
        },
      };
    },
    getNextPageParam: ({ next }) => (Object.keys(next).length === 0 ? undefined : next),
    // New entries come by the streams; reading all pages again would only cost time.
    staleTime: Infinity,
    gcTime: 0,
  });
  const parts = services.map((service): Part => {
    const pages = data?.pages ?? [];
    return {
      entries: [...live[service].items.map(({ entry }) => entry), ...pages.flatMap(({ entries }) => entries[service])],
      hasMore: pages.at(-1)?.next[service] !== undefined,
    };
  });
  const states = services.map((service) => live[service].freshness);
  return {
    entries: merged(parts),
    freshness: (['stale', 'polled', 'live'] as const).find((state) => states.includes(state)) ?? 'loading',
    isPending,
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    more: () => void fetchNextPage(),
  };
}

interface Query {
  readonly organizationID: string[];
  readonly projectID?: string[];
  readonly limit: number;
  readonly continue?: string;
}
