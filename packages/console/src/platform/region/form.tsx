import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';

import { dataOf, type RegionRead, type Unikorn } from '@unikorn/sdk';

import { useLive } from '../../live/use-live.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ChangeOfAnother, Choices, MetadataFields, NameField, optionsOf } from '../../parts/form.tsx';
import { Fact, Facts, Page, Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Loading } from '../../parts/skeleton.tsx';
import { mergedList, type FieldsOf } from '../../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, useForm, type CommonDraft } from '../../parts/use-form.ts';
import { useApi } from '../../session/context.tsx';
import { useOrganizations } from '../../shell/tenancy.ts';
import { metadataFlags, shellWord } from '../../parts/equivalent.ts';
import { Same, sentTo } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { regionTypes, type RegionType } from '../routes.tsx';
import { Connection } from './connection.tsx';
import { JsonField } from './json.tsx';
import { useSettings, type RegionSettings } from './queries.ts';
import { isSettings, mergedSettings, textAt, type Settings } from './settings.ts';

const texts = platformWords.regions;

interface Draft extends CommonDraft {
  readonly tenants: readonly string[];
  readonly settings: Settings;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  tenants: { label: texts.organizations, merge: mergedList },
  settings: { label: texts.connection, text: (settings) => JSON.stringify(settings), merge: mergedSettings },
};

function draftOf(region: RegionSettings | undefined): Draft {
  const common = commonDraftOf(region);
  if (!region) return { ...common, tenants: [], settings: {} };
  const { spec } = region;
  return { ...common, tenants: spec.organizationIds ?? [], settings: { ...spec[spec.type] } };
}

/** Adds a region. Its type and the way of writing are in the address. */
export function CreateRegionPage() {
  const { type = 'simulated', mode } = useSearch({ from: '/platform/regions/new' });
  const navigate = useNavigate({ from: '/platform/regions/new' });
  const go = (next: { readonly type: RegionType; readonly mode?: 'json' | undefined }) =>
    void navigate({
      search: {
        ...(next.type === 'simulated' ? {} : { type: next.type }),
        ...(next.mode === undefined ? {} : { mode: next.mode }),
      },
      replace: true,
      resetScroll: false,
    });
  return (
    <Page title={texts.createTitle}>
      <RegionForm
        key={type}
        type={type}
        isJson={mode === 'json'}
        onMode={(isJson) => {
          go({ type, mode: isJson ? 'json' : undefined });
        }}
        onType={(next) => {
          go({ type: next, mode });
        }}
      />
    </Page>
  );
}

/** Changes a region. */
export function ChangeRegionPage() {
  const from = '/platform/regions/$id/change';
  const { id } = useParams({ from });
  const { mode } = useSearch({ from });
  const navigate = useNavigate({ from });
  const { data, error } = useSettings(id);
  const listed = useLive('regions', {}).byId.get(id);
  const region = data ?? listed;
  const form = (
    <RegionForm
      key={data ? 'known' : 'loading'}
      type={region?.spec.type ?? 'simulated'}
      current={data}
      isJson={mode === 'json'}
      onMode={(isJson) => void navigate({ search: isJson ? { mode: 'json' } : {}, replace: true, resetScroll: false })}
    />
  );
  return (
    <Page title={region ? texts.changeTitle(region.metadata.name) : texts.change}>
      {data && form}
      {!data && !error && <FormSkeleton>{form}</FormSkeleton>}
      {!data && error && (
        <>
          <Problem error={error} />
          <p className="text-muted">{texts.loadFailed}</p>
        </>
      )}
    </Page>
  );
}

/** A form before its object is known: the form itself, empty and greyed. Nothing can be typed into it. */
function FormSkeleton({ children }: { readonly children: ReactNode }) {
  return (
    <Loading className="">
      <div inert className="opacity-50">
        {children}
      </div>
    </Loading>
  );
}

function RegionForm({
  type,
  current,
  isJson,
  onMode,
  onType,
}: {
  readonly type: RegionType;
  /** The region that is changed, once it is known. */
  readonly current?: RegionSettings | undefined;
  readonly isJson: boolean;
  readonly onMode: (isJson: boolean) => void;
  /** Only a region that is created can get another type. */
  readonly onType?: (type: RegionType) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { items: regions } = useLive('regions', {});
  const { organizations } = useOrganizations();
  const form = useForm(current, draftOf, fields);
  const { draft, opened, set } = form;
  const [problem, setProblem] = useState<string>();
  /** A loaded change fills the texts anew. */
  const version = JSON.stringify(opened?.spec);
  const body = bodyOf(type, draft, current !== undefined);
  const done = async (id: string) => {
    await Promise.all(
      ['region-settings', 'region-flavors'].map((key) => queries.invalidateQueries({ queryKey: [key, id] })),
    );
    await navigate({ to: '/platform/regions/$id', params: { id } });
  };
  const missing = missingIn(type, draft);
  const reason = problem ?? form.flaw ?? (missing.length > 0 ? texts.missing(missing.join(', ')) : undefined);
  const submit = () => {
    if (reason !== undefined || form.busy) return;
    if (!current) {
      form.create(async (headers) => {
        const key = headers['Idempotency-Key'];
        const { data } = await api.region.untyped.send('POST', '/api/v2/regions', { body, key });
        if (!isRegion(data)) throw new Error('the service did not answer with a region');
        return data.metadata.id;
      }, done);
      return;
    }
    const { id } = current.metadata;
    form.change(
      () => readRegion(api, id),
      (headers) => api.region.untyped.send('PUT', `/api/v2/regions/${id}`, { body, headers }),
      () => done(id),
    );
  };
  const connection = {
    settings: draft.settings,
    error: form.error,
    regions,
    onProblem: setProblem,
    onChange: (settings: Settings) => {
      set({ settings });
    },
  };
  return (
    <form
      className="grid items-start gap-4 xl:grid-cols-[1fr_24rem]"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <ChangeOfAnother form={form} known={[organizations]} />
        {onType && <TypeChoice type={type} onChange={onType} />}
        <Section title={texts.basics}>
          <div className="flex flex-col gap-4">
            <NameField {...form.field('name')} />
            <MetadataFields description={form.field('description')} tags={form.field('tags')} />
            <Choices {...form.field('tenants')} hint={texts.organizationsHint} options={optionsOf(organizations)} />
          </div>
        </Section>
        <Section
          title={texts.connection}
          actions={
            <div role="group" aria-label={texts.mode} className="flex gap-1">
              {([false, true] as const).map((json) => (
                <button
                  key={String(json)}
                  type="button"
                  aria-pressed={isJson === json}
                  className="h-7 rounded-md px-2.5 text-muted hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-accent-text"
                  onClick={() => {
                    setProblem(undefined);
                    onMode(json);
                  }}
                >
                  {json ? texts.modes.json : texts.modes.form}
                </button>
              ))}
            </div>
          }
        >
          {isJson ? (
            <JsonField
              key={version}
              label={texts.json}
              hint={texts.jsonHint}
              value={draft.settings}
              rows={16}
              accepts={isSettings}
              wrong={texts.jsonNoObject}
              onChange={(value, found) => {
                setProblem(found);
                if (isSettings(value)) set({ settings: value });
              }}
            />
          ) : (
            <Connection key={version} type={type} {...connection} />
          )}
        </Section>
      </div>
      <div className="xl:sticky xl:top-16">
        <Section title={texts.review}>
          <div className="flex flex-col gap-4">
            <Facts>
              <Fact name={words.parts.name}>{draft.name.trim() || '–'}</Fact>
              <Fact name={texts.type}>{texts.types[type]}</Fact>
              <Fact name={texts.organizations}>
                {draft.tenants.length === 0
                  ? platformWords.everyOrganization
                  : organizations
                      .filter(({ metadata }) => draft.tenants.includes(metadata.id))
                      .map(({ metadata }) => metadata.name)
                      .join(', ')}
              </Fact>
            </Facts>
            {type !== 'simulated' && onType && <p className="text-muted">{texts.secretNext}</p>}
            {form.error && <Problem error={form.error} />}
            <div className="flex flex-wrap gap-2">
              <Button kind="primary" type="submit" busy={form.busy} reason={reason}>
                {onType ? texts.create : words.parts.save}
              </Button>
              <Link
                to={current ? '/platform/regions/$id' : '/platform/regions'}
                params={{ id: current?.metadata.id ?? '' }}
                className={buttonLook()}
              >
                {words.parts.cancel}
              </Link>
            </div>
            <Same
              command={commandOf(type, draft, opened)}
              file={
                current
                  ? undefined
                  : { command: 'npx unikorn apply -f region.yaml', document: { kind: 'region', ...body } }
              }
              sent={sentTo('/region/api/v2/regions', current?.metadata.id, body)}
            />
          </div>
        </Section>
      </div>
    </form>
  );
}

function TypeChoice({ type, onChange }: { readonly type: RegionType; readonly onChange: (type: RegionType) => void }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-2 font-semibold">{texts.typeTitle}</legend>
      <div className="grid gap-3 sm:grid-cols-3">
        {regionTypes.map((each) => (
          <label
            key={each}
            className={`flex cursor-pointer items-start gap-2.5 rounded-lg border p-3 hover:bg-hover ${each === type ? 'border-accent bg-surface ring-1 ring-accent' : 'border-line bg-surface'}`}
          >
            <input
              type="radio"
              name="type"
              value={each}
              checked={each === type}
              className="mt-0.5 size-4 accent-accent"
              onChange={() => {
                onChange(each);
              }}
            />
            <span className="flex flex-col">
              <span className="font-medium">{texts.types[each]}</span>
              <span className="text-sm text-muted">{texts.typeTexts[each]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A change sends everything, so that a list that is now empty is emptied. */
function bodyOf(type: RegionType, draft: Draft, isChange: boolean) {
  const { tenants, settings } = draft;
  const given = Object.keys(settings).length > 0 || isChange || type !== 'simulated';
  return {
    metadata: metadataOf(draft),
    spec: {
      type,
      ...(tenants.length > 0 || isChange ? { organizationIds: [...tenants] } : {}),
      ...(given ? { [type]: settings } : {}),
    },
  };
}

function missingIn(type: RegionType, { name, settings }: Draft): readonly string[] {
  const needed: Readonly<Record<RegionType, readonly (readonly [path: string, label: string])[]>> = {
    simulated: [],
    openstack: [
      ['endpoint', texts.endpoint],
      ['serviceAccountSecret.namespace', texts.secretNamespace],
      ['serviceAccountSecret.name', texts.secretName],
    ],
    kubernetes: [
      ['kubeConfigSecret.namespace', texts.secretNamespace],
      ['kubeConfigSecret.name', texts.secretName],
    ],
  };
  return [
    ...(name.trim() === '' ? [words.parts.name] : []),
    ...needed[type].filter(([path]) => textAt(settings, path) === '').map(([, label]) => label),
  ];
}

function commandOf(type: RegionType, draft: Draft, opened: RegionSettings | undefined): string {
  const { tenants, settings } = draft;
  const metadata = metadataOf(draft);
  const given = Object.keys(settings).length > 0;
  return [
    opened
      ? `npx unikorn region update ${shellWord(opened.metadata.name)}`
      : `npx unikorn region create ${shellWord(metadata.name || 'NAME')} --type ${type}`,
    ...metadataFlags({ metadata }, opened, opened?.metadata.name ?? metadata.name),
    ...tenants.map((tenant) => `--tenant ${tenant}`),
    ...(given ? [`--${type} ${shellWord(JSON.stringify(settings))}`] : []),
  ].join(' \\\n  ');
}

/** The settings of a region, in a version that is not newer than they are: a write over a newer one is refused. */
async function readRegion({ region }: Pick<Unikorn, 'region'>, id: string) {
  const params = { path: { regionID: id } };
  const { response } = await region.GET('/api/v2/regions/{regionID}', { params });
  return { response, data: await dataOf(region.GET('/api/v2/regions/{regionID}/settings', { params })) };
}

function isRegion(value: unknown): value is RegionRead {
  return typeof value === 'object' && value !== null && 'metadata' in value && 'spec' in value;
}
