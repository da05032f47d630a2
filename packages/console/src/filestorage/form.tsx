import { dataOf, type FileStorage } from '@unikorn/sdk';

import { useNetworks, useRegions } from '../catalog/catalog.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { Choices, ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import {
  commonDraftOf,
  commonFields,
  metadataOf,
  missingOf,
  ticked,
  useForm,
  type CommonDraft,
} from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { draftPolicyOf, mergedPolicies, policiesText, policyFlaw, policyOf, type DraftPolicy } from './policies.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { useStorageClasses } from './queries.ts';

const texts = words.fileStorage;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly storage?: FileStorage;
  readonly onClose: () => void;
}

interface Draft extends CommonDraft {
  readonly classId: string;
  readonly size: string;
  readonly networkIds: readonly string[];
  readonly rootSquash: boolean;
  readonly defaultProtection: boolean;
  readonly policies: readonly DraftPolicy[];
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  classId: { label: texts.class, path: 'spec.storageClassId' },
  size: { label: texts.size, path: 'spec.sizeGiB' },
  networkIds: { label: texts.networks, merge: mergedList },
  rootSquash: { label: texts.rootSquash },
  defaultProtection: { label: texts.defaultProtection },
  policies: { label: texts.policies, text: policiesText, merge: mergedPolicies, flaw: policyFlaw },
};

function draftOf(storage: FileStorage | undefined): Draft {
  return {
    ...commonDraftOf(storage),
    classId: storage?.status.storageClassId ?? '',
    size: String(storage?.spec.sizeGiB ?? 100),
    networkIds: storage?.spec.attachments?.networkIds ?? [],
    rootSquash: storage?.spec.storageType.NFS?.rootSquash ?? true,
    defaultProtection: storage?.spec.defaultSnapshotProtectionEnabled ?? false,
    policies: (storage?.spec.snapshotPolicies ?? []).map(draftPolicyOf),
  };
}

/** Creates file storage, or changes it. The class, and with it the region, can only be chosen once. */
export function FileStorageForm({ org, project, storage, onClose }: FormProps) {
  const { region } = useApi();
  const { data: regions = [] } = useRegions(org);
  const { data: classes = [], isSuccess } = useStorageClasses();
  const { data: networks = [] } = useNetworks(org, project);
  const form = useForm(storage, draftOf, fields);
  const { draft, opened } = form;
  const usable = classes.filter(({ spec }) => regions.some(({ metadata }) => metadata.id === spec.regionId));
  const chosenClass =
    usable.find(({ metadata }) => metadata.id === draft.classId) ?? (usable.length === 1 ? usable[0] : undefined);
  const regionId = opened?.status.regionId ?? chosenClass?.spec.regionId ?? '';
  const regionName = (id: string) => regions.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const change = {
    metadata: metadataOf(draft),
    spec: {
      sizeGiB: Number(draft.size),
      storageType: { NFS: { rootSquash: draft.rootSquash } },
      attachments: { networkIds: [...draft.networkIds] },
      defaultSnapshotProtectionEnabled: draft.defaultProtection,
      snapshotPolicies: draft.policies.map(policyOf),
    },
  };
  const creation = {
    metadata: change.metadata,
    spec: {
      ...change.spec,
      organizationId: org,
      projectId: project,
      regionId,
      storageClassId: chosenClass?.metadata.id ?? '',
    },
  };
  const body = storage ? change : creation;
  const save = () => {
    const path = '/api/v2/filestorage/{filestorageID}';
    const at = { params: { path: { filestorageID: storage?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(region.POST('/api/v2/filestorage', { headers, body: creation })),
        read: () => region.GET(path, at),
        write: (headers) => region.PUT(path, { ...at, headers, body: change }),
      },
      (made) => {
        if (made) followResource('fileStorage', 'create', { org, project, ...made.metadata });
        onClose();
      },
    );
  };
  const missing = missingOf([
    [fields.name.label, draft.name],
    [texts.class, storage ? draft.classId : chosenClass?.metadata.id],
  ]);
  return (
    <ItemForm
      form={form}
      name={storage?.metadata.name}
      create={texts.create}
      known={[networks]}
      reason={missing ?? (/^[1-9]\d{0,8}$/.test(draft.size) ? undefined : texts.wholeNumber)}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      {!storage && (
        <ChoiceField
          {...form.field('classId')}
          empty={texts.chooseClass}
          none={isSuccess ? words.parts.noChoice.storageClass : undefined}
          value={chosenClass?.metadata.id ?? ''}
          choices={usable.map(({ metadata, spec }) => ({
            value: metadata.id,
            label: `${metadata.name} (${regionName(spec.regionId)})`,
          }))}
        />
      )}
      <TextField {...form.field('size')} hint={texts.sizeHint} type="number" />
      <Choices
        {...form.field('networkIds')}
        hint={texts.networksHint}
        options={networks
          .filter(({ status }) => status.regionId === regionId)
          .map(({ metadata, status }) => ({ id: metadata.id, label: `${metadata.name} (${status.prefix})` }))}
      />
      <CheckField {...ticked(form.field('rootSquash'))} />
      <CheckField {...ticked(form.field('defaultProtection'))} />
      <PolicyEditor {...form.field('policies')} />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Same
        noun="filestorage"
        name={opened?.metadata.name ?? change.metadata.name}
        body={body}
        before={opened}
        fixed={storage && { storageClassId: storage.status.storageClassId }}
        known={[regions, classes, networks]}
        organization={org}
        project={project}
        region={regionId}
        sent={sentTo('/region/api/v2/filestorage', storage?.metadata.id, body)}
      />
    </ItemForm>
  );
}

export function DeleteFileStorage({
  org,
  project,
  storage,
  onClose,
  onDeleted,
}: Required<FormProps> & { readonly onDeleted?: () => void }) {
  const { region } = useApi();
  const { id, name } = storage.metadata;
  const remove = async () => {
    await dataOf(region.DELETE('/api/v2/filestorage/{filestorageID}', { params: { path: { filestorageID: id } } }));
    followResource('fileStorage', 'delete', { org, project, id, name });
  };
  return (
    <DeleteResource
      noun="filestorage"
      name={name}
      text={texts.deletes}
      organization={org}
      project={project}
      path={`/region/api/v2/filestorage/${id}`}
      remove={remove}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
