import { useQueryClient } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { imagesKey, useRegions } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { useActions } from '../session/actions.ts';
import { useApi } from '../session/context.tsx';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { extrasOf, gpuVendors, softwareFlaw } from './extras.ts';
import { askedOf, imagePath, type Row } from './rows.ts';

const texts = words.image;

const architectures = ['x86_64', 'aarch64'] as const;
const virtualizations = ['virtualized', 'baremetal', 'any'] as const;

interface Draft extends CommonDraft {
  readonly regionId: string;
  readonly uri: string;
  readonly family: string;
  readonly distro: string;
  readonly version: string;
  readonly architecture: (typeof architectures)[number];
  readonly virtualization: (typeof virtualizations)[number];
  readonly variant: string;
  readonly codename: string;
  readonly gpuVendor: string;
  readonly gpuDriver: string;
  readonly gpuModels: string;
  readonly software: string;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  regionId: { label: texts.region },
  uri: { label: texts.address, path: 'spec.uri' },
  family: { label: texts.family, path: 'spec.os.family' },
  distro: { label: texts.distribution, path: 'spec.os.distro' },
  version: { label: texts.version, path: 'spec.os.version' },
  architecture: { label: texts.architecture },
  virtualization: { label: texts.virtualization },
  variant: { label: texts.variant, path: 'spec.os.variant' },
  codename: { label: texts.codename, path: 'spec.os.codename' },
  gpuVendor: { label: texts.gpuVendor, path: 'spec.gpu.vendor' },
  gpuDriver: { label: texts.gpuDriver, path: 'spec.gpu.driver' },
  gpuModels: { label: texts.gpuModels, path: 'spec.gpu.models' },
  software: { label: texts.software, path: 'spec.softwareVersions', flaw: softwareFlaw },
};
const blank: Draft = {
  ...commonDraftOf(undefined),
  regionId: '',
  uri: '',
  family: 'debian',
  distro: 'ubuntu',
  version: '',
  architecture: 'x86_64',
  virtualization: 'virtualized',
  variant: '',
  codename: '',
  gpuVendor: '',
  gpuDriver: '',
  gpuModels: '',
  software: '',
};

/** Asks for an image that the region downloads. */
export function ImportForm({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { data: regions = [], isSuccess } = useRegions(org);
  const form = useForm(undefined, () => blank, fields);
  const { draft } = form;
  const { architecture, virtualization } = draft;
  const regionId = draft.regionId || (regions.length === 1 ? (regions[0]?.metadata.id ?? '') : '');
  const os = {
    family: draft.family.trim(),
    distro: draft.distro.trim(),
    version: draft.version.trim(),
    ...defined({ variant: draft.variant.trim() || undefined, codename: draft.codename.trim() || undefined }),
  };
  const body = {
    metadata: metadataOf(draft),
    spec: {
      uri: draft.uri.trim(),
      architecture,
      virtualization,
      os: { kernel: 'linux' as const, ...os },
      ...extrasOf(draft),
    },
  };
  const save = () => {
    const params = { path: { organizationID: org, regionID: regionId } };
    form.create(
      (headers) =>
        dataOf(
          region.POST('/api/v1/organizations/{organizationID}/regions/{regionID}/images', { params, headers, body }),
        ),
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
        ...(draft.gpuVendor === '' ? [] : ([[texts.gpuDriver, draft.gpuDriver]] as const)),
      ])}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <ChoiceField
        {...form.field('regionId')}
        empty={texts.chooseRegion}
        none={isSuccess ? words.parts.noChoice.region : undefined}
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
      <details>
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{texts.more}</summary>
        <div className="mt-3 grid grid-cols-2 items-start gap-4">
          <TextField {...form.field('variant')} {...osField} hint={texts.variantHint} />
          <TextField {...form.field('codename')} {...osField} hint={texts.codenameHint} />
          <ChoiceField
            {...form.field('gpuVendor')}
            empty={texts.noGpu}
            choices={gpuVendors.map((value) => ({ value, label: value }))}
          />
          {draft.gpuVendor !== '' && (
            <>
              <TextField {...form.field('gpuDriver')} {...osField} hint={texts.gpuDriverHint} />
              <TextField {...form.field('gpuModels')} {...osField} hint={texts.gpuModelsHint} />
            </>
          )}
          <div className="col-span-2">
            <TextField {...form.field('software')} hint={texts.softwareHint} rows={2} mono />
          </div>
        </div>
      </details>
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
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

export function DeleteImage({
  org,
  row,
  onClose,
  onDeleted,
}: {
  readonly org: string;
  readonly row: Row;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { regionId, image } = row;
  const { id, name } = image.metadata;
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
      path={`/region${imagePath(org, regionId, id)}`}
      remove={remove}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      {reason !== undefined && reason !== words.parts.loading && (
        <p lang="en" className="text-warn">
          {reason}
        </p>
      )}
    </DeleteResource>
  );
}
