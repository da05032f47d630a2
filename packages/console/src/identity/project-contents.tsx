import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { dataOf } from '@unikorn/sdk';

import { Problem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';
import { contentsOf } from './contents.ts';

const texts = words.identity.projects;
const pages = {
  instances: 'instances',
  networks: 'networks',
  loadBalancers: 'load-balancers',
  fileStorage: 'file-storage',
} as const;

/** What is deleted together with a project, by its name. */
export function ProjectContents({ org, project }: { readonly org: string; readonly project: string }) {
  const { compute, region } = useApi();
  const params = { query: { organizationID: [org], projectID: [project] } };
  const { data, error } = useQuery({
    queryKey: ['project-contents', project],
    queryFn: async () => {
      const [instances, networks, loadBalancers, fileStorage] = await Promise.all([
        dataOf(compute.GET('/api/v2/instances', { params })),
        dataOf(region.GET('/api/v2/networks', { params })),
        dataOf(region.GET('/api/v2/loadbalancers', { params })),
        dataOf(region.GET('/api/v2/filestorage', { params })),
      ]);
      return contentsOf({ instances, networks, loadBalancers, fileStorage });
    },
  });
  if (error) return <Problem error={error} />;
  if (!data) return <p className="text-muted">{words.parts.loading}</p>;
  if (data.length === 0) return <p>{texts.isEmpty}</p>;
  return (
    <div>
      <p>{texts.contains}</p>
      <ul className="list-disc ps-5">
        {data.map(({ kind, count, names }) => {
          const list: string = `/o/${org}/p/${project}/${pages[kind]}`;
          return (
            <li key={kind} className="break-words">
              <Link to={list} className="font-medium text-accent-text underline underline-offset-2">
                {count}
              </Link>
              : {names}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
