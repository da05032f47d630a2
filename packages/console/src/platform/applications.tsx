import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ConnectionError, dataOf, type OAuth2Client } from '@unikorn/sdk';

import { ChoiceField, TextField } from '../parts/field.tsx';
import { ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Identifier } from '../parts/copy.tsx';
import { Notice } from '../parts/page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { shellWord } from '../parts/equivalent.ts';
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
import { ShownOnce } from '../parts/shown-once.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';
import { RefreshedList } from './refreshed.tsx';

const texts = platformWords.applications;
const types = ['confidential', 'public', 'native'] as const;
const queryKey = ['oauth2clients'];
const collection = '/api/v1/oauth2clients';

/** The programs and web pages that people log in to with their accounts of the platform. */
export function ApplicationsPage() {
  const { identity } = useApi();
  const state = useListState();
  const rights = useRights(undefined);
  const [issued, setIssued] = useState<{ readonly name: string; readonly secret: string }>();
  const query = useQuery({
    queryKey,
    queryFn: (): Promise<readonly OAuth2Client[]> => dataOf(identity.GET(collection)),
    refetchInterval: 15_000,
  });
  const { dialog } = state.search;
  const { data } = query;
  const chosen = useChosen(state, (id) => data?.find(({ metadata }) => metadata.id === id));
  const onSecret = ({ metadata, status }: OAuth2Client) => {
    if (status.secret !== undefined) setIssued({ name: metadata.name, secret: status.secret });
  };
  return (
    <>
      <RefreshedList
        texts={texts}
        icon="login"
        state={state}
        query={query}
        rows={data}
        idOf={idOf}
        nameOf={nameOf}
        textOf={({ metadata, spec }) => `${metadata.name} ${metadata.id} ${spec.redirectUris.join(' ')}`}
        createReason={rights.mayGlobally('identity:oauth2clients', 'create') ? undefined : words.parts.missingRight}
        columns={[
          nameColumn(),
          { key: 'id', title: texts.clientId, width: '9rem', cell: ({ metadata }) => <Identifier id={metadata.id} /> },
          { key: 'type', title: texts.type, cell: ({ spec }) => spec.type ?? types[0] },
          {
            key: 'redirects',
            title: texts.redirects,
            width: 'minmax(10rem, 2fr)',
            cell: ({ spec }) => spec.redirectUris.join(', '),
          },
          createdColumn(),
        ]}
        asked={askedBelow('identity', collection)}
        actions={[
          editAction(state),
          dialogAction(state, 'rotate', { title: texts.rotate, icon: 'restart', asks: 'update' }),
          deleteAction(state),
        ]}
      />
      {dialog === 'new' && <ApplicationForm onClose={state.close} onMade={onSecret} />}
      {dialog === 'edit' && chosen && <ApplicationForm application={chosen} onClose={state.close} />}
      {dialog === 'rotate' && chosen && <Rotate application={chosen} onClose={state.close} onSecret={onSecret} />}
      {dialog === 'delete' && chosen && <DeleteApplication application={chosen} onClose={state.close} />}
      {issued && (
        <ShownOnce
          title={texts.secretTitle(issued.name)}
          text={texts.secretText}
          label={texts.secret}
          secret={issued.secret}
          stored={texts.stored}
          onStored={() => {
            setIssued(undefined);
          }}
        />
      )}
    </>
  );
}

interface Draft extends CommonDraft {
  readonly type: (typeof types)[number];
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly loginUri: string;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  type: { label: texts.type, path: 'spec.type' },
  redirectUris: { label: texts.redirects, path: 'spec.redirectUris' },
  postLogoutRedirectUris: { label: texts.logoutRedirects, path: 'spec.postLogoutRedirectUris' },
  loginUri: { label: texts.loginUri, path: 'spec.loginUri' },
};

function draftOf(application: OAuth2Client | undefined): Draft {
  const { spec } = application ?? {};
  return {
    ...commonDraftOf(application),
    type: spec?.type ?? types[0],
    redirectUris: (spec?.redirectUris ?? []).join('\n'),
    postLogoutRedirectUris: (spec?.postLogoutRedirectUris ?? []).join('\n'),
    loginUri: spec?.loginUri ?? '',
  };
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '');
}

function specOf({ type, redirectUris, postLogoutRedirectUris, loginUri }: Draft) {
  const afterLogout = linesOf(postLogoutRedirectUris);
  return {
    type,
    redirectUris: linesOf(redirectUris),
    ...(afterLogout.length === 0 ? {} : { postLogoutRedirectUris: afterLogout }),
    ...(loginUri.trim() === '' ? {} : { loginUri: loginUri.trim() }),
  };
}

function ApplicationForm({
  application,
  onClose,
  onMade,
}: {
  readonly application?: OAuth2Client;
  readonly onClose: () => void;
  readonly onMade?: (made: OAuth2Client) => void;
}) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const form = useForm(application, draftOf, fields);
  const { draft, opened } = form;
  const body = { metadata: metadataOf(draft), spec: specOf(draft) };
  const save = () => {
    const item = `${collection}/{oauth2ClientID}` as const;
    const params = { path: { oauth2ClientID: application?.metadata.id ?? '' } };
    form.save(
      {
        create: () => dataOf(identity.POST(collection, { body })),
        read: () => identity.GET(item, { params }),
        write: (headers) => identity.PUT(item, { params, headers, body }),
      },
      async (made) => {
        if (made) onMade?.(made);
        await queries.invalidateQueries({ queryKey });
        onClose();
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={application?.metadata.name}
      create={texts.create}
      createAction={texts.create}
      reason={missingOf([
        [fields.name.label, draft.name],
        [texts.redirects, draft.redirectUris],
      ])}
      onClose={onClose}
      onSave={save}
    >
      {!application && form.error instanceof ConnectionError && <Notice tone="warn">{texts.lost}</Notice>}
      <NameField {...form.field('name')} />
      {application ? (
        <p className="text-muted">{texts.typeFixed}</p>
      ) : (
        <ChoiceField
          {...form.field('type')}
          choices={types.map((value) => ({ value, label: texts.types[value] }))}
          onChange={(value) => {
            form.set({ type: types.find((each) => each === value) ?? types[0] });
          }}
        />
      )}
      <TextField {...form.field('redirectUris')} hint={texts.redirectsHint} rows={3} />
      <TextField {...form.field('postLogoutRedirectUris')} hint={texts.logoutRedirectsHint} rows={2} />
      <TextField {...form.field('loginUri')} hint={texts.loginUriHint} maxLength={1024} autoComplete="off" />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Same
        noun="oauth2client"
        name={opened?.metadata.name ?? draft.name.trim()}
        before={opened}
        body={body}
        sent={sentTo(`/identity${collection}`, application?.metadata.id, body)}
      />
    </ItemForm>
  );
}

/** Replaces the secret of an application. The new one is shown once. */
function Rotate({
  application: { metadata },
  onClose,
  onSecret,
}: {
  readonly application: OAuth2Client;
  readonly onClose: () => void;
  readonly onSecret: (application: OAuth2Client) => void;
}) {
  const { identity } = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (): Promise<OAuth2Client> =>
      dataOf(
        identity.POST(`${collection}/{oauth2ClientID}/rotate`, { params: { path: { oauth2ClientID: metadata.id } } }),
      ),
    onSuccess: (rotated) => {
      onClose();
      onSecret(rotated);
    },
  });
  return (
    <Confirm
      open
      danger
      title={texts.rotateTitle(metadata.name)}
      action={texts.rotate}
      typed={metadata.name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.rotateText}</p>
      <Same
        command={`npx unikorn oauth2client rotate-secret ${shellWord(metadata.name)}`}
        sent={{ method: 'POST', path: `/identity${collection}/${metadata.id}/rotate` }}
      />
    </Confirm>
  );
}

function DeleteApplication({
  application: { metadata },
  onClose,
}: {
  readonly application: OAuth2Client;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const remove = async () => {
    const params = { path: { oauth2ClientID: metadata.id } };
    await identity.DELETE(`${collection}/{oauth2ClientID}`, { params });
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <DeleteResource
      noun="oauth2client"
      name={metadata.name}
      path={`/identity${collection}/${metadata.id}`}
      text={texts.deletes}
      remove={remove}
      onClose={onClose}
    />
  );
}
