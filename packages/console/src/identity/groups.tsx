import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type Group, type GroupWrite, type Role, type ServiceAccount, type User } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { deleteAction, editAction, idOf, liveRows, nameColumn, nameOf } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { number, words } from '../words/index.ts';
import { useOpened } from '../parts/opened.ts';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { foreignSubjects, memberCount, membersOf } from './members.ts';
import { sentTo, useChange, useRoles, useServiceAccounts, useUsers } from './queries.ts';

const all = words.identity;
const texts = all.groupPages;
const from = '/o/$org/groups';

/** The groups of an organization, live. */
export function GroupsPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const live = useLive('groups', { organization: org });
  const { items } = live;
  const { data: roles = [] } = useRoles(org);
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('identity:groups', verb) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="groups"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        columns={[
          nameColumn(),
          {
            key: 'roles',
            title: texts.roles,
            width: 'minmax(9rem, 2fr)',
            cell: ({ spec }) => roleNames(roles, spec.roleIDs).join(', ') || all.noGroups,
          },
          {
            key: 'members',
            title: texts.members,
            width: '6rem',
            sort: memberCount,
            cell: (group) => <span className="tabular">{number(memberCount(group))}</span>,
          },
        ]}
        actions={[editAction(state, refused('update')), deleteAction(state, refused('delete'))]}
      />
      {dialog === 'new' && <Loaded org={org} roles={roles} onClose={state.close} />}
      {dialog === 'edit' && chosen && <Loaded org={org} roles={roles} group={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteGroup org={org} group={chosen} onClose={state.close} />}
    </>
  );
}

const textOf = ({ metadata }: Group) => `${metadata.name} ${metadata.id} ${metadata.description ?? ''}`;

function roleNames(roles: readonly Role[], ids: readonly string[]): readonly string[] {
  return roles
    .filter(({ metadata }) => ids.includes(metadata.id))
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

interface FormProps {
  readonly org: string;
  readonly roles: readonly Role[];
  readonly group?: Group;
  readonly onClose: () => void;
}

/** The form needs all people and service accounts: saving without them would remove members. */
function Loaded(props: FormProps) {
  const { data: users } = useUsers(props.org);
  const { data: accounts } = useServiceAccounts(props.org);
  return users && accounts ? <GroupForm {...props} users={users} accounts={accounts} /> : null;
}

function GroupForm({
  org,
  roles,
  group,
  users,
  accounts,
  onClose,
}: FormProps & { readonly users: readonly User[]; readonly accounts: readonly ServiceAccount[] }) {
  const { identity } = useApi();
  const { opened, theirs, save, load } = useOpened(group);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [description, setDescription] = useState(opened?.metadata.description ?? '');
  const [roleIDs, setRoleIDs] = useState<readonly string[]>(opened?.spec.roleIDs ?? []);
  const [userIDs, setUserIDs] = useState<readonly string[]>(opened?.spec.userIDs ?? []);
  const [accountIDs, setAccountIDs] = useState<readonly string[]>(opened?.spec.serviceAccountIDs ?? []);
  const foreign = group ? foreignSubjects(group, users) : [];
  const metadata = {
    name: name.trim(),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(opened?.metadata.tags ? { tags: opened.metadata.tags } : {}),
  };
  const body: GroupWrite = {
    metadata,
    spec: { ...membersOf(users, userIDs, foreign), serviceAccountIDs: [...accountIDs], roleIDs: [...roleIDs] },
  };
  /** As the command line and files name people. */
  const written = (ids: readonly string[]) =>
    users.filter(({ metadata: { id } }) => ids.includes(id)).map(({ spec }) => spec.subject);
  const { mutate, isPending, error } = useChange(
    org,
    async () => {
      const path = { organizationID: org };
      if (group) {
        const params = { path: { ...path, groupid: group.metadata.id } };
        return save(
          () => identity.GET('/api/v1/organizations/{organizationID}/groups/{groupid}', { params }),
          (headers) =>
            identity.PUT('/api/v1/organizations/{organizationID}/groups/{groupid}', { params, headers, body }),
        );
      }
      await dataOf(identity.POST('/api/v1/organizations/{organizationID}/groups', { params: { path }, body }));
      return true;
    },
    (saved) => {
      if (saved) onClose();
    },
  );
  return (
    <FormDialog
      title={group ? words.parts.editTitle(nameOf(group)) : texts.create}
      action={group ? words.parts.save : words.parts.create}
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
            setRoleIDs(theirs.spec.roleIDs);
            setUserIDs(theirs.spec.userIDs ?? []);
            setAccountIDs(theirs.spec.serviceAccountIDs);
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
        label={texts.roles}
        options={roles.map(({ metadata, grantable }) => ({
          id: metadata.id,
          label: metadata.name,
          hint: grantable ? metadata.description : texts.notGrantable,
          disabled: !grantable,
        }))}
        chosen={roleIDs}
        onChange={setRoleIDs}
      />
      <Choices
        label={texts.people}
        {...(foreign.length === 0 ? {} : { hint: texts.foreign(number(foreign.length)) })}
        options={users.map(({ metadata, spec }) => ({ id: metadata.id, label: spec.subject }))}
        chosen={userIDs}
        onChange={setUserIDs}
      />
      <Choices
        label={texts.serviceAccounts}
        options={accounts.map(({ metadata }) => ({ id: metadata.id, label: metadata.name }))}
        chosen={accountIDs}
        onChange={setAccountIDs}
      />
      <Same
        noun="group"
        name={opened?.metadata.name ?? metadata.name}
        body={{
          metadata,
          spec: { roleIDs, subjects: [...written(userIDs), ...foreign], serviceAccountIDs: accountIDs },
        }}
        before={
          opened && {
            metadata: opened.metadata,
            spec: { ...opened.spec, subjects: [...written(opened.spec.userIDs ?? []), ...foreign] },
          }
        }
        known={[roles, accounts]}
        organization={org}
        sent={sentTo(org, 'groups', group?.metadata.id, body)}
      />
    </FormDialog>
  );
}

function DeleteGroup({
  org,
  group,
  onClose,
}: {
  readonly org: string;
  readonly group: Group;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const { mutate, isPending, error } = useChange(
    org,
    () =>
      dataOf(
        identity.DELETE('/api/v1/organizations/{organizationID}/groups/{groupid}', {
          params: { path: { organizationID: org, groupid: group.metadata.id } },
        }),
      ),
    onClose,
  );
  return (
    <DeleteDialog
      name={nameOf(group)}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        noun="group"
        name={nameOf(group)}
        verb="delete"
        organization={org}
        sent={{ method: 'DELETE', path: `/identity/api/v1/organizations/${org}/groups/${group.metadata.id}` }}
      />
    </DeleteDialog>
  );
}
