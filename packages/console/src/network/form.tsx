import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type Network } from '@unikorn/sdk';

import { useRegions } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ChangedMeanwhile, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { useOpened } from '../parts/opened.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { Same } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { linesOf, parseRoutes, routeText } from './text.ts';

const texts = words.network;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly network?: Network;
  readonly onClose: () => void;
}

/** Creates a network, or changes one. Region and prefix can only be chosen once. */
export function NetworkForm({ org, project, network, onClose }: FormProps) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { data: regions = [] } = useRegions(org);
  const { opened, theirs, save, load } = useOpened(network);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [description, setDescription] = useState(opened?.metadata.description ?? '');
  const [regionId, setRegionId] = useState('');
  const [prefix, setPrefix] = useState('10.0.0.0/24');
  const [dns, setDns] = useState(opened ? opened.spec.dnsNameservers.join('\n') : '1.1.1.1\n8.8.8.8');
  const [routes, setRoutes] = useState(routeText(opened?.spec.routes ?? []));
  const parsed = parseRoutes(routes);
  const chosenRegion = regionId === '' && regions.length === 1 ? (regions[0]?.metadata.id ?? '') : regionId;
  const metadata = {
    name: name.trim(),
    ...defined({
      description: description.trim() === '' ? undefined : description.trim(),
      tags: opened?.metadata.tags,
    }),
  };
  const spec = {
    dnsNameservers: linesOf(dns),
    ...(parsed.routes.length > 0 || opened?.spec.routes ? { routes: parsed.routes } : {}),
  };
  const creation = {
    metadata,
    spec: { ...spec, organizationId: org, projectId: project, regionId: chosenRegion, prefix: prefix.trim() },
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (network) {
        const params = { path: { networkID: network.metadata.id } };
        return save(
          () => region.GET('/api/v2/networks/{networkID}', { params }),
          (headers) => region.PUT('/api/v2/networks/{networkID}', { params, headers, body: { metadata, spec } }),
        );
      }
      const { metadata: made } = await dataOf(region.POST('/api/v2/networks', { body: creation }));
      followResource('network', 'create', { org, project, ...made });
      return true;
    },
    onSuccess: async (saved) => {
      if (!saved) return;
      await queries.invalidateQueries({ queryKey: ['networks', org] });
      onClose();
    },
  });
  const missing = [
    [words.parts.name, name],
    ...(network
      ? []
      : [
          [texts.region, chosenRegion],
          [texts.prefix, prefix],
        ]),
  ].find(([, value]) => value?.trim() === '');
  return (
    <FormDialog
      title={network ? words.parts.editTitle(network.metadata.name) : texts.create}
      action={network ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={missing ? `${missing[0] ?? ''}: ${words.parts.required}` : parsed.problem}
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
            setDescription(theirs.metadata.description ?? '');
            setDns(theirs.spec.dnsNameservers.join('\n'));
            setRoutes(routeText(theirs.spec.routes ?? []));
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
      {!network && (
        <>
          <ChoiceField
            label={texts.region}
            empty={texts.chooseRegion}
            problem={fieldProblem(error, 'spec.regionId')}
            value={chosenRegion}
            choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
            onChange={setRegionId}
          />
          <TextField
            label={texts.prefix}
            hint={texts.prefixHint}
            problem={fieldProblem(error, 'spec.prefix')}
            value={prefix}
            onChange={setPrefix}
            maxLength={18}
            autoComplete="off"
            mono
          />
        </>
      )}
      <TextField label={words.parts.description} value={description} onChange={setDescription} maxLength={4096} />
      <TextField
        label={texts.dns}
        hint={texts.dnsHint}
        problem={fieldProblem(error, 'spec.dnsNameservers')}
        value={dns}
        onChange={setDns}
        rows={2}
        mono
      />
      <TextField
        label={texts.routes}
        hint={texts.routesHint}
        problem={fieldProblem(error, 'spec.routes')}
        value={routes}
        onChange={setRoutes}
        rows={2}
        mono
      />
      <Same
        noun="network"
        name={opened?.metadata.name ?? metadata.name}
        body={network ? { metadata, spec } : creation}
        before={opened}
        fixed={network && { prefix: network.status.prefix }}
        known={[regions]}
        organization={org}
        project={project}
        region={network?.status.regionId ?? chosenRegion}
        sent={
          network
            ? { method: 'PUT', path: `/region/api/v2/networks/${network.metadata.id}`, body: { metadata, spec } }
            : { method: 'POST', path: '/region/api/v2/networks', body: creation }
        }
      />
    </FormDialog>
  );
}

export function DeleteNetwork({
  org,
  project,
  network,
  onClose,
  onDeleted,
}: Required<FormProps> & { readonly onDeleted?: () => void }) {
  const { region } = useApi();
  const { id, name } = network.metadata;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await dataOf(region.DELETE('/api/v2/networks/{networkID}', { params: { path: { networkID: id } } }));
      followResource('network', 'delete', { org, project, id, name });
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
        noun="network"
        name={name}
        verb="delete"
        organization={org}
        project={project}
        sent={{ method: 'DELETE', path: `/region/api/v2/networks/${id}` }}
      />
    </DeleteDialog>
  );
}
