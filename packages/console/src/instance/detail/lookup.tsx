import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';

import { dataOf } from '@unikorn/sdk';

import { Skeleton } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';

/** Goes to the page of an instance of which only the id is known. */
export function InstanceLookup() {
  const { id } = useParams({ from: '/i/$id' });
  const { compute } = useApi();
  const { data, error } = useQuery({
    queryKey: ['instance', id],
    queryFn: () => dataOf(compute.GET('/api/v2/instances/{instanceID}', { params: { path: { instanceID: id } } })),
  });
  if (error) return <Problem error={error} />;
  if (!data) return <Skeleton />;
  return (
    <Navigate
      to="/o/$org/p/$project/instances/$id"
      params={{ org: data.metadata.organizationId, project: data.metadata.projectId, id }}
      replace
    />
  );
}
