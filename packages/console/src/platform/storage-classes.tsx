import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { dataOf, type FileStorageClass } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { createdColumn, deleteAction, idOf, nameColumn, nameOf } from '../parts/rows.tsx';
import { platform } from '../platform.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { useOrganizations } from '../shell/tenancy.ts';
import { shellWord } from '../parts/equivalent.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';
import { AsOf } from './refreshed.tsx';
import { useStorageClasses } from './region/queries.ts';

const texts = platformWords.storageClasses;
const protocols = ['nfsv3', 'nfsv4'] as const;

/** The types of file storage that regions offer. The API can create and delete them, and nothing else. */
export function StorageClassesPage() {
  const state = useListState();
  const rights = useRights(undefined);
  const { data, error, dataUpdatedAt } = useStorageClasses();
  const { byId: regions } = useLive('regions', {});
  const chosen = data?.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'delete') =>
    rights.mayGlobally('region:filestorageclass:v2', verb) ? undefined : words.parts.missingRight;
  const regionOf = ({ spec }: FileStorageClass) => regions.get(spec.regionId)?.metadata.name ?? spec.regionId;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="fileStorage"
        state={state}
        rows={data}
        error={error}
        stale={error !== null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={(each) =>
          `${each.metadata.name} ${each.metadata.id} ${regionOf(each)} ${each.spec.protocols.join(' ')}`
        }
        createReason={refused('create')}
        columns={[
          nameColumn(),
          {
            key: 'region',
            title: texts.region,
            sort: regionOf,
            cell: (each) => (
              <Link
                to="/platform/regions/$id"
                params={{ id: each.spec.regionId }}
                className="text-accent-text hover:underline"
              >
                {regionOf(each)}
              </Link>
            ),
          },
          { key: 'protocols', title: texts.protocols, cell: ({ spec }) => spec.protocols.join(', ') },
          {
            key: 'parallelism',
            title: texts.parallelism,
            sort: ({ spec }) => spec.parallelism,
            cell: ({ spec }) => <span className="tabular">{spec.parallelism}</span>,
          },
          createdColumn(),
        ]}
        actions={[deleteAction(state, refused('delete'))]}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="text-muted">{texts.noChange}</p>
          <AsOf dataUpdatedAt={dataUpdatedAt} error={error} />
        </div>
      </ListPage>
      {dialog === 'new' && <StorageClassForm onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteStorageClass storageClass={chosen} onClose={state.close} />}
    </>
  );
}

function StorageClassForm({ onClose }: { readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { items: regions } = useLive('regions', {});
  const { organizations } = useOrganizations();
  const [name, setName] = useState('');
  const [regionId, setRegionId] = useState('');
  const [organizationId, setOrganizationId] = useState('');
  const [provisioner, setProvisioner] = useState('simulated');
  const [chosen, setChosen] = useState<readonly string[]>(['nfsv4']);
  const [parallelism, setParallelism] = useState('');
  const body = {
    metadata: { name: name.trim() },
    spec: {
      regionId,
      ...(organizationId === '' ? {} : { organizationId }),
      provisioner: provisioner.trim(),
      protocols: protocols.filter((each) => chosen.includes(each)),
      ...(parallelism.trim() === '' ? {} : { parallelism: Number(parallelism) }),
    },
  };
  const text = JSON.stringify(body);
  // The same draft keeps its key, so that a repeated request creates one class.
  const key = useMemo(() => platform.uuid(), [text]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(region.POST('/api/v2/filestorageclasses', { body, headers: { 'Idempotency-Key': key } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['storage-classes'] });
      onClose();
    },
  });
  const missing = [
    [words.parts.name, body.metadata.name],
    [texts.region, regionId],
    [texts.provisioner, body.spec.provisioner],
    [texts.protocols, body.spec.protocols.join()],
  ].find(([, value]) => value === '');
  const regionName = regions.find(({ metadata }) => metadata.id === regionId)?.metadata.name ?? 'REGION';
  const wrong = /^\d*$/.test(parallelism.trim()) ? undefined : platformWords.simulation.wholeNumber(texts.parallelism);
  return (
    <FormDialog
      title={texts.create}
      action={words.parts.create}
      busy={isPending}
      error={error}
      reason={missing ? `${missing[0] ?? ''}: ${words.parts.required}` : wrong}
      onClose={onClose}
      onSave={() => {
        mutate();
      }}
    >
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
        label={texts.region}
        empty={words.parts.choose}
        problem={fieldProblem(error, 'spec.regionId')}
        value={regionId}
        choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
        onChange={setRegionId}
      />
      <TextField
        label={texts.provisioner}
        hint={texts.provisionerHint}
        problem={fieldProblem(error, 'spec.provisioner')}
        value={provisioner}
        onChange={setProvisioner}
        maxLength={63}
        autoComplete="off"
      />
      <Choices
        label={texts.protocols}
        options={protocols.map((each) => ({ id: each, label: each }))}
        chosen={chosen}
        onChange={setChosen}
      />
      <TextField
        label={texts.parallelism}
        hint={texts.parallelismHint}
        problem={fieldProblem(error, 'spec.parallelism')}
        value={parallelism}
        onChange={setParallelism}
        maxLength={3}
        autoComplete="off"
      />
      <ChoiceField
        label={texts.organization}
        hint={texts.organizationHint}
        empty={platformWords.everyOrganization}
        value={organizationId}
        choices={organizations.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
        onChange={setOrganizationId}
      />
      <Same
        command={
          // The command line has no option for a class of one organization.
          organizationId === ''
            ? [
                `npx unikorn filestorageclass create ${shellWord(name.trim() || 'NAME')}`,
                `--region ${shellWord(regionName)}`,
                `--provisioner ${shellWord(provisioner.trim())}`,
                ...body.spec.protocols.map((each) => `--protocol ${each}`),
                ...(parallelism.trim() === '' ? [] : [`--parallelism ${parallelism.trim()}`]),
              ].join(' \\\n  ')
            : undefined
        }
        file={{
          command: 'npx unikorn apply -f filestorageclass.yaml',
          document: { kind: 'filestorageclass', metadata: body.metadata, spec: { ...body.spec, regionId: regionName } },
        }}
        sent={{ method: 'POST', path: '/region/api/v2/filestorageclasses', body }}
      />
    </FormDialog>
  );
}

function DeleteStorageClass({
  storageClass,
  onClose,
}: {
  readonly storageClass: FileStorageClass;
  readonly onClose: () => void;
}) {
  const { id, name } = storageClass.metadata;
  const { region } = useApi();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      region.DELETE('/api/v2/filestorageclasses/{fileStorageClassID}', {
        params: { path: { fileStorageClassID: id } },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['storage-classes'] });
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
      <Same
        command={`npx unikorn filestorageclass delete ${shellWord(name)}`}
        sent={{ method: 'DELETE', path: `/region/api/v2/filestorageclasses/${id}` }}
      />
    </DeleteDialog>
  );
}
