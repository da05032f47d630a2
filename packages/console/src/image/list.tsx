import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type Image } from '@unikorn/sdk';

import { useRegions } from '../catalog/catalog.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { DeleteDialog, FormDialog } from '../parts/form.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { Status, type Tone } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useActions } from '../session/actions.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
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

function keyOf(organization: string, region: string) {
  return ['images', organization, region] as const;
}

/** The images of all regions of an organization. They have no stream, so they are read again and again. */
export function ImagesPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const { compute } = useApi();
  const { data: regions, error: regionsError } = useRegions(org);
  const lists = useQueries({
    queries: (regions ?? []).map(({ metadata }) => ({
      queryKey: keyOf(org, metadata.id),
      queryFn: (): Promise<readonly Image[]> =>
        dataOf(
          compute.GET('/api/v1/organizations/{organizationID}/regions/{regionID}/images', {
            params: { path: { organizationID: org, regionID: metadata.id } },
          }),
        ),
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
          { key: 'os', title: texts.os, sort: osText, cell: osText },
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
        actions={[
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            reason: () => refused('delete'),
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

const architectures = ['x86_64', 'aarch64'] as const;
const virtualizations = ['virtualized', 'baremetal', 'any'] as const;

function ImportForm({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { data: regions = [] } = useRegions(org);
  const [name, setName] = useState('');
  const [regionId, setRegionId] = useState('');
  const [uri, setUri] = useState('');
  const [architecture, setArchitecture] = useState<(typeof architectures)[number]>('x86_64');
  const [virtualization, setVirtualization] = useState<(typeof virtualizations)[number]>('virtualized');
  const [family, setFamily] = useState('debian');
  const [distro, setDistro] = useState('ubuntu');
  const [version, setVersion] = useState('');
  const chosenRegion = regionId === '' && regions.length === 1 ? (regions[0]?.metadata.id ?? '') : regionId;
  const body = {
    metadata: { name: name.trim() },
    spec: {
      uri: uri.trim(),
      architecture,
      virtualization,
      os: { kernel: 'linux' as const, family: family.trim(), distro: distro.trim(), version: version.trim() },
    },
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        region.POST('/api/v1/organizations/{organizationID}/regions/{regionID}/images', {
          params: { path: { organizationID: org, regionID: chosenRegion } },
          body,
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(org, chosenRegion) });
      onClose();
    },
  });
  const missing = [
    [words.parts.name, name],
    [texts.region, chosenRegion],
    [texts.address, uri],
    [texts.family, family],
    [texts.distribution, distro],
    [texts.version, version],
  ].find(([, value]) => value?.trim() === '');
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      busy={isPending}
      error={error}
      reason={missing ? `${missing[0] ?? ''}: ${words.parts.required}` : undefined}
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
        empty={texts.chooseRegion}
        value={chosenRegion}
        choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
        onChange={setRegionId}
      />
      <TextField
        label={texts.address}
        hint={texts.addressHint}
        problem={fieldProblem(error, 'spec.uri')}
        value={uri}
        onChange={setUri}
        maxLength={2048}
        autoComplete="off"
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={texts.family}
          hint={texts.familyHint}
          problem={fieldProblem(error, 'spec.os.family')}
          value={family}
          onChange={setFamily}
          maxLength={255}
          autoComplete="off"
        />
        <TextField
          label={texts.distribution}
          hint={texts.distributionHint}
          problem={fieldProblem(error, 'spec.os.distro')}
          value={distro}
          onChange={setDistro}
          maxLength={255}
          autoComplete="off"
        />
        <TextField
          label={texts.version}
          hint={texts.versionHint}
          problem={fieldProblem(error, 'spec.os.version')}
          value={version}
          onChange={setVersion}
          maxLength={255}
          autoComplete="off"
        />
        <ChoiceField
          label={texts.architecture}
          value={architecture}
          choices={architectures.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            setArchitecture(architectures.find((each) => each === value) ?? 'x86_64');
          }}
        />
        <ChoiceField
          label={texts.virtualization}
          value={virtualization}
          choices={virtualizations.map((value) => ({ value, label: texts.virtualizations[value] }))}
          onChange={(value) => {
            setVirtualization(virtualizations.find((each) => each === value) ?? 'virtualized');
          }}
        />
      </div>
      <Same
        noun="image"
        name={body.metadata.name}
        body={body}
        known={[regions]}
        organization={org}
        region={chosenRegion}
        sent={{
          method: 'POST',
          path: `/region/api/v1/organizations/${org}/regions/${chosenRegion}/images`,
          body,
        }}
      />
    </FormDialog>
  );
}

function DeleteImage({ org, row, onClose }: { readonly org: string; readonly row: Row; readonly onClose: () => void }) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { id, name } = row.image.metadata;
  const against = useActions(
    'region',
    `/api/v1/organizations/${org}/regions/${row.regionId}/images/${id}`,
    row.image.status.state,
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        region.DELETE('/api/v1/organizations/{organizationID}/regions/{regionID}/images/{imageID}', {
          params: { path: { organizationID: org, regionID: row.regionId, imageID: id } },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(org, row.regionId) });
      onClose();
    },
  });
  const reason = against('delete');
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
      {reason !== undefined && reason !== words.parts.loading && (
        <p lang="en" className="text-warn">
          {reason}
        </p>
      )}
      <Same
        noun="image"
        name={name}
        verb="delete"
        organization={org}
        region={row.regionId}
        sent={{ method: 'DELETE', path: `/region/api/v1/organizations/${org}/regions/${row.regionId}/images/${id}` }}
      />
    </DeleteDialog>
  );
}
