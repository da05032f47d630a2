import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { dataOf, type FileStorageClass } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Choices, ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { askedBelow, createdColumn, deleteAction, idOf, nameColumn, nameOf } from '../parts/rows.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { useOrganizations } from '../shell/tenancy.ts';
import { fileOf } from '../parts/equivalent.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';
import { RefreshedList } from './refreshed.tsx';
import { useStorageClasses } from './region/queries.ts';

const texts = platformWords.storageClasses;
const protocols = ['nfsv3', 'nfsv4'] as const;

/** The types of file storage that regions offer. The API can create and delete them, and nothing else. */
export function StorageClassesPage() {
  const state = useListState();
  const rights = useRights(undefined);
  const query = useStorageClasses();
  const { data } = query;
  const { byId: regions } = useLive('regions', {});
  const chosen = useChosen(state, (id) => data?.find(({ metadata }) => metadata.id === id));
  const regionOf = ({ spec }: FileStorageClass) => regions.get(spec.regionId)?.metadata.name ?? spec.regionId;
  const { dialog } = state.search;
  return (
    <>
      <RefreshedList
        texts={texts}
        icon="fileStorage"
        state={state}
        query={query}
        rows={data}
        idOf={idOf}
        nameOf={nameOf}
        textOf={(each) =>
          `${each.metadata.name} ${each.metadata.id} ${regionOf(each)} ${each.spec.protocols.join(' ')}`
        }
        createReason={rights.mayGlobally('region:filestorageclass:v2', 'create') ? undefined : words.parts.missingRight}
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
            labelled: true,
            title: texts.parallelism,
            sort: ({ spec }) => spec.parallelism,
            cell: ({ spec }) => <span className="tabular">{spec.parallelism}</span>,
          },
          createdColumn(),
        ]}
        asked={askedBelow('region', '/api/v2/filestorageclasses')}
        actions={[deleteAction(state)]}
      >
        <p className="text-muted">{texts.noChange}</p>
      </RefreshedList>
      {dialog === 'new' && <StorageClassForm onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteStorageClass storageClass={chosen} onClose={state.close} />}
    </>
  );
}

interface Draft extends CommonDraft {
  readonly regionId: string;
  readonly organizationId: string;
  readonly provisioner: string;
  readonly protocols: readonly string[];
  readonly parallelism: string;
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  regionId: { label: texts.region, path: 'spec.regionId' },
  organizationId: { label: texts.organization },
  provisioner: { label: texts.provisioner, path: 'spec.provisioner' },
  protocols: { label: texts.protocols },
  parallelism: { label: texts.parallelism, path: 'spec.parallelism' },
};
const blank: Draft = {
  ...commonDraftOf(undefined),
  regionId: '',
  organizationId: '',
  provisioner: 'simulated',
  protocols: ['nfsv4'],
  parallelism: '',
};

function StorageClassForm({ onClose }: { readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { items: regions } = useLive('regions', {});
  const { organizations } = useOrganizations();
  const form = useForm(undefined, () => blank, fields);
  const { draft } = form;
  const { regionId, organizationId } = draft;
  const [name, provisioner, parallelism] = [draft.name.trim(), draft.provisioner.trim(), draft.parallelism.trim()];
  const body = {
    metadata: metadataOf(draft),
    spec: {
      regionId,
      ...(organizationId === '' ? {} : { organizationId }),
      provisioner,
      protocols: protocols.filter((each) => draft.protocols.includes(each)),
      ...(parallelism === '' ? {} : { parallelism: Number(parallelism) }),
    },
  };
  const save = () => {
    form.create(
      (headers) => dataOf(region.POST('/api/v2/filestorageclasses', { body, headers })),
      async () => {
        await queries.invalidateQueries({ queryKey: ['storage-classes'] });
        onClose();
      },
    );
  };
  const missing = missingOf([
    [fields.name.label, name],
    [texts.region, regionId],
    [texts.provisioner, provisioner],
    [texts.protocols, body.spec.protocols.join()],
  ]);
  const wrong = /^\d*$/.test(parallelism) ? undefined : platformWords.simulation.wholeNumber(texts.parallelism);
  const writes = { noun: 'filestorageclass', name, body, known: [regions] } as const;
  const sent = sentTo('/region/api/v2/filestorageclasses', undefined, body);
  return (
    <ItemForm
      form={form}
      name={undefined}
      create={texts.create}
      reason={missing ?? wrong}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      <ChoiceField
        {...form.field('regionId')}
        empty={words.parts.choose}
        choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
      />
      <TextField {...form.field('provisioner')} hint={texts.provisionerHint} maxLength={63} autoComplete="off" />
      <Choices {...form.field('protocols')} options={protocols.map((each) => ({ id: each, label: each }))} />
      <TextField {...form.field('parallelism')} hint={texts.parallelismHint} maxLength={3} autoComplete="off" />
      <ChoiceField
        {...form.field('organizationId')}
        hint={texts.organizationHint}
        empty={platformWords.everyOrganization}
        choices={organizations.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
      />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      {organizationId === '' ? (
        <Same {...writes} region={regionId} sent={sent} />
      ) : (
        // The command line has no option for a class of one organization.
        <Same file={fileOf({ ...writes, place: {} })} sent={sent} />
      )}
    </ItemForm>
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
  const remove = async () => {
    const params = { path: { fileStorageClassID: id } };
    await region.DELETE('/api/v2/filestorageclasses/{fileStorageClassID}', { params });
    await queries.invalidateQueries({ queryKey: ['storage-classes'] });
  };
  return (
    <DeleteResource
      noun="filestorageclass"
      name={name}
      path={`/region/api/v2/filestorageclasses/${id}`}
      text={texts.deletes}
      region={storageClass.spec.regionId}
      remove={remove}
      onClose={onClose}
    />
  );
}
