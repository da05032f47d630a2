import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { dataOf, type Organization } from '@unikorn/sdk';

import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { ChangedMeanwhile, DeleteDialog, FormDialog } from '../../parts/form.tsx';
import { useOpened } from '../../parts/opened.ts';
import { fieldProblem, Problem } from '../../parts/problem.tsx';
import { platform } from '../../platform.ts';
import { useApi } from '../../session/context.tsx';
import { followWork } from '../../shell/work.ts';
import { shellWord } from '../../parts/equivalent.ts';
import { Same } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { tagsOf, tagText } from '../tags.ts';
import { useContents } from './contents.ts';

const texts = platformWords.organizations;
const types = ['adhoc', 'domain'] as const;
const scopes = ['global', 'organization'] as const;

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly tags: string;
  readonly organizationType: (typeof types)[number];
  readonly domain: string;
  readonly providerScope: (typeof scopes)[number] | undefined;
  readonly providerID: string;
  readonly googleCustomerID: string;
}

function draftOf(organization: Organization | undefined): Draft {
  const { metadata, spec } = organization ?? {};
  return {
    name: metadata?.name ?? '',
    description: metadata?.description ?? '',
    tags: tagText(metadata?.tags),
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
    metadata: {
      name: draft.name.trim(),
      ...(given(draft.description) ? { description: draft.description.trim() } : {}),
      ...(given(draft.tags) ? { tags: tagsOf(draft.tags) } : {}),
    },
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
    ...(opened && opened.metadata.name !== metadata.name ? [`--name ${shellWord(metadata.name)}`] : []),
    ...(spec.organizationType === 'domain' ? ['--type domain'] : []),
    ...(spec.domain === undefined ? [] : [`--domain ${shellWord(spec.domain)}`]),
    ...(spec.providerScope === undefined ? [] : [`--provider-scope ${spec.providerScope}`]),
    ...(spec.providerID === undefined ? [] : [`--provider-id ${shellWord(spec.providerID)}`]),
    ...(spec.googleCustomerID === undefined ? [] : [`--google-customer-id ${shellWord(spec.googleCustomerID)}`]),
    ...(metadata.description === undefined ? [] : [`--description ${shellWord(metadata.description)}`]),
    ...(metadata.tags ?? []).map(({ name, value }) => `--tag ${shellWord(`${name}=${value}`)}`),
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
    since: new Date(platform.now()).toISOString(),
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
  const { opened, theirs, save, load } = useOpened(organization);
  const [draft, setDraft] = useState(() => draftOf(opened));
  const set = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
  };
  const body = bodyOf(draft);
  const text = JSON.stringify(body);
  // The same draft keeps its key, so that a repeated request creates one organization.
  const key = useMemo(() => platform.uuid(), [text]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (organization) {
        const params = { path: { organizationID: organization.metadata.id } };
        return save(
          () => identity.GET('/api/v1/organizations/{organizationID}', { params }),
          (headers) => identity.PUT('/api/v1/organizations/{organizationID}', { params, headers, body }),
        );
      }
      const made = await dataOf(identity.POST('/api/v1/organizations', { body, headers: { 'Idempotency-Key': key } }));
      follow('Create', made, 'ready');
      return true;
    },
    onSuccess: async (saved) => {
      if (!saved) return;
      await queries.invalidateQueries({ queryKey: ['organizations'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={organization ? words.parts.editTitle(organization.metadata.name) : texts.create}
      action={organization ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={draft.name.trim() === '' ? `${words.parts.name}: ${words.parts.required}` : undefined}
      onClose={onClose}
      onSave={() => {
        mutate();
      }}
    >
      {theirs && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setDraft(draftOf(theirs));
          }}
        />
      )}
      <TextField
        label={words.parts.name}
        hint={words.parts.nameHint}
        problem={fieldProblem(error, 'metadata.name')}
        value={draft.name}
        maxLength={63}
        autoComplete="off"
        autoFocus
        onChange={(name) => {
          set({ name });
        }}
      />
      <TextField
        label={words.parts.description}
        value={draft.description}
        maxLength={4096}
        onChange={(description) => {
          set({ description });
        }}
      />
      <TextField
        label={platformWords.tags}
        hint={platformWords.tagsHint}
        value={draft.tags}
        autoComplete="off"
        onChange={(tags) => {
          set({ tags });
        }}
      />
      <ChoiceField
        label={texts.type}
        hint={texts.typeHint}
        value={draft.organizationType}
        choices={types.map((value) => ({ value, label: texts.types[value] }))}
        onChange={(value) => {
          set({ organizationType: types.find((each) => each === value) ?? 'adhoc' });
        }}
      />
      {draft.organizationType === 'domain' && <DomainFields draft={draft} error={error} onChange={set} />}
      <Same
        command={commandOf(body, opened)}
        file={
          organization
            ? undefined
            : { command: 'npx unikorn apply -f organization.yaml', document: { kind: 'organization', ...body } }
        }
        sent={{
          method: organization ? 'PUT' : 'POST',
          path: `/identity/api/v1/organizations${organization ? `/${organization.metadata.id}` : ''}`,
          body,
        }}
      />
    </FormDialog>
  );
}

function DomainFields({
  draft,
  error,
  onChange,
}: {
  readonly draft: Draft;
  readonly error: Error | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}) {
  return (
    <>
      <TextField
        label={texts.domain}
        hint={texts.domainHint}
        problem={fieldProblem(error, 'spec.domain')}
        value={draft.domain}
        maxLength={253}
        autoComplete="off"
        onChange={(domain) => {
          onChange({ domain });
        }}
      />
      <ChoiceField
        label={texts.providerScope}
        empty={texts.none}
        value={draft.providerScope ?? ''}
        choices={scopes.map((value) => ({ value, label: texts.providerScopes[value] }))}
        onChange={(value) => {
          onChange({ providerScope: scopes.find((each) => each === value) });
        }}
      />
      <TextField
        label={texts.providerId}
        problem={fieldProblem(error, 'spec.providerID')}
        value={draft.providerID}
        maxLength={253}
        autoComplete="off"
        onChange={(providerID) => {
          onChange({ providerID });
        }}
      />
      <TextField
        label={texts.googleCustomerId}
        problem={fieldProblem(error, 'spec.googleCustomerID')}
        value={draft.googleCustomerID}
        maxLength={255}
        autoComplete="off"
        onChange={(googleCustomerID) => {
          onChange({ googleCustomerID });
        }}
      />
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
  const { data, error: contentsError } = useContents(id);
  const [ignoreProtection, setIgnoreProtection] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await identity.DELETE('/api/v1/organizations/{organizationID}', {
        params: { path: { organizationID: id }, ...(ignoreProtection ? { query: { ignoreProtection } } : {}) },
      });
      follow('Delete', organization, 'gone');
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['organizations'] });
      onClose();
    },
  });
  return (
    <DeleteDialog
      name={name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.deletes}</p>
      {contentsError && <Problem error={contentsError} />}
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
        !contentsError && <p className="text-muted">{words.parts.loading}</p>
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
