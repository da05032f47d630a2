import { useParams } from '@tanstack/react-router';

import { dataOf } from '@unikorn/sdk';

import { defined } from '../defined.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { askedBelow, deleteAction, editAction, idOf, nameOf } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { DeleteInOrganization } from './delete.tsx';
import { pathOf, useLoginProviders, useRefresh, type LoginProvider } from './queries.ts';

const all = words.identity;
const texts = all.loginProviders;
const from = '/o/$org/login-providers';
const types = ['google', 'microsoft', 'github'] as const;

/** The providers with which people of an organization log in. */
export function LoginProvidersPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const { data, error } = useLoginProviders(org);
  const chosen = useChosen(state, (id) => data?.find(({ metadata }) => metadata.id === id));
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="login"
        state={state}
        rows={data}
        error={error}
        idOf={idOf}
        nameOf={nameOf}
        textOf={({ metadata, spec }) => `${metadata.name} ${spec.issuer}`}
        createReason={rights.may('identity:oauth2providers', 'create') ? undefined : words.parts.missingRight}
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (provider) => <span className="font-medium">{nameOf(provider)}</span>,
          },
          { key: 'type', title: texts.type, cell: ({ spec }) => spec.type ?? texts.generic },
          { key: 'issuer', title: texts.issuer, width: 'minmax(10rem, 2fr)', cell: ({ spec }) => spec.issuer },
          { key: 'client', title: texts.clientId, cell: ({ spec }) => spec.clientID },
        ]}
        asked={askedBelow('identity', `/api/v1/organizations/${org}/oauth2providers`)}
        actions={[editAction(state), deleteAction(state)]}
      />
      {dialog === 'new' && <ProviderForm org={org} onClose={state.close} />}
      {dialog === 'edit' && chosen && <ProviderForm org={org} provider={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteProvider org={org} provider={chosen} onClose={state.close} />}
    </>
  );
}

interface Draft extends CommonDraft {
  readonly type: (typeof types)[number] | undefined;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret: string;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  type: { label: texts.type, text: (type) => type ?? texts.generic },
  issuer: { label: texts.issuer, path: 'spec.issuer' },
  clientID: { label: texts.clientId, path: 'spec.clientID' },
  clientSecret: { label: texts.clientSecret, path: 'spec.clientSecret' },
};

function draftOf(provider: LoginProvider | undefined): Draft {
  return {
    ...commonDraftOf(provider),
    type: provider?.spec.type,
    issuer: provider?.spec.issuer ?? '',
    clientID: provider?.spec.clientID ?? '',
    clientSecret: '',
  };
}

function ProviderForm({
  org,
  provider,
  onClose,
}: {
  readonly org: string;
  readonly provider?: LoginProvider;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const refresh = useRefresh(org);
  const form = useForm(provider, draftOf, fields);
  const { draft, opened } = form;
  const { type, issuer, clientID, clientSecret } = draft;
  const bodyWith = (secret: string) => ({
    metadata: metadataOf(draft),
    spec: {
      issuer: issuer.trim(),
      clientID: clientID.trim(),
      ...defined({ type, clientSecret: clientSecret === '' ? undefined : secret }),
    },
  });
  const body = bodyWith(clientSecret);
  const save = () => {
    const collection = '/api/v1/organizations/{organizationID}/oauth2providers';
    const at = { params: { path: { organizationID: org, providerID: provider?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(identity.POST(collection, { ...at, headers, body })),
        read: () => identity.GET(`${collection}/{providerID}`, at),
        write: (headers) => identity.PUT(`${collection}/{providerID}`, { ...at, headers, body }),
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
      name={provider?.metadata.name}
      create={texts.create}
      createAction={texts.create}
      reason={missingOf([
        [fields.name.label, draft.name],
        [texts.issuer, issuer],
        [texts.clientId, clientID],
      ])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <ChoiceField
        label={texts.type}
        empty={texts.generic}
        value={type ?? ''}
        choices={types.map((value) => ({ value, label: value }))}
        onChange={(value) => {
          form.set({ type: types.find((each) => each === value) });
        }}
      />
      <TextField {...form.field('issuer')} hint={texts.issuerHint} maxLength={2048} autoComplete="off" />
      <TextField {...form.field('clientID')} maxLength={1024} autoComplete="off" />
      <TextField
        {...form.field('clientSecret')}
        {...(provider ? { hint: texts.clientSecretHint } : {})}
        type="password"
        maxLength={4096}
        autoComplete="off"
      />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Same
        noun="loginprovider"
        name={opened?.metadata.name ?? body.metadata.name}
        body={bodyWith('…')}
        before={opened}
        organization={org}
        sent={sentTo(pathOf(org, 'oauth2providers'), provider?.metadata.id, bodyWith('…'))}
      />
    </ItemForm>
  );
}

function DeleteProvider({
  org,
  provider: { metadata },
  onClose,
}: {
  readonly org: string;
  readonly provider: LoginProvider;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const path = '/api/v1/organizations/{organizationID}/oauth2providers/{providerID}';
  const params = { path: { organizationID: org, providerID: metadata.id } };
  return (
    <DeleteInOrganization
      org={org}
      nouns="oauth2providers"
      noun="loginprovider"
      id={metadata.id}
      name={metadata.name}
      text={texts.deletes}
      remove={() => dataOf(identity.DELETE(path, { params }))}
      onClose={onClose}
    />
  );
}
