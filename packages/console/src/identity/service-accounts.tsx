import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';

import { ConnectionError, dataOf, type Group, type ServiceAccount, type ServiceAccountWrite } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useChosen, useListState, type ListState } from '../parts/list-state.ts';
import { Notice } from '../parts/page.tsx';
import {
  askedBelow,
  createdColumn,
  deleteAction,
  dialogAction,
  editAction,
  idOf,
  nameColumn,
  nameOf,
} from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { Choices, ItemForm, MetadataFields, NameField, optionsOf } from '../parts/form.tsx';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { DeleteInOrganization } from './delete.tsx';
import { groupNames, pathOf, useRefresh, useServiceAccounts } from './queries.ts';

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
  const chosen = useChosen(state, (id) => data?.find(({ metadata }) => metadata.id === id));
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
        createReason={rights.may('identity:serviceaccounts', 'create') ? undefined : words.parts.missingRight}
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
            labelled: true,
            title: texts.expiry,
            width: '9rem',
            sort: ({ status }) => Date.parse(status.expiry),
            cell: ({ status }) => <Time at={status.expiry} />,
          },
          createdColumn(),
        ]}
        asked={askedBelow('identity', `/api/v1/organizations/${org}/serviceaccounts`)}
        actions={[
          editAction(state),
          dialogAction(state, 'rotate', { title: texts.rotate, icon: 'restart', asks: 'rotate' }),
          deleteAction(state),
        ]}
      />
      {dialog === 'new' && (
        <AccountForm org={org} groups={groups} onClose={state.close} onToken={onToken}>
          {(name) => <LostToken org={org} account={data?.find((each) => nameOf(each) === name)} state={state} />}
        </AccountForm>
      )}
      {dialog === 'edit' && chosen && (
        <AccountForm org={org} groups={groups} account={chosen} onClose={state.close} onToken={onToken} />
      )}
      {dialog === 'rotate' && chosen && <Rotate org={org} account={chosen} onClose={state.close} onToken={onToken} />}
      {dialog === 'delete' && chosen && <DeleteAccount org={org} account={chosen} onClose={state.close} />}
      {issued && (
        <ShownOnce
          title={texts.tokenTitle(issued.name)}
          text={texts.tokenText}
          label={texts.token}
          secret={issued.token}
          stored={texts.stored}
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
  /** What to do when the answer to a creation was lost. */
  readonly children?: (name: string) => ReactNode;
}

/** The account may exist, with a token that nobody saw. A new one replaces it. */
function LostToken({
  org,
  account,
  state,
}: {
  readonly org: string;
  readonly account: ServiceAccount | undefined;
  readonly state: ListState;
}) {
  const refresh = useRefresh(org);
  useEffect(() => {
    void refresh();
  }, [org]);
  return (
    <Notice tone="warn">
      <p>{texts.lost}</p>
      {account && (
        <Button
          className="mt-2"
          onClick={() => {
            state.open('rotate', account.metadata.id);
          }}
        >
          {texts.rotate}
        </Button>
      )}
    </Notice>
  );
}

interface Draft extends CommonDraft {
  readonly groupIDs: readonly string[];
}

const fields: FieldsOf<Draft> = { ...commonFields, groupIDs: { label: all.groups, merge: mergedList } };

function draftOf(account: ServiceAccount | undefined): Draft {
  return {
    ...commonDraftOf(account),
    groupIDs: account?.spec.groupIDs ?? [],
  };
}

function AccountForm({ org, groups, account, onClose, onToken, children }: FormProps) {
  const { identity } = useApi();
  const refresh = useRefresh(org);
  const form = useForm(account, draftOf, fields);
  const { draft, opened } = form;
  const body: ServiceAccountWrite = {
    metadata: metadataOf(draft),
    spec: { groupIDs: [...draft.groupIDs] },
  };
  const save = () => {
    const collection = '/api/v1/organizations/{organizationID}/serviceaccounts';
    const at = { params: { path: { organizationID: org, serviceAccountID: account?.metadata.id ?? '' } } };
    form.save(
      {
        create: () => dataOf(identity.POST(collection, { ...at, body })),
        read: () => identity.GET(`${collection}/{serviceAccountID}`, at),
        write: (headers) => identity.PUT(`${collection}/{serviceAccountID}`, { ...at, headers, body }),
      },
      async (made) => {
        await refresh();
        if (made) onToken(made);
        else onClose();
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={account?.metadata.name}
      create={texts.create}
      known={[groups]}
      reason={missingOf([[fields.name.label, draft.name]])}
      onClose={onClose}
      onSave={save}
    >
      {form.error instanceof ConnectionError && children?.(body.metadata.name)}
      <NameField {...form.field('name')} />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Choices {...form.field('groupIDs')} options={optionsOf(groups)} />
      <Same
        noun="serviceaccount"
        name={opened?.metadata.name ?? body.metadata.name}
        body={body}
        before={opened}
        known={[groups]}
        organization={org}
        sent={sentTo(pathOf(org, 'serviceaccounts'), account?.metadata.id, body)}
      />
    </ItemForm>
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
  const refresh = useRefresh(org);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts/{serviceAccountID}/rotate', {
          params: { path: { organizationID: org, serviceAccountID: account.metadata.id } },
        }),
      ),
    onSuccess: async (rotated) => {
      await refresh();
      onToken(rotated);
    },
  });
  return (
    <Confirm
      open
      title={texts.rotateTitle(nameOf(account))}
      action={texts.rotate}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.rotateText}</p>
      {error instanceof ConnectionError && <Notice tone="warn">{texts.lostRotation}</Notice>}
      <Same
        noun="serviceaccount"
        name={nameOf(account)}
        verb="rotate"
        organization={org}
        sent={{ method: 'POST', path: `${pathOf(org, 'serviceaccounts')}/${account.metadata.id}/rotate` }}
      />
    </Confirm>
  );
}

function DeleteAccount({
  org,
  account: { metadata },
  onClose,
}: {
  readonly org: string;
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const path = '/api/v1/organizations/{organizationID}/serviceaccounts/{serviceAccountID}';
  const params = { path: { organizationID: org, serviceAccountID: metadata.id } };
  return (
    <DeleteInOrganization
      org={org}
      nouns="serviceaccounts"
      noun="serviceaccount"
      id={metadata.id}
      name={metadata.name}
      text={texts.deletes}
      remove={() => dataOf(identity.DELETE(path, { params }))}
      onClose={onClose}
    />
  );
}
