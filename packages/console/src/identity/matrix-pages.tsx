import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Group, Project, Role } from '@unikorn/sdk';

import { failureOf } from '../live/hub.ts';
import { useLive } from '../live/use-live.ts';
import { FilterBar } from '../parts/filter-bar.tsx';
import { useListState } from '../parts/list-state.ts';
import { writeCurrent } from '../parts/opened.ts';
import { Nothing, Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { afterAMoment } from '../parts/skeleton.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import type { Named as Known } from '../parts/equivalent.ts';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { groupWithRole, lockOfGroup, lockOfRole, projectWithGroup } from './grants.ts';
import { Matrix } from './matrix.tsx';
import { pathOf, useRoles } from './queries.ts';
import { IdentityViews } from './views.tsx';

const all = words.identity;
const texts = all.matrix;

/** Which group has which role. */
export function GroupRolesPage() {
  const { org } = useParams({ from: '/o/$org/groups/roles' });
  const { identity } = useApi();
  const rights = useRights(org);
  const groups = useLive('groups', { organization: org });
  const { data: roles = [], error, isPending } = useRoles(org);
  const missing = rights.may('identity:groups', 'update') ? undefined : words.parts.missingRight;
  const loading = isPending || groups.freshness === 'loading';
  return (
    <MatrixPage
      noun="groups"
      title={all.groupPages.title}
      filter={all.groupPages.filter}
      hint={texts.rolesHint}
      rows={groups.items}
      loading={loading}
      error={error ?? failureOf(groups) ?? null}
    >
      {(rows) => (
        <Matrix<Group, Role>
          label={texts.rolesLabel}
          corner={all.groupPages.title}
          rows={rows}
          columns={roles.toSorted(byName)}
          loading={loading}
          lockOfColumn={({ grantable }) => (grantable ? undefined : all.groupPages.notGrantable)}
          lockOf={(group, role) => missing ?? lockOfRole(group, role, roles)}
          isOn={({ spec }, { metadata }) => spec.roleIDs.includes(metadata.id)}
          loss={(group, role) => texts.lostRole(group.metadata.name, role.metadata.name)}
          change={(group, role, on) => {
            const path = '/api/v1/organizations/{organizationID}/groups/{groupid}';
            const params = { path: { organizationID: org, groupid: group.metadata.id } };
            return writeCurrent(
              () => identity.GET(path, { params }),
              (current = group, headers) =>
                identity.PUT(path, { params, headers, body: groupWithRole(current, role, on) }),
            );
          }}
          command={texts.rolesCommand}
          same={(group, role, on) => (
            <SameChange org={org} noun="group" before={group} body={groupWithRole(group, role, on)} known={[roles]} />
          )}
        />
      )}
    </MatrixPage>
  );
}

/** Which group may use which project. */
export function ProjectGroupsPage() {
  const { org } = useParams({ from: '/o/$org/projects/groups' });
  const { identity } = useApi();
  const rights = useRights(org);
  const projects = useLive('projects', { organization: org });
  const groups = useLive('groups', { organization: org });
  const { data: roles = [] } = useRoles(org);
  const loading = [projects, groups].some(({ freshness }) => freshness === 'loading');
  return (
    <MatrixPage
      noun="projects"
      title={all.projects.title}
      filter={all.projects.filter}
      hint={all.projects.groupsHint}
      rows={projects.items}
      loading={loading}
      error={failureOf(projects) ?? failureOf(groups) ?? null}
    >
      {(rows) => (
        <Matrix<Project, Group>
          label={texts.groupsLabel}
          corner={all.projects.title}
          rows={rows}
          columns={groups.items.toSorted(byName)}
          loading={loading}
          lockOf={(project, group) =>
            rights.may('identity:projects', 'update', project.metadata.id)
              ? lockOfGroup(project, group, roles)
              : words.parts.missingRight
          }
          isOn={({ spec }, { metadata }) => spec.groupIDs.includes(metadata.id)}
          loss={(project, group) => texts.lostProject(group.metadata.name, project.metadata.name)}
          change={(project, group, on) => {
            const path = '/api/v1/organizations/{organizationID}/projects/{projectID}';
            const params = { path: { organizationID: org, projectID: project.metadata.id } };
            return writeCurrent(
              () => identity.GET(path, { params }),
              (current = project, headers) =>
                identity.PUT(path, { params, headers, body: projectWithGroup(current, group, on) }),
            );
          }}
          command={texts.groupsCommand}
          same={(project, group, on) => (
            <SameChange
              org={org}
              noun="project"
              before={project}
              body={projectWithGroup(project, group, on)}
              known={[groups.items]}
            />
          )}
        />
      )}
    </MatrixPage>
  );
}

function SameChange({
  org,
  noun,
  before,
  body,
  known,
}: {
  readonly org: string;
  readonly noun: 'group' | 'project';
  readonly before: Group | Project;
  readonly body: object;
  readonly known: readonly (readonly Known[])[];
}) {
  const { id, name } = before.metadata;
  const sent = sentTo(pathOf(org, `${noun}s`), id, body);
  return <Same noun={noun} name={name} before={before} body={body} known={known} organization={org} sent={sent} />;
}

interface Named {
  readonly metadata: { readonly name: string };
}

function byName(a: Named, b: Named): number {
  return a.metadata.name.localeCompare(b.metadata.name);
}

function MatrixPage<Row extends Named>({
  noun,
  title,
  filter,
  hint,
  rows,
  loading,
  error,
  children,
}: {
  readonly noun: 'groups' | 'projects';
  readonly title: string;
  readonly filter: string;
  readonly hint: string;
  readonly rows: readonly Row[];
  readonly loading: boolean;
  readonly error: Error | null;
  readonly children: (rows: readonly Row[]) => ReactNode;
}) {
  const { search, set } = useListState();
  const { q = '' } = search;
  const shown = rows.filter(({ metadata }) => metadata.name.toLowerCase().includes(q.toLowerCase())).toSorted(byName);
  return (
    <Page title={title}>
      <IdentityViews noun={noun} />
      {error && <Problem error={error} />}
      {!error && (
        <div className={`flex min-w-0 flex-col gap-4 ${loading ? afterAMoment : ''}`}>
          <p className="text-muted">{hint}</p>
          <FilterBar
            label={filter}
            text={q}
            onText={(text) => {
              set({ q: text });
            }}
          />
          {shown.length === 0 && !loading ? (
            <Nothing loading={false}>{words.shell.noneFound}</Nothing>
          ) : (
            children(shown)
          )}
        </div>
      )}
    </Page>
  );
}
