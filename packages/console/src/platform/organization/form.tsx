import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type Organization } from '@unikorn/sdk';

import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { DeleteDialog, ItemForm, MetadataFields, NameField } from '../../parts/form.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { FieldsOf } from '../../parts/three-way.ts';
import {
  commonDraftOf,
  commonFields,
  metadataOf,
  missingOf,
  useForm,
  type CommonDraft,
  type Form,
} from '../../parts/use-form.ts';
import { serverNow } from '../../session/server-clock.ts';
import { useApi } from '../../session/context.tsx';
import { followWork } from '../../shell/work.ts';
import { metadataFlags, shellWord } from '../../parts/equivalent.ts';
import { Same, sentTo } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { useContents } from './contents.ts';

const texts = platformWords.organizations;
const types = ['adhoc', 'domain'] as const;
const scopes = ['global', 'organization'] as const;

interface Draft extends CommonDraft {
  readonly organizationType: (typeof types)[number];
  readonly domain: string;
  readonly providerScope: (typeof scopes)[number] | undefined;
  readonly providerID: string;
  readonly googleCustomerID: string;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  organizationType: { label: texts.type, text: (type) => texts.types[type] },
  domain: { label: texts.domain, path: 'spec.domain' },
  providerScope: { label: texts.providerScope, text: (scope) => (scope ? texts.providerScopes[scope] : texts.none) },
  providerID: { label: texts.providerId, path: 'spec.providerID' },
  googleCustomerID: { label: texts.googleCustomerId, path: 'spec.googleCustomerID' },
};

function draftOf(organization: Organization | undefined): Draft {
  const { spec } = organization ?? {};
  return {
    ...commonDraftOf(organization),
    organizationType: spec?.organizationType ?? 'adhoc',
    domain: spec?.domain ?? '',
    providerScope: spec?.providerScope,
    providerID: spec?.providerID ?? '',
    googleCustomerID: spec?.googleCustomerID ?? '',
  };
}

function bodyOf(draft: Draft) {
  const isDomain = draft.organizationType === 'domain';
  const given = (text: string) => text.trim() !== '';
  return {
    metadata: metadataOf(draft),
    spec: {
      organizationType: draft.organizationType,
      ...(isDomain && given(draft.domain) ? { domain: draft.domain.trim() } : {}),
      ...(isDomain && draft.providerScope ? { providerScope: draft.providerScope } : {}),
      ...(isDomain && given(draft.providerID) ? { providerID: draft.providerID.trim() } : {}),
      ...(isDomain && given(draft.googleCustomerID) ? { googleCustomerID: draft.googleCustomerID.trim() } : {}),
    },
  };
}

function commandOf({ metadata, spec }: ReturnType<typeof bodyOf>, opened: Organization | undefined): string {
  return [
    opened
      ? `npx unikorn organization update ${shellWord(opened.metadata.name)}`
      : `npx unikorn organization create ${shellWord(metadata.name || 'NAME')}`,
    ...(spec.organizationType === 'domain' ? ['--type domain'] : []),
    ...(spec.domain === undefined ? [] : [`--domain ${shellWord(spec.domain)}`]),
    ...(spec.providerScope === undefined ? [] : [`--provider-scope ${spec.providerScope}`]),
    ...(spec.providerID === undefined ? [] : [`--provider-id ${shellWord(spec.providerID)}`]),
    ...(spec.googleCustomerID === undefined ? [] : [`--google-customer-id ${shellWord(spec.googleCustomerID)}`]),
    ...metadataFlags({ metadata }, opened, opened?.metadata.name ?? metadata.name),
  ].join(' \\\n  ');
}

function follow(verb: string, { metadata }: Pick<Organization, 'metadata'>, goal: 'ready' | 'gone'): void {
  followWork({
    id: `${metadata.id} ${goal}`,
    title: `${verb} organization ${metadata.name}`,
    service: 'identity',
    path: `/api/v1/organizations/${metadata.id}`,
    goal,
    page: goal === 'gone' ? '/platform/organizations' : `/platform/organizations/${metadata.id}`,
    since: new Date(serverNow()).toISOString(),
  });
}

/** Creates an organization, or changes its name, its metadata and the way people become members. */
export function OrganizationForm({
  organization,
  onClose,
}: {
  readonly organization?: Organization;
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const form = useForm(organization, draftOf, fields);
  const { draft, opened } = form;
  const body = bodyOf(draft);
  const save = () => {
    const path = '/api/v1/organizations/{organizationID}';
    const at = { params: { path: { organizationID: organization?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(identity.POST('/api/v1/organizations', { body, headers })),
        read: () => identity.GET(path, at),
        write: (headers) => identity.PUT(path, { ...at, headers, body }),
      },
      async (made) => {
        if (made) follow('Create', made, 'ready');
        await queries.invalidateQueries({ queryKey: ['organizations'] });
        onClose();
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={organization?.metadata.name}
      create={texts.create}
      reason={missingOf([[fields.name.label, draft.name]])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <ChoiceField
        {...form.field('organizationType')}
        hint={texts.typeHint}
        choices={types.map((value) => ({ value, label: texts.types[value] }))}
        onChange={(value) => {
          form.set({ organizationType: types.find((each) => each === value) ?? 'adhoc' });
        }}
      />
      {draft.organizationType === 'domain' && <DomainFields form={form} />}
      <Same
        command={commandOf(body, opened)}
        file={
          organization
            ? undefined
            : { command: 'npx unikorn apply -f organization.yaml', document: { kind: 'organization', ...body } }
        }
        sent={sentTo('/identity/api/v1/organizations', organization?.metadata.id, body)}
      />
    </ItemForm>
  );
}

function DomainFields({ form }: { readonly form: Form<Organization, Draft> }) {
  return (
    <>
      <TextField {...form.field('domain')} hint={texts.domainHint} maxLength={253} autoComplete="off" />
      <ChoiceField
        label={texts.providerScope}
        empty={texts.none}
        value={form.draft.providerScope ?? ''}
        choices={scopes.map((value) => ({ value, label: texts.providerScopes[value] }))}
        onChange={(value) => {
          form.set({ providerScope: scopes.find((each) => each === value) });
        }}
      />
      <TextField {...form.field('providerID')} maxLength={253} autoComplete="off" />
      <TextField {...form.field('googleCustomerID')} maxLength={255} autoComplete="off" />
    </>
  );
}

/** Deletes an organization. What goes with it is listed before. */
export function DeleteOrganization({
  organization,
  onClose,
}: {
  readonly organization: Organization;
  readonly onClose: () => void;
}) {
  const { id, name } = organization.metadata;
  const { identity } = useApi();
  const queries = useQueryClient();
  const { data, error } = useContents(id);
  const [ignoreProtection, setIgnoreProtection] = useState(false);
  const remove = async () => {
    await identity.DELETE('/api/v1/organizations/{organizationID}', {
      params: { path: { organizationID: id }, ...(ignoreProtection ? { query: { ignoreProtection } } : {}) },
    });
    follow('Delete', organization, 'gone');
    await queries.invalidateQueries({ queryKey: ['organizations'] });
  };
  return (
    <DeleteDialog name={name} remove={remove} onClose={onClose}>
      <p>{texts.deletes}</p>
      {error && <Problem error={error} />}
      {data ? (
        <div className="rounded-md border border-bad-mark/40 bg-bad-soft p-3">
          <p className="font-medium">{texts.goes}</p>
          <ul className="mt-1 list-disc ps-5">
            {data.projects.map(({ metadata }) => (
              <li key={metadata.id}>
                {texts.goesProject(
                  metadata.name,
                  data.instances.filter((instance) => instance.metadata.projectId === metadata.id).length,
                )}
              </li>
            ))}
            {data.projects.length === 0 && <li>{texts.goesNothing}</li>}
            <li>{texts.goesPeople(data.people.length)}</li>
          </ul>
        </div>
      ) : (
        !error && <p className="text-muted">{words.parts.loading}</p>
      )}
      <CheckField label={texts.ignoreProtection} checked={ignoreProtection} onChange={setIgnoreProtection} />
      <Same
        command={`npx unikorn organization delete ${shellWord(name)}${ignoreProtection ? ' --ignore-protection' : ''}`}
        sent={{
          method: 'DELETE',
          path: `/identity/api/v1/organizations/${id}${ignoreProtection ? '?ignoreProtection=true' : ''}`,
        }}
      />
    </DeleteDialog>
  );
}
