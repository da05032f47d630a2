import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf } from '@unikorn/sdk';

import { defined } from '../defined.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { useOpened } from '../parts/opened.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { deleteAction, editAction, idOf, nameOf } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { ChangedMeanwhile, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { itemOf, sentTo, useChange, useLoginProviders, type LoginProvider } from './queries.ts';

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
  const chosen = data?.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('identity:oauth2providers', verb) ? undefined : words.parts.missingRight;
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
        createReason={refused('create')}
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
        actions={[editAction(state, refused('update')), deleteAction(state, refused('delete'))]}
      />
      {dialog === 'new' && <ProviderForm org={org} onClose={state.close} />}
      {dialog === 'edit' && chosen && <ProviderForm org={org} provider={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteProvider org={org} provider={chosen} onClose={state.close} />}
    </>
  );
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
  const { opened, theirs, save, load } = useOpened(provider);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [type, setType] = useState(opened?.spec.type);
  const [issuer, setIssuer] = useState(opened?.spec.issuer ?? '');
  const [clientID, setClientID] = useState(opened?.spec.clientID ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const body = {
    metadata: {
      name: name.trim(),
      ...defined({ description: opened?.metadata.description, tags: opened?.metadata.tags }),
    },
    spec: {
      issuer: issuer.trim(),
      clientID: clientID.trim(),
      ...defined({ type, clientSecret: clientSecret === '' ? undefined : clientSecret }),
    },
  };
  const { mutate, isPending, error } = useChange(
    org,
    async (): Promise<boolean> => {
      const path = { organizationID: org };
      const list = '/api/v1/organizations/{organizationID}/oauth2providers';
      if (provider)
        return save(
          () => itemOf(identity.GET(list, { params: { path } }), provider.metadata.id),
          (headers) =>
            identity.PUT(`${list}/{providerID}`, {
              params: { path: { ...path, providerID: provider.metadata.id } },
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
  const missing = [
    [words.parts.name, name],
    [texts.issuer, issuer],
    [texts.clientId, clientID],
  ].find(([, value]) => value?.trim() === '');
  return (
    <FormDialog
      title={provider ? words.parts.editTitle(nameOf(provider)) : texts.create}
      action={provider ? words.parts.save : texts.create}
      busy={isPending}
      error={error}
      reason={missing ? `${missing[0] ?? ''}: ${words.parts.required}` : undefined}
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
            setType(theirs.spec.type);
            setIssuer(theirs.spec.issuer);
            setClientID(theirs.spec.clientID);
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
      <ChoiceField
        label={texts.type}
        empty={texts.generic}
        value={type ?? ''}
        choices={types.map((value) => ({ value, label: value }))}
        onChange={(value) => {
          setType(types.find((each) => each === value));
        }}
      />
      <TextField
        label={texts.issuer}
        hint={texts.issuerHint}
        problem={fieldProblem(error, 'spec.issuer')}
        value={issuer}
        onChange={setIssuer}
        maxLength={2048}
        autoComplete="off"
      />
      <TextField
        label={texts.clientId}
        problem={fieldProblem(error, 'spec.clientID')}
        value={clientID}
        onChange={setClientID}
        maxLength={1024}
        autoComplete="off"
      />
      <TextField
        label={texts.clientSecret}
        {...(provider ? { hint: texts.clientSecretHint } : {})}
        problem={fieldProblem(error, 'spec.clientSecret')}
        type="password"
        value={clientSecret}
        onChange={setClientSecret}
        maxLength={4096}
        autoComplete="off"
      />
      <Same
        organization={org}
        sent={sentTo(org, 'oauth2providers', provider?.metadata.id, {
          ...body,
          spec: { ...body.spec, ...(clientSecret === '' ? {} : { clientSecret: '…' }) },
        })}
      />
    </FormDialog>
  );
}

function DeleteProvider({
  org,
  provider,
  onClose,
}: {
  readonly org: string;
  readonly provider: LoginProvider;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const { mutate, isPending, error } = useChange(
    org,
    () =>
      dataOf(
        identity.DELETE('/api/v1/organizations/{organizationID}/oauth2providers/{providerID}', {
          params: { path: { organizationID: org, providerID: provider.metadata.id } },
        }),
      ),
    onClose,
  );
  return (
    <DeleteDialog
      name={nameOf(provider)}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate(undefined);
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        organization={org}
        sent={{
          method: 'DELETE',
          path: `/identity/api/v1/organizations/${org}/oauth2providers/${provider.metadata.id}`,
        }}
      />
    </DeleteDialog>
  );
}
