import { useQueryClient } from '@tanstack/react-query';

import { dataOf, type Network } from '@unikorn/sdk';

import { useRegions } from '../catalog/catalog.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { linesOf } from '../parts/lines.ts';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { parseRoutes, routeText } from './text.ts';

const texts = words.network;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly network?: Network;
  readonly onClose: () => void;
}

const fields = {
  ...commonFields,
  regionId: { label: texts.region, path: 'spec.regionId' },
  prefix: { label: texts.prefix, path: 'spec.prefix' },
  dns: { label: texts.dns, path: 'spec.dnsNameservers' },
  routes: { label: texts.routes, path: 'spec.routes' },
} as const satisfies FieldsOf<ReturnType<typeof draftOf>>;

function draftOf(network: Network | undefined) {
  return {
    ...commonDraftOf(network),
    regionId: '',
    prefix: '10.0.0.0/24',
    dns: network ? network.spec.dnsNameservers.join('\n') : '1.1.1.1\n8.8.8.8',
    routes: routeText(network?.spec.routes ?? []),
  };
}

/** Creates a network, or changes one. Region and prefix can only be chosen once. */
export function NetworkForm({ org, project, network, onClose }: FormProps) {
  const { region } = useApi();
  const queries = useQueryClient();
  const { data: regions = [], isSuccess } = useRegions(org);
  const form = useForm(network, draftOf, fields);
  const { draft, opened } = form;
  const parsed = parseRoutes(draft.routes);
  const regionId = draft.regionId || (regions.length === 1 ? (regions[0]?.metadata.id ?? '') : '');
  const change = {
    metadata: metadataOf(draft),
    spec: {
      dnsNameservers: linesOf(draft.dns),
      ...(parsed.routes.length > 0 || opened?.spec.routes ? { routes: parsed.routes } : {}),
    },
  };
  const creation = {
    metadata: change.metadata,
    spec: { ...change.spec, organizationId: org, projectId: project, regionId, prefix: draft.prefix.trim() },
  };
  const body = network ? change : creation;
  const save = () => {
    const path = '/api/v2/networks/{networkID}';
    const at = { params: { path: { networkID: network?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(region.POST('/api/v2/networks', { headers, body: creation })),
        read: () => region.GET(path, at),
        write: (headers) => region.PUT(path, { ...at, headers, body: change }),
      },
      async (made) => {
        if (made) followResource('network', 'create', { org, project, ...made.metadata });
        await queries.invalidateQueries({ queryKey: ['networks', org] });
        onClose();
      },
    );
  };
  const missing = missingOf([
    [fields.name.label, draft.name],
    ...(network
      ? []
      : ([
          [texts.region, regionId],
          [texts.prefix, draft.prefix],
        ] as const)),
  ]);
  return (
    <ItemForm
      form={form}
      name={network?.metadata.name}
      create={texts.create}
      reason={missing ?? parsed.problem}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      {!network && (
        <>
          <ChoiceField
            {...form.field('regionId')}
            empty={texts.chooseRegion}
            none={isSuccess ? words.parts.noChoice.region : undefined}
            value={regionId}
            choices={regions.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
          />
          <TextField {...form.field('prefix')} hint={texts.prefixHint} maxLength={18} autoComplete="off" mono />
        </>
      )}
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <TextField {...form.field('dns')} hint={texts.dnsHint} rows={2} mono />
      <TextField {...form.field('routes')} hint={texts.routesHint} rows={2} mono />
      <Same
        noun="network"
        name={opened?.metadata.name ?? change.metadata.name}
        body={body}
        before={opened}
        fixed={network && { prefix: network.status.prefix }}
        known={[regions]}
        organization={org}
        project={project}
        region={network?.status.regionId ?? regionId}
        sent={sentTo('/region/api/v2/networks', network?.metadata.id, body)}
      />
    </ItemForm>
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
  const remove = async () => {
    await dataOf(region.DELETE('/api/v2/networks/{networkID}', { params: { path: { networkID: id } } }));
    followResource('network', 'delete', { org, project, id, name });
  };
  return (
    <DeleteResource
      noun="network"
      name={name}
      text={texts.deletes}
      organization={org}
      project={project}
      path={`/region/api/v2/networks/${id}`}
      remove={remove}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
