import { useParams } from '@tanstack/react-router';

import { dataOf, type Group, type GroupWrite, type Role, type ServiceAccount, type User } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { askedBelow, deleteAction, editAction, idOf, liveRows, nameColumn, nameOf } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same, sentTo } from '../shell/same.tsx';
import { number, words } from '../words/index.ts';
import { Choices, ItemForm, MetadataFields, NameField, optionsOf } from '../parts/form.tsx';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { DeleteInOrganization } from './delete.tsx';
import { foreignSubjects, memberCount, membersOf } from './members.ts';
import { pathOf, useRefresh, useRoles, useServiceAccounts, useUsers } from './queries.ts';
import { IdentityViews } from './views.tsx';

const all = words.identity;
const texts = all.groupPages;
const from = '/o/$org/groups';

/** The groups of an organization, live. */
export function GroupsPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const live = useLive('groups', { organization: org });
  const { data: roles = [] } = useRoles(org);
  const chosen = useChosen(state, (id) => live.byId.get(id));
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
        createReason={rights.may('identity:groups', 'create') ? undefined : words.parts.missingRight}
        above={<IdentityViews noun="groups" />}
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
        asked={askedBelow('identity', `/api/v1/organizations/${org}/groups`)}
        actions={[editAction(state), deleteAction(state)]}
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

interface Draft extends CommonDraft {
  readonly roleIDs: readonly string[];
  readonly userIDs: readonly string[];
  readonly accountIDs: readonly string[];
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  roleIDs: { label: texts.roles, merge: mergedList },
  userIDs: { label: texts.people, merge: mergedList },
  accountIDs: { label: texts.serviceAccounts, merge: mergedList },
};

function draftOf(group: Group | undefined): Draft {
  return {
    ...commonDraftOf(group),
    roleIDs: group?.spec.roleIDs ?? [],
    userIDs: group?.spec.userIDs ?? [],
    accountIDs: group?.spec.serviceAccountIDs ?? [],
  };
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
  const refresh = useRefresh(org);
  const form = useForm(group, draftOf, fields);
  const { draft, opened } = form;
  const foreign = group ? foreignSubjects(group, users) : [];
  const metadata = metadataOf(draft);
  const own = { roleIDs: [...draft.roleIDs], serviceAccountIDs: [...draft.accountIDs] };
  const body: GroupWrite = { metadata, spec: { ...membersOf(users, draft.userIDs, foreign), ...own } };
  /** As the command line and files name people. */
  const written = (ids: readonly string[]) =>
    users.filter(({ metadata: { id } }) => ids.includes(id)).map(({ spec }) => spec.subject);
  const save = () => {
    const collection = '/api/v1/organizations/{organizationID}/groups';
    const at = { params: { path: { organizationID: org, groupid: group?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(identity.POST(collection, { ...at, headers, body })),
        read: () => identity.GET(`${collection}/{groupid}`, at),
        write: (headers) => identity.PUT(`${collection}/{groupid}`, { ...at, headers, body }),
      },
      async () => {
        await refresh();
        onClose();
      },
    );
  };
  const people = users.map(({ metadata: { id }, spec }) => ({ id, label: spec.subject }));
  return (
    <ItemForm
      form={form}
      name={group?.metadata.name}
      create={texts.create}
      known={[roles, accounts, people.map(({ id, label }) => ({ metadata: { id, name: label } }))]}
      reason={missingOf([[fields.name.label, draft.name]])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Choices
        {...form.field('roleIDs')}
        options={roles.map(({ metadata: { id, name, description }, grantable }) => ({
          id,
          label: name,
          hint: grantable ? description : texts.notGrantable,
          disabled: !grantable,
        }))}
      />
      <Choices
        {...form.field('userIDs')}
        {...(foreign.length === 0 ? {} : { hint: texts.foreign(number(foreign.length)) })}
        options={people}
      />
      <Choices {...form.field('accountIDs')} options={optionsOf(accounts)} />
      <Same
        noun="group"
        name={opened?.metadata.name ?? metadata.name}
        body={{ metadata, spec: { ...own, subjects: [...written(draft.userIDs), ...foreign] } }}
        before={
          opened && {
            metadata: opened.metadata,
            spec: { ...opened.spec, subjects: [...written(opened.spec.userIDs ?? []), ...foreign] },
          }
        }
        known={[roles, accounts]}
        organization={org}
        sent={sentTo(pathOf(org, 'groups'), group?.metadata.id, body)}
      />
    </ItemForm>
  );
}

function DeleteGroup({
  org,
  group: { metadata },
  onClose,
}: {
  readonly org: string;
  readonly group: Group;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const params = { path: { organizationID: org, groupid: metadata.id } };
  return (
    <DeleteInOrganization
      org={org}
      nouns="groups"
      noun="group"
      id={metadata.id}
      name={metadata.name}
      text={texts.deletes}
      remove={() => dataOf(identity.DELETE('/api/v1/organizations/{organizationID}/groups/{groupid}', { params }))}
      onClose={onClose}
    />
  );
}
