import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';

import { dataOf, type Image } from '@unikorn/sdk';

import { imageQuery, imagesKey, useRegions } from '../catalog/catalog.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ItemForm, NameField } from '../parts/form.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { Status, type Tone } from '../parts/status.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
import { Time } from '../parts/time.tsx';
import { commonFields, missingOf, useForm } from '../parts/use-form.ts';
import { useActions, type Asked } from '../session/actions.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { number, words } from '../words/index.ts';

const texts = words.image;
const from = '/o/$org/p/$project/images';
const tones: Readonly<Record<Image['status']['state'], Tone>> = {
  pending: 'busy',
  creating: 'busy',
  ready: 'good',
  failed: 'bad',
};

/** An image, and the region that has it. */
interface Row {
  readonly image: Image;
  readonly regionId: string;
  readonly region: string;
}

/** The images of all regions of an organization. They have no stream, so they are read again and again. */
export function ImagesPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const api = useApi();
  const { data: regions, error: regionsError } = useRegions(org);
  const lists = useQueries({
    queries: (regions ?? []).map(({ metadata }) => ({
      ...imageQuery(api, org, metadata.id),
      // The page shows what has just been asked for.
      staleTime: 0,
      refetchInterval: ({ state: { data } }: { readonly state: { readonly data: readonly Image[] | undefined } }) =>
        data?.some(({ status }) => status.state === 'pending' || status.state === 'creating') === true ? 2_000 : 20_000,
    })),
  });
  const known = regions !== undefined && lists.every(({ isPending }) => !isPending);
  const rows = (regions ?? []).flatMap(({ metadata }, index) =>
    (lists[index]?.data ?? []).map((image) => ({ image, regionId: metadata.id, region: metadata.name })),
  );
  const chosen = rows.find(({ image }) => image.metadata.id === state.search.id);
  const refused = (verb: 'create' | 'delete') =>
    rights.may('region:images', verb) ? undefined : words.parts.missingRight;
  return (
    <>
      <ListPage
        texts={texts}
        icon="images"
        state={state}
        rows={known ? rows : undefined}
        error={regionsError ?? lists.find(({ error }) => error)?.error ?? null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            width: 'minmax(10rem, 2fr)',
            sort: nameOf,
            cell: (row) => <span className="font-medium">{nameOf(row)}</span>,
          },
          {
            key: 'status',
            title: texts.status,
            sort: ({ image }) => image.status.state,
            cell: ({ image: { status } }) => <Status tone={tones[status.state]} word={texts.states[status.state]} />,
          },
          { key: 'os', title: texts.os, width: 'minmax(9rem, 1fr)', sort: osText, cell: osText },
          {
            key: 'architecture',
            title: texts.architecture,
            width: '7rem',
            cell: ({ image }) => image.spec.architecture,
          },
          {
            key: 'size',
            title: texts.size,
            width: '5rem',
            sort: ({ image }) => image.spec.sizeGiB,
            cell: ({ image }) => <span className="tabular">{texts.sizeText(number(image.spec.sizeGiB))}</span>,
          },
          { key: 'region', title: texts.region, sort: ({ region }) => region, cell: ({ region }) => region },
          {
            key: 'created',
            title: words.parts.created,
            width: '7rem',
            sort: ({ image }) => -Date.parse(image.metadata.creationTime),
            cell: ({ image }) => <Time at={image.metadata.creationTime} />,
          },
        ]}
        asked={(row) => askedOf(org, row)}
        actions={[
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            reason: () => refused('delete'),
            asks: 'delete',
            run: ({ image }) => {
              state.open('delete', image.metadata.id);
            },
          },
        ]}
      />
      {state.search.dialog === 'new' && <ImportForm org={org} onClose={state.close} />}
      {state.search.dialog === 'delete' && chosen && <DeleteImage org={org} row={chosen} onClose={state.close} />}
    </>
  );
}

const idOf = ({ image, regionId }: Row) => `${regionId} ${image.metadata.id}`;
const nameOf = ({ image }: Row) => image.metadata.name;
const osText = ({ image: { spec } }: Row) => `${spec.os.distro} ${spec.os.version}`;
const textOf = (row: Row) => `${nameOf(row)} ${row.image.metadata.id} ${row.region} ${osText(row)}`;

function askedOf(org: string, { image, regionId }: Row): Asked {
  return {
    service: 'region',
    path: `/api/v1/organizations/${org}/regions/${regionId}/images/${image.metadata.id}`,
    version: image.status.state,
  };
}

const architectures = ['x86_64', 'aarch64'] as const;
const virtualizations = ['virtualized', 'baremetal', 'any'] as const;

interface Draft {
  readonly name: string;
  readonly regionId: string;
  readonly uri: string;
  readonly family: string;
  readonly distro: string;
  readonly version: string;
  readonly architecture: (typeof architectures)[number];
  readonly virtualization: (typeof virtualizations)[number];
}

const fields: FieldsOf<Draft> = {
  name: commonFields.name,
  regionId: { label: texts.region },
  uri: { label: texts.address, path: 'spec.uri' },
  family: { label: texts.family, path: 'spec.os.family' },
  distro: { label: texts.distribution, path: 'spec.os.distro' },
  version: { label: texts.version, path: 'spec.os.version' },
  architecture: { label: texts.architecture },
  virtualization: { label: texts.virtualization },
};
const blank: Draft = {
  name: '',
  regionId: '',
  uri: '',
  family: 'debian',
  distro: 'ubuntu',
  version: '',
  architecture: 'x86_64',
  virtualization: 'virtualized',
};

function ImportForm({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { data: regions = [] } = useRegions(org);
  const form = useForm(undefined, () => blank, fields);
  const { draft } = form;
  const { architecture, virtualization } = draft;
  const regionId = draft.regionId || (regions.length === 1 ? (regions[0]?.metadata.id ?? '') : '');
  const os = { family: draft.family.trim(), distro: draft.distro.trim(), version: draft.version.trim() };
  const body = {
    metadata: { name: draft.name.trim() },
    spec: { uri: draft.uri.trim(), architecture, virtualization, os: { kernel: 'linux' as const, ...os } },
  };
  const save = () => {
    const params = { path: { organizationID: org, regionID: regionId } };
    form.create(
      () => dataOf(region.POST('/api/v1/organizations/{organizationID}/regions/{regionID}/images', { params, body })),
      async () => {
        await queries.invalidateQueries({ queryKey: imagesKey(org, regionId) });
        onClose();
      },
    );
  };
  const osField = { maxLength: 255, autoComplete: 'off' };
  return (
    <ItemForm
      form={form}
      name={undefined}
      create={texts.create}
      createAction={texts.create}
      reason={missingOf([
        [fields.name.label, draft.name],
        [texts.region, regionId],
        [texts.address, draft.uri],
        [texts.family, os.family],
        [texts.distribution, os.distro],
        [texts.version, os.version],
      ])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <ChoiceField
        {...form.field('regionId')}
        empty={texts.chooseRegion}
        value={regionId}
        choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
      />
      <TextField {...form.field('uri')} hint={texts.addressHint} maxLength={2048} autoComplete="off" />
      <div className="grid grid-cols-2 gap-4">
        <TextField {...form.field('family')} {...osField} hint={texts.familyHint} />
        <TextField {...form.field('distro')} {...osField} hint={texts.distributionHint} />
        <TextField {...form.field('version')} {...osField} hint={texts.versionHint} />
        <ChoiceField
          {...form.field('architecture')}
          choices={architectures.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            form.set({ architecture: architectures.find((each) => each === value) ?? 'x86_64' });
          }}
        />
        <ChoiceField
          {...form.field('virtualization')}
          choices={virtualizations.map((value) => ({ value, label: texts.virtualizations[value] }))}
          onChange={(value) => {
            form.set({ virtualization: virtualizations.find((each) => each === value) ?? 'virtualized' });
          }}
        />
      </div>
      <Same
        noun="image"
        name={body.metadata.name}
        body={body}
        known={[regions]}
        organization={org}
        region={regionId}
        sent={sentTo(`/region/api/v1/organizations/${org}/regions/${regionId}/images`, undefined, body)}
      />
    </ItemForm>
  );
}

function DeleteImage({ org, row, onClose }: { readonly org: string; readonly row: Row; readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { regionId, image } = row;
  const { id, name } = image.metadata;
  const path = `/api/v1/organizations/${org}/regions/${regionId}/images/${id}`;
  const reason = useActions(askedOf(org, row))('delete');
  const remove = async () => {
    await dataOf(
      region.DELETE('/api/v1/organizations/{organizationID}/regions/{regionID}/images/{imageID}', {
        params: { path: { organizationID: org, regionID: regionId, imageID: id } },
      }),
    );
    await queries.invalidateQueries({ queryKey: imagesKey(org, regionId) });
  };
  return (
    <DeleteResource
      noun="image"
      name={name}
      text={texts.deletes}
      organization={org}
      region={regionId}
      path={`/region${path}`}
      remove={remove}
      onClose={onClose}
    >
      {reason !== undefined && reason !== words.parts.loading && (
        <p lang="en" className="text-warn">
          {reason}
        </p>
      )}
    </DeleteResource>
  );
}
