import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type FileStorage } from '@unikorn/sdk';

import { useNetworks, useRegions } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { useOpened } from '../parts/opened.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { Same } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { useStorageClasses } from './queries.ts';

const texts = words.fileStorage;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly storage?: FileStorage;
  readonly onClose: () => void;
}

/** Creates file storage, or changes it. The class, and with it the region, can only be chosen once. */
export function FileStorageForm({ org, project, storage, onClose }: FormProps) {
  const { region } = useApi();
  const { data: regions = [] } = useRegions(org);
  const { data: classes = [] } = useStorageClasses();
  const { data: networks = [] } = useNetworks(org, project);
  const { opened, theirs, save, load } = useOpened(storage);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [classId, setClassId] = useState(opened?.status.storageClassId ?? '');
  const [size, setSize] = useState(String(opened?.spec.sizeGiB ?? 100));
  const [networkIds, setNetworkIds] = useState<readonly string[]>(opened?.spec.attachments?.networkIds ?? []);
  const [rootSquash, setRootSquash] = useState(opened?.spec.storageType.NFS?.rootSquash ?? true);
  const usable = classes.filter(({ spec }) => regions.some(({ metadata }) => metadata.id === spec.regionId));
  const chosenClass =
    usable.find(({ metadata }) => metadata.id === classId) ?? (usable.length === 1 ? usable[0] : undefined);
  const regionId = opened?.status.regionId ?? chosenClass?.spec.regionId ?? '';
  const regionName = (id: string) => regions.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const metadata = {
    name: name.trim(),
    ...defined({ description: opened?.metadata.description, tags: opened?.metadata.tags }),
  };
  const spec = {
    sizeGiB: Number(size),
    storageType: { NFS: { rootSquash } },
    attachments: { networkIds: [...networkIds] },
    ...defined({
      snapshotPolicies: opened?.spec.snapshotPolicies,
      defaultSnapshotProtectionEnabled: opened?.spec.defaultSnapshotProtectionEnabled,
    }),
  };
  const creation = {
    metadata,
    spec: {
      ...spec,
      organizationId: org,
      projectId: project,
      regionId,
      storageClassId: chosenClass?.metadata.id ?? '',
    },
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (storage) {
        const params = { path: { filestorageID: storage.metadata.id } };
        return save(
          () => region.GET('/api/v2/filestorage/{filestorageID}', { params }),
          (headers) => region.PUT('/api/v2/filestorage/{filestorageID}', { params, headers, body: { metadata, spec } }),
        );
      }
      const { metadata: made } = await dataOf(region.POST('/api/v2/filestorage', { body: creation }));
      followResource('fileStorage', 'create', { org, project, ...made });
      return true;
    },
    onSuccess: (saved) => {
      if (saved) onClose();
    },
  });
  const reason =
    name.trim() === ''
      ? `${words.parts.name}: ${words.parts.required}`
      : !storage && !chosenClass
        ? `${texts.class}: ${words.parts.required}`
        : /^[1-9]\d{0,8}$/.test(size)
          ? undefined
          : texts.wholeNumber;
  return (
    <FormDialog
      title={storage ? words.parts.editTitle(storage.metadata.name) : texts.create}
      action={storage ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={reason}
      onClose={onClose}
      onSave={() => {
        mutate();
      }}
    >
      {theirs && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setName(theirs.metadata.name);
            setSize(String(theirs.spec.sizeGiB));
            setNetworkIds(theirs.spec.attachments?.networkIds ?? []);
            setRootSquash(theirs.spec.storageType.NFS?.rootSquash ?? true);
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
      {!storage && (
        <ChoiceField
          label={texts.class}
          empty={texts.chooseClass}
          problem={fieldProblem(error, 'spec.storageClassId')}
          value={chosenClass?.metadata.id ?? ''}
          choices={usable.map(({ metadata, spec }) => ({
            value: metadata.id,
            label: `${metadata.name} (${regionName(spec.regionId)})`,
          }))}
          onChange={setClassId}
        />
      )}
      <TextField
        label={texts.size}
        hint={texts.sizeHint}
        problem={fieldProblem(error, 'spec.sizeGiB')}
        type="number"
        value={size}
        onChange={setSize}
      />
      <Choices
        label={texts.networks}
        hint={texts.networksHint}
        options={networks
          .filter(({ status }) => status.regionId === regionId)
          .map(({ metadata, status }) => ({ id: metadata.id, label: `${metadata.name} (${status.prefix})` }))}
        chosen={networkIds}
        onChange={setNetworkIds}
      />
      <CheckField label={texts.rootSquash} checked={rootSquash} onChange={setRootSquash} />
      <Same
        noun="filestorage"
        name={opened?.metadata.name ?? metadata.name}
        body={storage ? { metadata, spec } : creation}
        before={opened}
        fixed={storage && { storageClassId: storage.status.storageClassId }}
        known={[regions, classes, networks]}
        organization={org}
        project={project}
        region={regionId}
        sent={
          storage
            ? { method: 'PUT', path: `/region/api/v2/filestorage/${storage.metadata.id}`, body: { metadata, spec } }
            : { method: 'POST', path: '/region/api/v2/filestorage', body: creation }
        }
      />
    </FormDialog>
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await dataOf(region.DELETE('/api/v2/filestorage/{filestorageID}', { params: { path: { filestorageID: id } } }));
      followResource('fileStorage', 'delete', { org, project, id, name });
    },
    onSuccess: () => {
      onClose();
      onDeleted?.();
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
      <Same
        noun="filestorage"
        name={name}
        verb="delete"
        organization={org}
        project={project}
        sent={{ method: 'DELETE', path: `/region/api/v2/filestorage/${id}` }}
      />
    </DeleteDialog>
  );
}
