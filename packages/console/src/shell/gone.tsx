import { useQuery } from '@tanstack/react-query';

import { ApiError } from '@unikorn/sdk';

import { HistoryView } from '../parts/history.tsx';
import { Page, Section } from '../parts/page.tsx';
import { DetailSkeleton } from '../parts/skeleton.tsx';
import { ProblemPage } from '../parts/problem-page.tsx';
import { Badge } from '../parts/status.tsx';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';
import { NotFound } from './shell.tsx';

/** The page of a resource of a region that is not there any more: its history, if the service still has it. */
export function Gone({ path, one }: { readonly path: string; readonly one: string }) {
  const { region } = useApi();
  const { data, error, isPending } = useQuery({
    queryKey: ['gone', path],
    queryFn: async ({ signal }) => {
      try {
        const { data: entries } = await region.untyped.send('GET', `${path}/history`, {
          params: { query: { limit: 1 } },
          signal,
        });
        return Array.isArray(entries) && entries.length > 0;
      } catch (refusal) {
        if (refusal instanceof ApiError && refusal.status === 404) return false;
        throw refusal;
      }
    },
  });
  if (isPending) return <DetailSkeleton sections={[[5]]} columns="" />;
  if (error) return <ProblemPage error={error} />;
  if (!data) return <NotFound />;
  return (
    <Page title={words.shell.goneTitle(one)} before={<Badge tone="idle">{words.shell.gone}</Badge>}>
      <p className="text-muted">{words.shell.goneText}</p>
      <Section title={words.shell.goneHistory} flush>
        <HistoryView service="region" path={path} version="" />
      </Section>
    </Page>
  );
}
