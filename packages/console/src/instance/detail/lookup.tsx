import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';

import { ApiError, dataOf } from '@unikorn/sdk';

import { DetailSkeleton } from '../../parts/skeleton.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { useApi } from '../../session/context.tsx';
import { NotFound } from '../../shell/shell.tsx';

/** Goes to the page of an instance of which only the id is known, also of a deleted one. */
export function InstanceLookup() {
  const { id } = useParams({ from: '/i/$id' });
  const { compute } = useApi();
  const { data, error } = useQuery({
    queryKey: ['instance', id],
    queryFn: async () => {
      try {
        return await dataOf(compute.GET('/api/v2/instances/{instanceID}', { params: { path: { instanceID: id } } }));
      } catch (refusal) {
        if (!(refusal instanceof ApiError) || refusal.status !== 404) throw refusal;
        const gone = await dataOf(compute.GET('/api/v2/deletedinstances', { params: { query: { search: id } } }));
        return gone.find(({ metadata }) => metadata.id === id) ?? null;
      }
    },
  });
  if (error) return <ProblemPage error={error} />;
  if (data === undefined)
    return <DetailSkeleton strip tabs sections={[[8], [9]]} columns="2xl:grid-cols-[minmax(0,1fr)_22rem]" />;
  if (data === null) return <NotFound />;
  return (
    <Navigate
      to="/o/$org/p/$project/instances/$id"
      params={{ org: data.metadata.organizationId, project: data.metadata.projectId, id }}
      replace
    />
  );
}
