import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';

import { dataOf, type Group, type User, type UserWrite } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { Notice } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { askedBelow, deleteAction, dialogAction, editAction, idOf } from '../parts/rows.tsx';
import { Status, type Tone } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { Choices, ItemForm, optionsOf } from '../parts/form.tsx';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import { missingOf, useForm } from '../parts/use-form.ts';
import { DeleteInOrganization } from './delete.tsx';
import { groupNames, pathOf, useRefresh, useUsers } from './queries.ts';

const all = words.identity;
const texts = all.people;
const from = '/o/$org/users';
const states = ['active', 'pending', 'suspended'] as const;
const tones: Readonly<Record<(typeof states)[number], Tone>> = { active: 'good', pending: 'busy', suspended: 'idle' };

/** The people of an organization. */
export function PeoplePage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const { data, error } = useUsers(org);
  const { items: groups } = useLive('groups', { organization: org });
  const chosen = useChosen(state, (id) => data?.find(({ metadata }) => metadata.id === id));
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="people"
        state={state}
        rows={data}
        error={error}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={rights.may('identity:users', 'create') ? undefined : words.parts.missingRight}
        above={<p className="max-w-3xl text-muted">{texts.passwordNote}</p>}
        columns={[
          {
            key: 'name',
            title: texts.address,
            width: 'minmax(12rem, 2fr)',
            sort: nameOf,
            cell: (user) => <span className="font-medium">{nameOf(user)}</span>,
          },
          {
            key: 'state',
            title: texts.state,
            sort: ({ spec }) => spec.state,
            cell: ({ spec }) => <Status tone={tones[spec.state]} word={texts.states[spec.state]} />,
          },
          {
            key: 'acceptance',
            title: texts.acceptance,
            width: 'minmax(8rem, 1fr)',
            cell: ({ status }) => (status.acceptance ? texts.acceptances[status.acceptance] : '–'),
          },
          {
            key: 'groups',
            title: all.groups,
            width: 'minmax(9rem, 2fr)',
            cell: ({ spec }) => groupNames(groups, spec.groupIDs).join(', ') || all.noGroups,
          },
          {
            key: 'active',
            labelled: true,
            title: texts.lastActive,
            width: '8rem',
            sort: ({ status }) => -Date.parse(status.lastActive ?? '1970-01-01'),
            cell: ({ status }) =>
              status.lastActive === undefined ? words.parts.never : <Time at={status.lastActive} />,
          },
        ]}
        asked={askedBelow('identity', `/api/v1/organizations/${org}/users`)}
        actions={[
          editAction(state),
          dialogAction(state, 'invite', { title: texts.invite, icon: 'login', asks: 'invitation' }),
          deleteAction(state),
        ]}
      />
      {dialog === 'new' && <PersonForm org={org} groups={groups} onClose={state.close} />}
      {dialog === 'edit' && chosen && <PersonForm org={org} groups={groups} user={chosen} onClose={state.close} />}
      {dialog === 'invite' && chosen && <Invitation org={org} user={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeletePerson org={org} user={chosen} onClose={state.close} />}
    </>
  );
}

const nameOf = ({ spec }: User) => spec.subject;
const textOf = ({ spec, metadata }: User) => `${spec.subject} ${metadata.id} ${spec.state}`;

type Draft = Pick<UserWrite['spec'], 'subject' | 'state'> & { readonly groupIDs: readonly string[] };

const fields: FieldsOf<Draft> = {
  subject: { label: texts.address, path: 'spec.subject' },
  state: { label: texts.state, text: (state) => texts.states[state] },
  groupIDs: { label: all.groups, merge: mergedList },
};

function draftOf(user: User | undefined): Draft {
  const { subject = '', state = 'active', groupIDs = [] } = user?.spec ?? {};
  return { subject, state, groupIDs };
}

function PersonForm({
  org,
  groups,
  user,
  onClose,
}: {
  readonly org: string;
  readonly groups: readonly Group[];
  readonly user?: User;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const refresh = useRefresh(org);
  const form = useForm(user, draftOf, fields);
  const { draft, opened } = form;
  const { subject, state, groupIDs } = draft;
  const body: UserWrite = { spec: { subject: subject.trim(), state, groupIDs: [...groupIDs] } };
  const save = () => {
    const collection = '/api/v1/organizations/{organizationID}/users';
    const at = { params: { path: { organizationID: org, userID: user?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(identity.POST(collection, { ...at, headers, body })),
        read: () => identity.GET(`${collection}/{userID}`, at),
        write: (headers) => identity.PUT(`${collection}/{userID}`, { ...at, headers, body }),
      },
      async () => {
        await refresh();
        onClose();
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={user && nameOf(user)}
      create={texts.create}
      createAction={texts.create}
      known={[groups]}
      reason={missingOf([[texts.address, subject]])}
      onClose={onClose}
      onSave={save}
    >
      {user ? (
        <ChoiceField
          {...form.field('state')}
          choices={states.map((value) => ({ value, label: texts.states[value] }))}
          onChange={(value) => {
            form.set({ state: states.find((each) => each === value) ?? 'active' });
          }}
        />
      ) : (
        <>
          <TextField
            {...form.field('subject')}
            hint={texts.addressHint}
            type="email"
            maxLength={320}
            autoComplete="off"
          />
          <p className="text-muted">{texts.passwordNote}</p>
        </>
      )}
      <Choices {...form.field('groupIDs')} options={optionsOf(groups)} />
      <Same
        noun="user"
        name={body.spec.subject}
        body={body}
        before={opened && { spec: opened.spec }}
        known={[groups]}
        organization={org}
        sent={sentTo(pathOf(org, 'users'), user?.metadata.id, body)}
      />
    </ItemForm>
  );
}

/** The link is made when the user asks for it, not when the dialog opens: each new link ends the one before. */
function Invitation({
  org,
  user,
  onClose,
}: {
  readonly org: string;
  readonly user: User;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        identity.POST('/api/v1/organizations/{organizationID}/users/{userID}/invitation', {
          params: { path: { organizationID: org, userID: user.metadata.id } },
        }),
      ),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.inviteTitle(nameOf(user))}
      actions={
        data ? (
          <Button onClick={onClose}>{words.parts.close}</Button>
        ) : (
          <Button
            kind="primary"
            busy={isPending}
            onClick={() => {
              mutate();
            }}
          >
            {texts.invite}
          </Button>
        )
      }
    >
      <p>{texts.inviteText}</p>
      {data && (
        <>
          <Code label={texts.invite} text={data.link} />
          <Notice>
            {texts.inviteExpiry} <Time at={data.expiry} />.
          </Notice>
        </>
      )}
      {error && <Problem error={error} />}
    </Dialog>
  );
}

function DeletePerson({
  org,
  user,
  onClose,
}: {
  readonly org: string;
  readonly user: User;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const params = { path: { organizationID: org, userID: user.metadata.id } };
  return (
    <DeleteInOrganization
      org={org}
      nouns="users"
      noun="user"
      id={user.metadata.id}
      name={nameOf(user)}
      text={texts.deletes}
      remove={() => dataOf(identity.DELETE('/api/v1/organizations/{organizationID}/users/{userID}', { params }))}
      onClose={onClose}
    />
  );
}
