import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';

import { dataOf, type Group, type Project } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { CheckField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import {
  askedBelow,
  createdColumn,
  deleteAction,
  editAction,
  idOf,
  liveRows,
  nameColumn,
  nameOf,
  statusColumn,
} from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { Choices, ItemForm, MetadataFields, NameField, optionsOf } from '../parts/form.tsx';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { ProjectContents } from './project-contents.tsx';
import { groupNames, pathOf, useRefresh } from './queries.ts';
import { IdentityViews } from './views.tsx';

const ProjectStory = lazy(async () => ({ default: (await import('./project-story.tsx')).ProjectStory }));

const all = words.identity;
const texts = all.projects;
const from = '/o/$org/projects';

/** The projects of an organization, live. */
export function ProjectsPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const live = useLive('projects', { organization: org });
  const { items: groups } = useLive('groups', { organization: org });
  const chosen = useChosen(state, (id) => live.byId.get(id));
  const pageOf = ({ metadata }: Project) => `/o/${org}/p/${metadata.id}/instances`;
  const open = (project: Project) => void navigate({ to: pageOf(project) });
  return (
    <>
      <ListPage
        texts={texts}
        icon="projects"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={rights.may('identity:projects', 'create') ? undefined : words.parts.missingRight}
        above={<IdentityViews noun="projects" />}
        onOpen={open}
        columns={[
          nameColumn(pageOf),
          statusColumn(),
          {
            key: 'groups',
            title: all.groups,
            width: 'minmax(9rem, 2fr)',
            cell: ({ spec }) => <span>{groupNames(groups, spec.groupIDs).join(', ') || all.noGroups}</span>,
          },
          createdColumn(),
        ]}
        asked={askedBelow('identity', `/api/v1/organizations/${org}/projects`)}
        actions={[
          { title: texts.open, icon: 'projects', run: open },
          {
            title: texts.story,
            icon: 'activity',
            run: ({ metadata }) => {
              state.open('story', metadata.id);
            },
          },
          editAction(state),
          deleteAction(state),
        ]}
      />
      {state.search.dialog === 'new' && <ProjectForm org={org} groups={groups} onClose={state.close} />}
      {state.search.dialog === 'edit' && chosen && (
        <ProjectForm org={org} groups={groups} project={chosen} onClose={state.close} />
      )}
      <Suspense>
        {state.search.dialog === 'story' && chosen && <ProjectStory org={org} project={chosen} onClose={state.close} />}
      </Suspense>
      {state.search.dialog === 'delete' && chosen && <DeleteProject org={org} project={chosen} onClose={state.close} />}
    </>
  );
}

const textOf = ({ metadata }: Project) => `${metadata.name} ${metadata.id} ${metadata.description ?? ''}`;

interface Draft extends CommonDraft {
  readonly groupIDs: readonly string[];
}

const fields: FieldsOf<Draft> = { ...commonFields, groupIDs: { label: all.groups, merge: mergedList } };

function draftOf(project: Project | undefined): Draft {
  return {
    ...commonDraftOf(project),
    groupIDs: project?.spec.groupIDs ?? [],
  };
}

function ProjectForm({
  org,
  groups,
  project,
  onClose,
}: {
  readonly org: string;
  readonly groups: readonly Group[];
  readonly project?: Project;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const refresh = useRefresh(org);
  const form = useForm(project, draftOf, fields);
  const { draft, opened } = form;
  const body = { metadata: metadataOf(draft), spec: { groupIDs: [...draft.groupIDs] } };
  const save = () => {
    const collection = '/api/v1/organizations/{organizationID}/projects';
    const at = { params: { path: { organizationID: org, projectID: project?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(identity.POST(collection, { ...at, headers, body })),
        read: () => identity.GET(`${collection}/{projectID}`, at),
        write: (headers) => identity.PUT(`${collection}/{projectID}`, { ...at, headers, body }),
      },
      async (made) => {
        if (made) followResource('project', 'create', { org, ...made.metadata });
        await refresh();
        onClose();
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={project?.metadata.name}
      create={texts.create}
      known={[groups]}
      reason={missingOf([[fields.name.label, draft.name]])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Choices {...form.field('groupIDs')} hint={texts.groupsHint} options={optionsOf(groups)} />
      <Same
        noun="project"
        name={opened?.metadata.name ?? body.metadata.name}
        body={body}
        before={opened}
        known={[groups]}
        organization={org}
        sent={sentTo(pathOf(org, 'projects'), project?.metadata.id, body)}
      />
    </ItemForm>
  );
}

function DeleteProject({
  org,
  project,
  onClose,
}: {
  readonly org: string;
  readonly project: Project;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const refresh = useRefresh(org);
  const [ignoreProtection, setIgnoreProtection] = useState(false);
  const { id, name } = project.metadata;
  const remove = async () => {
    const path = { organizationID: org, projectID: id };
    await dataOf(
      identity.DELETE('/api/v1/organizations/{organizationID}/projects/{projectID}', {
        params: { path, ...(ignoreProtection ? { query: { ignoreProtection } } : {}) },
      }),
    );
    followResource('project', 'delete', { org, id, name });
    await refresh();
  };
  return (
    <DeleteResource
      noun="project"
      name={name}
      text={texts.deletes}
      flags={ignoreProtection ? ['--ignore-protection'] : []}
      organization={org}
      path={`${pathOf(org, 'projects')}/${id}${ignoreProtection ? '?ignoreProtection=true' : ''}`}
      remove={remove}
      onClose={onClose}
    >
      <ProjectContents org={org} project={project.metadata.id} />
      <CheckField label={texts.ignoreProtection} checked={ignoreProtection} onChange={setIgnoreProtection} />
    </DeleteResource>
  );
}
