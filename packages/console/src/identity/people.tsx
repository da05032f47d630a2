import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type Group, type User, type UserWrite } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { Notice } from '../parts/page.tsx';
import { fieldProblem, Problem } from '../parts/problem.tsx';
import { deleteAction, dialogAction, editAction, idOf } from '../parts/rows.tsx';
import { Status, type Tone } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { useOpened } from '../parts/opened.ts';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { groupNames, itemOf, sentTo, useChange, useUsers } from './queries.ts';

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
  const chosen = data?.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('identity:users', verb) ? undefined : words.parts.missingRight;
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
        createReason={refused('create')}
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
            title: texts.lastActive,
            width: '8rem',
            sort: ({ status }) => -Date.parse(status.lastActive ?? '1970-01-01'),
            cell: ({ status }) =>
              status.lastActive === undefined ? words.parts.never : <Time at={status.lastActive} />,
          },
        ]}
        actions={[
          editAction(state, refused('update')),
          dialogAction(state, 'invite', { title: texts.invite, icon: 'login', reason: refused('update') }),
          deleteAction(state, refused('delete')),
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
  const { opened, theirs, save, load } = useOpened(user);
  const [subject, setSubject] = useState(opened?.spec.subject ?? '');
  const [state, setState] = useState(opened?.spec.state ?? 'active');
  const [groupIDs, setGroupIDs] = useState<readonly string[]>(opened?.spec.groupIDs ?? []);
  const body: UserWrite = { spec: { subject: subject.trim(), state, groupIDs: [...groupIDs] } };
  const { mutate, isPending, error } = useChange(
    org,
    async (): Promise<boolean> => {
      const path = { organizationID: org };
      const list = '/api/v1/organizations/{organizationID}/users';
      if (user)
        return save(
          () => itemOf(identity.GET(list, { params: { path } }), user.metadata.id),
          (headers) =>
            identity.PUT(`${list}/{userID}`, {
              params: { path: { ...path, userID: user.metadata.id } },
              headers,
              body,
            }),
        );
      await dataOf(identity.POST(list, { params: { path }, body }));
      return true;
    },
    (saved) => {
      if (saved) onClose();
    },
  );
  return (
    <FormDialog
      title={user ? words.parts.editTitle(nameOf(user)) : texts.create}
      action={user ? words.parts.save : texts.create}
      busy={isPending}
      error={error}
      reason={subject.trim() === '' ? `${texts.address}: ${words.parts.required}` : undefined}
      onClose={onClose}
      onSave={() => {
        mutate(undefined);
      }}
    >
      {theirs && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setState(theirs.spec.state);
            setGroupIDs(theirs.spec.groupIDs);
          }}
        />
      )}
      {user ? (
        <ChoiceField
          label={texts.state}
          value={state}
          choices={states.map((value) => ({ value, label: texts.states[value] }))}
          onChange={(value) => {
            setState(states.find((each) => each === value) ?? 'active');
          }}
        />
      ) : (
        <>
          <TextField
            label={texts.address}
            hint={texts.addressHint}
            problem={fieldProblem(error, 'spec.subject')}
            type="email"
            value={subject}
            onChange={setSubject}
            maxLength={320}
            autoComplete="off"
            autoFocus
          />
          <p className="text-muted">{texts.passwordNote}</p>
        </>
      )}
      <Choices
        label={all.groups}
        options={groups.map(({ metadata }) => ({ id: metadata.id, label: metadata.name }))}
        chosen={groupIDs}
        onChange={setGroupIDs}
      />
      <Same
        noun="user"
        name={body.spec.subject}
        body={body}
        before={opened && { spec: opened.spec }}
        known={[groups]}
        organization={org}
        sent={sentTo(org, 'users', user?.metadata.id, body)}
      />
    </FormDialog>
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
  const { mutate, isPending, error } = useChange(
    org,
    () =>
      dataOf(
        identity.DELETE('/api/v1/organizations/{organizationID}/users/{userID}', {
          params: { path: { organizationID: org, userID: user.metadata.id } },
        }),
      ),
    onClose,
  );
  return (
    <DeleteDialog
      name={nameOf(user)}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        noun="user"
        name={nameOf(user)}
        verb="delete"
        organization={org}
        sent={{ method: 'DELETE', path: `/identity/api/v1/organizations/${org}/users/${user.metadata.id}` }}
      />
    </DeleteDialog>
  );
}
