import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { ConnectionError, dataOf, type Group, type ServiceAccount, type ServiceAccountWrite } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Code } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { Notice } from '../parts/page.tsx';
import { fieldProblem } from '../parts/problem.tsx';
import { createdColumn, deleteAction, dialogAction, editAction, idOf, nameColumn, nameOf } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { useOpened } from '../parts/opened.ts';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { groupNames, itemOf, sentTo, useChange, useServiceAccounts } from './queries.ts';

const all = words.identity;
const texts = all.serviceAccounts;
const from = '/o/$org/service-accounts';

/** A token that was just issued. It exists only in this page, until the user says that it is stored. */
interface Issued {
  readonly name: string;
  readonly token: string;
}

/** The service accounts of an organization. */
export function ServiceAccountsPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const { data, error } = useServiceAccounts(org);
  const { items: groups } = useLive('groups', { organization: org });
  const [issued, setIssued] = useState<Issued>();
  const chosen = data?.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('identity:serviceaccounts', verb) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  const onToken = ({ metadata, status }: ServiceAccount) => {
    state.close();
    if (status.accessToken !== undefined) setIssued({ name: metadata.name, token: status.accessToken });
  };
  return (
    <>
      <ListPage
        texts={texts}
        icon="key"
        state={state}
        rows={data}
        error={error}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        columns={[
          nameColumn(),
          {
            key: 'groups',
            title: all.groups,
            width: 'minmax(9rem, 2fr)',
            cell: ({ spec }) => groupNames(groups, spec.groupIDs).join(', ') || all.noGroups,
          },
          {
            key: 'expiry',
            title: texts.expiry,
            width: '9rem',
            sort: ({ status }) => Date.parse(status.expiry),
            cell: ({ status }) => <Time at={status.expiry} />,
          },
          createdColumn(),
        ]}
        actions={[
          editAction(state, refused('update')),
          dialogAction(state, 'rotate', { title: texts.rotate, icon: 'restart', reason: refused('update') }),
          deleteAction(state, refused('delete')),
        ]}
      />
      {dialog === 'new' && <AccountForm org={org} groups={groups} onClose={state.close} onToken={onToken} />}
      {dialog === 'edit' && chosen && (
        <AccountForm org={org} groups={groups} account={chosen} onClose={state.close} onToken={onToken} />
      )}
      {dialog === 'rotate' && chosen && <Rotate org={org} account={chosen} onClose={state.close} onToken={onToken} />}
      {dialog === 'delete' && chosen && <DeleteAccount org={org} account={chosen} onClose={state.close} />}
      {issued && (
        <TokenDialog
          {...issued}
          onStored={() => {
            setIssued(undefined);
          }}
        />
      )}
    </>
  );
}

const textOf = ({ metadata }: ServiceAccount) => `${metadata.name} ${metadata.id} ${metadata.description ?? ''}`;

interface FormProps {
  readonly org: string;
  readonly groups: readonly Group[];
  readonly account?: ServiceAccount;
  readonly onClose: () => void;
  readonly onToken: (account: ServiceAccount) => void;
}

function AccountForm({ org, groups, account, onClose, onToken }: FormProps) {
  const { identity } = useApi();
  const { opened, theirs, save, load } = useOpened(account);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [description, setDescription] = useState(opened?.metadata.description ?? '');
  const [groupIDs, setGroupIDs] = useState<readonly string[]>(opened?.spec.groupIDs ?? []);
  const body: ServiceAccountWrite = {
    metadata: {
      name: name.trim(),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(opened?.metadata.tags ? { tags: opened.metadata.tags } : {}),
    },
    spec: { groupIDs: [...groupIDs] },
  };
  const { mutate, isPending, error } = useChange(
    org,
    async () => {
      const path = { organizationID: org };
      const list = '/api/v1/organizations/{organizationID}/serviceaccounts';
      if (!account) return dataOf(identity.POST(list, { params: { path }, body }));
      return save(
        () => itemOf(identity.GET(list, { params: { path } }), account.metadata.id),
        (headers) =>
          identity.PUT(`${list}/{serviceAccountID}`, {
            params: { path: { ...path, serviceAccountID: account.metadata.id } },
            headers,
            body,
          }),
      );
    },
    (done) => {
      if (typeof done === 'object') onToken(done);
      else if (done) onClose();
    },
  );
  return (
    <FormDialog
      title={account ? words.parts.editTitle(nameOf(account)) : texts.create}
      action={account ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={name.trim() === '' ? `${words.parts.name}: ${words.parts.required}` : undefined}
      onClose={onClose}
      onSave={() => {
        mutate(undefined);
      }}
    >
      {!account && error instanceof ConnectionError && <Notice tone="warn">{texts.lost}</Notice>}
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
        options={groups.map(({ metadata }) => ({ id: metadata.id, label: metadata.name }))}
        chosen={groupIDs}
        onChange={setGroupIDs}
      />
      <Same
        noun="serviceaccount"
        name={opened?.metadata.name ?? body.metadata.name}
        body={body}
        before={opened}
        known={[groups]}
        organization={org}
        sent={sentTo(org, 'serviceaccounts', account?.metadata.id, body)}
      />
    </FormDialog>
  );
}

function Rotate({
  org,
  account,
  onClose,
  onToken,
}: {
  readonly org: string;
  readonly account: ServiceAccount;
  readonly onClose: () => void;
  readonly onToken: (account: ServiceAccount) => void;
}) {
  const { identity } = useApi();
  const { mutate, isPending, error } = useChange(
    org,
    () =>
      dataOf(
        identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts/{serviceAccountID}/rotate', {
          params: { path: { organizationID: org, serviceAccountID: account.metadata.id } },
        }),
      ),
    onToken,
  );
  return (
    <Confirm
      open
      title={texts.rotateTitle(nameOf(account))}
      action={texts.rotate}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.rotateText}</p>
    </Confirm>
  );
}

/** Closed only by the button: the token cannot be shown again. */
function TokenDialog({ name, token, onStored }: Issued & { readonly onStored: () => void }) {
  return (
    <Dialog
      open
      forced
      onClose={onStored}
      title={texts.tokenTitle(name)}
      actions={
        <Button kind="primary" onClick={onStored}>
          {texts.stored}
        </Button>
      }
    >
      <Notice tone="warn">{texts.tokenText}</Notice>
      <Code label={texts.token} text={token} />
    </Dialog>
  );
}

function DeleteAccount({
  org,
  account,
  onClose,
}: {
  readonly org: string;
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const { mutate, isPending, error } = useChange(
    org,
    () =>
      dataOf(
        identity.DELETE('/api/v1/organizations/{organizationID}/serviceaccounts/{serviceAccountID}', {
          params: { path: { organizationID: org, serviceAccountID: account.metadata.id } },
        }),
      ),
    onClose,
  );
  return (
    <DeleteDialog
      name={nameOf(account)}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        noun="serviceaccount"
        name={nameOf(account)}
        verb="delete"
        organization={org}
        sent={{
          method: 'DELETE',
          path: `/identity/api/v1/organizations/${org}/serviceaccounts/${account.metadata.id}`,
        }}
      />
    </DeleteDialog>
  );
}
