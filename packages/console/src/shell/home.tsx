import { Link, Navigate } from '@tanstack/react-router';

import { Empty, Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { ProblemPage } from '../parts/problem-page.tsx';
import { preferences } from '../session/preferences.ts';
import { words } from '../words/index.ts';
import { useRights } from '../session/rights.ts';
import { CreateProject } from './create-project.tsx';
import { useOrganizations, useProjects } from './tenancy.ts';

/** The last project of the user, the only one, or a choice. */
export function Home() {
  const { organizations, isPending, error } = useOrganizations();
  const preferred = preferences();
  const organization = organizations.find(({ metadata }) => metadata.id === preferred.organization) ?? organizations[0];
  const { projects, isPending: projectsPending } = useProjects(organization?.metadata.id);
  const rights = useRights(undefined);
  const inside = useRights(organization?.metadata.id);
  if (error) return <ProblemPage error={error} />;
  if (isPending || (organization && projectsPending) || !rights.known || !inside.known) return <Skeleton />;
  // An operator without a project has other things to look at.
  if (!organization && rights.mayGlobally('region:regions', 'read')) return <Navigate to="/platform" replace />;
  if (!organization)
    return (
      <Page title={words.shell.product}>
        <Empty icon="organizations" title={words.shell.noOrganizations}>
          <p>{words.shell.noOrganizationsText}</p>
        </Empty>
      </Page>
    );
  const project = projects.find(({ metadata }) => metadata.id === preferred.project) ?? projects[0];
  if (project)
    return (
      <Navigate
        to="/o/$org/p/$project/instances"
        params={{ org: organization.metadata.id, project: project.metadata.id }}
        replace
      />
    );
  if (rights.mayGlobally('region:regions', 'read'))
    return organization.metadata.id === preferred.organization ? (
      <Navigate to="/platform/organizations/$id" params={{ id: preferred.organization }} replace />
    ) : (
      <Navigate to="/platform" replace />
    );
  // Who may create a project begins where it is created.
  if (inside.may('identity:projects', 'create'))
    return <Navigate to="/o/$org/projects" params={{ org: organization.metadata.id }} replace />;
  return (
    <Page title={organization.metadata.name}>
      <Empty
        icon="projects"
        title={words.shell.noProjects}
        command={words.identity.projects.command}
        action={<CreateProject org={organization.metadata.id} />}
      >
        <p>{words.shell.noProjectsText}</p>
        {organizations.length > 1 && (
          <ul className="flex flex-wrap justify-center gap-2">
            {organizations.map(({ metadata }) => (
              <li key={metadata.id}>
                <Link
                  to="/o/$org/projects"
                  params={{ org: metadata.id }}
                  className="text-accent-text underline underline-offset-2"
                >
                  {metadata.name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Empty>
    </Page>
  );
}
