import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';

import { ApiError, dataOf } from '@unikorn/sdk';

import { Button, buttonLook } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { guideWords as texts } from '../words/guide.ts';
import { rememberRehearsal, type Rehearsal } from './rehearsal.ts';

/** Says on every page that a guided minute left a region down, and offers to restore it. */
export function RehearsalBanner({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { region } = useApi();
  const path = { regionID: rehearsal.region };
  const { data, error: unread } = useQuery({
    queryKey: ['simulation', rehearsal.region],
    queryFn: () => dataOf(region.GET('/api/v2/regions/{regionID}/simulation', { params: { path } })),
    refetchInterval: 5_000,
  });
  // Somebody else restored it, deleted it, or logged in here.
  const isOver =
    data?.service === 'up' || (unread instanceof ApiError && (unread.status === 403 || unread.status === 404));
  useEffect(() => {
    if (isOver) rememberRehearsal(undefined);
  }, [isOver]);
  const { mutate, isPending, error } = useRestore(rehearsal);
  if (data?.service !== 'down') return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-warn-mark/40 bg-warn-soft px-4 py-2 md:px-6"
    >
      <p className="flex min-w-0 items-center gap-2 font-medium text-warn">
        <Icon name="warning" />
        {texts.restoreTitle(rehearsal.name)}
      </p>
      <span className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={isPending}
          title={texts.restoreHint}
          onClick={() => {
            mutate();
          }}
        >
          {texts.restore}
        </Button>
        <Link to="/platform/guided-minute" search={rehearsal.search} className={buttonLook()}>
          {texts.goOn}
        </Link>
      </span>
      {error && <Problem error={error} />}
    </div>
  );
}

/** Brings the region back, and deletes what the minute created. */
export function useRestore(rehearsal: Rehearsal | undefined, onDone?: () => void) {
  const { region, compute } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!rehearsal) return;
      const path = { regionID: rehearsal.region };
      const knobs = await dataOf(
        region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path }, body: { service: 'up' } }),
      );
      queries.setQueryData(['simulation', rehearsal.region], knobs);
      if (rehearsal.instance !== undefined) await removeUnlessGone(rehearsal.instance);
    },
    onSuccess: () => {
      rememberRehearsal(undefined);
      onDone?.();
    },
  });

  async function removeUnlessGone(instanceID: string): Promise<void> {
    try {
      await compute.DELETE('/api/v2/instances/{instanceID}', { params: { path: { instanceID } } });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
}
