import { useQuery } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { Identifier } from '../../parts/copy.tsx';
import { HistoryView } from '../../parts/history.tsx';
import { Fact, Facts, Page, Section } from '../../parts/page.tsx';
import { DetailSkeleton } from '../../parts/skeleton.tsx';
import { Badge } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useApi } from '../../session/context.tsx';
import { NotFound } from '../../shell/shell.tsx';
import { words } from '../../words/index.ts';
import { apiPath } from '../api.ts';

const texts = words.instance;

/** The page of an instance that is deleted: what it was, and its whole story. */
export function Tombstone({
  id,
  org,
  project,
}: {
  readonly id: string;
  readonly org: string;
  readonly project: string;
}) {
  const { compute } = useApi();
  const { data, isPending } = useQuery({
    queryKey: ['deletedinstances', org, project],
    queryFn: () =>
      dataOf(
        compute.GET('/api/v2/deletedinstances', {
          params: { query: { organizationID: [org], projectID: [project] } },
        }),
      ),
  });
  if (isPending) return <DetailSkeleton sections={[[3, 5]]} columns="" />;
  const gone = data?.findLast(({ metadata }) => metadata.id === id);
  if (!gone) return <NotFound />;
  return (
    <Page title={gone.metadata.name} before={<Badge tone="idle">{texts.deleted}</Badge>}>
      <Section title={texts.deleted}>
        <Facts>
          <Fact name={texts.created}>
            <Time at={gone.metadata.creationTime} />
          </Fact>
          <Fact name={texts.deleted}>
            <Time at={gone.metadata.deletionTime} />
          </Fact>
          <Fact name={texts.columns.id}>
            <Identifier id={id} />
          </Fact>
        </Facts>
      </Section>
      <Section title={texts.tabs.history} flush>
        <HistoryView service="compute" path={apiPath(id)} version={gone.metadata.deletionTime} />
      </Section>
    </Page>
  );
}
