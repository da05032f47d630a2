import { useState } from 'react';

import { dataOf, type Instance, type LoadBalancer } from '@unikorn/sdk';

import { useNetworks } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { Choices, ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import type { FieldsOf } from '../parts/three-way.ts';
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
import { ListenerLimits } from './listener-limits.tsx';
import {
  draftOf as draftListenerOf,
  emptyListener,
  listenerOf,
  listenersText,
  membersIn,
  memberText,
  mergedListeners,
  problemOf,
  protocols,
  type DraftListener,
} from './listeners.ts';

const texts = words.loadBalancer;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly balancer?: LoadBalancer;
  readonly onClose: () => void;
}

interface Draft extends CommonDraft {
  readonly networkId: string;
  readonly vip: string;
  readonly publicIP: boolean;
  readonly listeners: readonly DraftListener[];
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  networkId: { label: texts.network, path: 'spec.networkId' },
  vip: {
    label: texts.vip,
    path: 'spec.vipAddress',
    flaw: (vip) => (/^(\d{1,3}\.){3}\d{1,3}$|^$/.test(vip.trim()) ? undefined : texts.wrongVip),
  },
  publicIP: { label: texts.publicIP },
  listeners: { label: texts.listeners, text: listenersText, merge: mergedListeners },
};

function draftOf(balancer: LoadBalancer | undefined): Draft {
  return {
    ...commonDraftOf(balancer),
    networkId: balancer?.status.networkId ?? '',
    vip: '',
    publicIP: balancer?.spec.publicIP ?? false,
    listeners: balancer
      ? balancer.spec.listeners.map((listener, index) => draftListenerOf(listener, String(index + 1)))
      : [emptyListener('1')],
  };
}

/** Creates a load balancer, or changes one. The network can only be chosen once. */
export function LoadBalancerForm({ org, project, balancer, onClose }: FormProps) {
  const { region } = useApi();
  const { data: networks = [], isSuccess } = useNetworks(org, project);
  const { items: instances } = useLive('instances', { organization: org, project });
  const form = useForm(balancer, draftOf, fields);
  const { draft, opened } = form;
  const { listeners } = draft;
  const networkId = draft.networkId || (networks.length === 1 ? (networks[0]?.metadata.id ?? '') : '');
  const inside = instances.filter(({ status }) => status.networkId === networkId && status.privateIP !== undefined);
  const change = {
    metadata: metadataOf(draft),
    spec: { publicIP: draft.publicIP, listeners: listeners.map(listenerOf) },
  };
  const vip = draft.vip.trim();
  const creation = {
    metadata: change.metadata,
    spec: { ...change.spec, networkId, ...(vip === '' ? {} : { vipAddress: vip }) },
  };
  const body = balancer ? change : creation;
  const save = () => {
    const path = '/api/v2/loadbalancers/{loadBalancerID}';
    const at = { params: { path: { loadBalancerID: balancer?.metadata.id ?? '' } } };
    form.save(
      {
        create: (headers) => dataOf(region.POST('/api/v2/loadbalancers', { headers, body: creation })),
        read: () => region.GET(path, at),
        write: (headers) => region.PUT(path, { ...at, headers, body: change }),
      },
      (made) => {
        if (made) followResource('loadBalancer', 'create', { org, project, ...made.metadata });
        onClose();
      },
    );
  };
  const missing = missingOf([
    [fields.name.label, draft.name],
    [texts.network, networkId],
  ]);
  const next = String(1 + Math.max(0, ...listeners.map(({ key }) => Number(key))));
  return (
    <ItemForm
      form={form}
      name={balancer?.metadata.name}
      create={texts.create}
      reason={missing ?? problemOf(listeners)}
      onClose={onClose}
      onSave={save}
    >
      <NameField {...form.field('name')} />
      {!balancer && (
        <ChoiceField
          {...form.field('networkId')}
          empty={texts.chooseNetwork}
          none={isSuccess ? words.parts.noChoice.network : undefined}
          value={networkId}
          choices={networks.map(({ metadata, status }) => ({
            value: metadata.id,
            label: `${metadata.name} (${status.prefix})`,
          }))}
        />
      )}
      {!balancer && <TextField {...form.field('vip')} hint={texts.vipHint} maxLength={15} autoComplete="off" mono />}
      <CheckField {...ticked(form.field('publicIP'))} />
      {listeners.map((listener, index) => (
        <ListenerFields
          // A loaded change fills the fields anew.
          key={`${listener.key} ${JSON.stringify(opened?.spec.listeners)}`}
          number={index + 1}
          listener={listener}
          instances={inside}
          onChange={(changes) => {
            form.set({
              listeners: listeners.map((each) => (each.key === listener.key ? { ...each, ...changes } : each)),
            });
          }}
          onRemove={() => {
            form.set({ listeners: listeners.filter(({ key }) => key !== listener.key) });
          }}
        />
      ))}
      <Button
        className="self-start"
        onClick={() => {
          form.set({ listeners: [...listeners, emptyListener(next)] });
        }}
      >
        <Icon name="plus" />
        {texts.addListener}
      </Button>
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Same
        noun="loadbalancer"
        name={opened?.metadata.name ?? change.metadata.name}
        body={body}
        before={opened}
        fixed={balancer && { networkId: balancer.status.networkId }}
        known={[networks]}
        organization={org}
        project={project}
        sent={sentTo('/region/api/v2/loadbalancers', balancer?.metadata.id, body)}
      />
    </ItemForm>
  );
}

/** Members are ticked as instances. What is no instance of the network stays in the text below. */
function ListenerFields({
  number,
  listener,
  instances,
  onChange,
  onRemove,
}: {
  readonly number: number;
  readonly listener: DraftListener;
  readonly instances: readonly Instance[];
  readonly onChange: (changes: Partial<DraftListener>) => void;
  readonly onRemove: () => void;
}) {
  const members = membersIn(listener.members);
  const addresses = new Map(instances.map(({ status, metadata }) => [status.privateIP, metadata.id]));
  const isTicked = (member: (typeof members)[number]) => typeof member !== 'string' && addresses.has(member.address);
  const tickedIds = members.flatMap((member) =>
    typeof member === 'string' ? [] : [addresses.get(member.address) ?? ''].filter((id) => id !== ''),
  );
  const others = members.filter((member) => !isTicked(member));
  const firstPort = members.find((member) => typeof member !== 'string');
  const [memberPort, setMemberPort] = useState(typeof firstPort === 'object' ? String(firstPort.port) : listener.port);
  const write = (ids: readonly string[], port: string, rest: string) => {
    const chosen = instances.filter(({ metadata }) => ids.includes(metadata.id));
    onChange({
      members: [...chosen.map(({ status }) => `${status.privateIP ?? ''}:${port}`), rest]
        .filter((line) => line !== '')
        .join('\n'),
    });
  };
  const otherText = others.map((member) => (typeof member === 'string' ? member : memberText(member))).join('\n');
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium">{texts.listener(String(number))}</legend>
      <div className="grid grid-cols-[1fr_5rem_5rem_2rem] items-end gap-2">
        <TextField
          label={texts.listenerName}
          value={listener.name}
          maxLength={63}
          autoComplete="off"
          onChange={(name) => {
            onChange({ name });
          }}
        />
        <ChoiceField
          label={texts.protocol}
          value={listener.protocol}
          choices={protocols.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            onChange({ protocol: protocols.find((each) => each === value) ?? 'tcp' });
          }}
        />
        <TextField
          label={texts.port}
          type="number"
          value={listener.port}
          onChange={(port) => {
            onChange({ port });
          }}
        />
        <IconButton label={texts.removeListener(String(number))} onClick={onRemove}>
          <Icon name="trash" />
        </IconButton>
      </div>
      <Choices
        label={texts.members}
        hint={texts.membersHint}
        options={instances.map(({ metadata, status }) => ({
          id: metadata.id,
          label: `${metadata.name} (${status.privateIP ?? ''})`,
        }))}
        value={tickedIds}
        onChange={(ids) => {
          write(ids, memberPort, otherText);
        }}
      />
      <div className="max-w-40">
        <TextField
          label={texts.memberPort}
          type="number"
          value={memberPort}
          onChange={(port) => {
            setMemberPort(port);
            write(tickedIds, port, otherText);
          }}
        />
      </div>
      <TextField
        label={texts.otherMembers}
        hint={texts.otherMembersHint}
        rows={2}
        mono
        value={otherText}
        onChange={(text) => {
          write(tickedIds, memberPort, text);
        }}
      />
      <CheckField
        label={texts.healthCheck}
        checked={listener.healthCheck}
        onChange={(healthCheck) => {
          onChange({ healthCheck });
        }}
      />
      <ListenerLimits listener={listener} onChange={onChange} />
    </fieldset>
  );
}

export function DeleteLoadBalancer({
  org,
  project,
  balancer,
  onClose,
  onDeleted,
}: Required<FormProps> & { readonly onDeleted?: () => void }) {
  const { region } = useApi();
  const { id, name } = balancer.metadata;
  const remove = async () => {
    await dataOf(region.DELETE('/api/v2/loadbalancers/{loadBalancerID}', { params: { path: { loadBalancerID: id } } }));
    followResource('loadBalancer', 'delete', { org, project, id, name });
  };
  return (
    <DeleteResource
      noun="loadbalancer"
      name={name}
      text={texts.deletes}
      organization={org}
      project={project}
      path={`/region/api/v2/loadbalancers/${id}`}
      remove={remove}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
