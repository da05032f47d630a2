import { useParams } from '@tanstack/react-router';

import { useLive } from '../../live/use-live.ts';
import { Page, Skeleton } from '../../parts/page.tsx';
import { Badge } from '../../parts/status.tsx';
import { NotFound } from '../../shell/shell.tsx';
import { instanceCondition } from '../status.ts';

export function InstancePage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/instances/$id' });
  const { byId, freshness } = useLive('instances', { organization: org, project });
  const instance = byId.get(id);
  if (freshness === 'loading') return <Skeleton />;
  if (!instance) return <NotFound />;
  const { tone, word } = instanceCondition(instance);
  return (
    <Page title={instance.metadata.name} before={<Badge tone={tone}>{word}</Badge>}>
      <p>{instance.metadata.id}</p>
    </Page>
  );
}
