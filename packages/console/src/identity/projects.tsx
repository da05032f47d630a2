import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type Group, type Project } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { CheckField, TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { createdColumn, idOf, liveRows, nameColumn, nameOf, statusColumn } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { useOpened } from '../parts/opened.ts';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { groupNames, sentTo, useChange } from './queries.ts';

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
  const { items } = live;
  const { items: groups } = useLive('groups', { organization: org });
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete', project?: string) =>
    rights.may('identity:projects', verb, project) ? undefined : words.parts.missingRight;
  const open = ({ metadata }: Project) =>
    void navigate({ to: '/o/$org/p/$project/instances', params: { org, project: metadata.id } });
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
        createReason={refused('create')}
        onOpen={open}
        columns={[
          nameColumn(),
          statusColumn(),
          {
            key: 'groups',
            title: all.groups,
            width: 'minmax(9rem, 2fr)',
            cell: ({ spec }) => <span>{groupNames(groups, spec.groupIDs).join(', ') || all.noGroups}</span>,
          },
          createdColumn(),
        ]}
        actions={[
          { title: texts.open, icon: 'projects', run: open },
          {
            title: words.parts.edit,
            icon: 'edit',
            reason: ({ metadata }) => refused('update', metadata.id),
            run: ({ metadata }) => {
              state.open('edit', metadata.id);
            },
          },
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            reason: ({ metadata }) => refused('delete', metadata.id),
            run: ({ metadata }) => {
              state.open('delete', metadata.id);
            },
          },
        ]}
      />
      {state.search.dialog === 'new' && <ProjectForm org={org} groups={groups} onClose={state.close} />}
      {state.search.dialog === 'edit' && chosen && (
        <ProjectForm org={org} groups={groups} project={chosen} onClose={state.close} />
      )}
      {state.search.dialog === 'delete' && chosen && <DeleteProject org={org} project={chosen} onClose={state.close} />}
    </>
  );
}

const textOf = ({ metadata }: Project) => `${metadata.name} ${metadata.id} ${metadata.description ?? ''}`;

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
  const { opened, theirs, save, load } = useOpened(project);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [description, setDescription] = useState(opened?.metadata.description ?? '');
  const [groupIDs, setGroupIDs] = useState<readonly string[]>(opened?.spec.groupIDs ?? []);
  const body = {
    metadata: {
      name: name.trim(),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(opened?.metadata.tags ? { tags: opened.metadata.tags } : {}),
    },
    spec: { groupIDs: [...groupIDs] },
  };
  const { mutate, isPending, error } = useChange(
    org,
    async (): Promise<boolean> => {
      if (project) {
        const params = { path: { organizationID: org, projectID: project.metadata.id } };
        const path = '/api/v1/organizations/{organizationID}/projects/{projectID}';
        return save(
          () => identity.GET(path, { params }),
          (headers) => identity.PUT(path, { params, headers, body }),
        );
      }
      const made = await dataOf(
        identity.POST('/api/v1/organizations/{organizationID}/projects', {
          params: { path: { organizationID: org } },
          body,
        }),
      );
      followResource('project', 'create', { org, ...made.metadata });
      return true;
    },
    (saved) => {
      if (saved) onClose();
    },
  );
  return (
    <FormDialog
      title={project ? words.parts.editTitle(project.metadata.name) : texts.create}
      action={project ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={name.trim() === '' ? `${words.parts.name}: ${words.parts.required}` : undefined}
      onClose={onClose}
      onSave={() => {
        mutate(undefined);
      }}
    >
      {theirs && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setName(theirs.metadata.name);
            setDescription(theirs.metadata.description ?? '');
            setGroupIDs(theirs.spec.groupIDs);
          }}
        />
      )}
      <TextField
        label={words.parts.name}
        hint={words.parts.nameHint}
        problem={fieldProblem(error, 'metadata.name')}
        value={name}
        onChange={setName}
        maxLength={63}
        autoComplete="off"
        autoFocus
      />
      <TextField label={words.parts.description} value={description} onChange={setDescription} maxLength={4096} />
      <Choices
        label={all.groups}
        hint={texts.groupsHint}
        options={groups.map(({ metadata }) => ({ id: metadata.id, label: metadata.name }))}
        chosen={groupIDs}
        onChange={setGroupIDs}
      />
      <Same
        noun="project"
        name={opened?.metadata.name ?? body.metadata.name}
        body={body}
        before={opened}
        known={[groups]}
        organization={org}
        sent={sentTo(org, 'projects', project?.metadata.id, body)}
      />
    </FormDialog>
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
  const [ignoreProtection, setIgnoreProtection] = useState(false);
  const { mutate, isPending, error } = useChange(
    org,
    async () => {
      await dataOf(
        identity.DELETE('/api/v1/organizations/{organizationID}/projects/{projectID}', {
          params: {
            path: { organizationID: org, projectID: project.metadata.id },
            ...(ignoreProtection ? { query: { ignoreProtection } } : {}),
          },
        }),
      );
      followResource('project', 'delete', { org, ...project.metadata });
    },
    onClose,
  );
  return (
    <DeleteDialog
      name={project.metadata.name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.deletes}</p>
      <CheckField label={texts.ignoreProtection} checked={ignoreProtection} onChange={setIgnoreProtection} />
      <Same
        noun="project"
        name={project.metadata.name}
        verb="delete"
        flags={ignoreProtection ? ['--ignore-protection'] : []}
        organization={org}
        sent={{
          method: 'DELETE',
          path: `/identity/api/v1/organizations/${org}/projects/${project.metadata.id}${ignoreProtection ? '?ignoreProtection=true' : ''}`,
        }}
      />
    </DeleteDialog>
  );
}
