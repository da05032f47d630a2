import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type Instance, type LoadBalancer } from '@unikorn/sdk';

import { useNetworks } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { useLive } from '../live/use-live.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { ChangedMeanwhile, Choices, DeleteDialog, FormDialog } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { useOpened } from '../parts/opened.ts';
import { fieldProblem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { Same } from '../shell/same.tsx';
import { followResource } from '../shell/work.ts';
import { words } from '../words/index.ts';
import {
  draftOf,
  emptyListener,
  listenerOf,
  membersIn,
  memberText,
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

/** Creates a load balancer, or changes one. The network can only be chosen once. */
export function LoadBalancerForm({ org, project, balancer, onClose }: FormProps) {
  const { region } = useApi();
  const { data: networks = [] } = useNetworks(org, project);
  const { items: instances } = useLive('instances', { organization: org, project });
  const { opened, theirs, save, load } = useOpened(balancer);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [networkId, setNetworkId] = useState(opened?.status.networkId ?? '');
  const [publicIP, setPublicIP] = useState(opened?.spec.publicIP ?? false);
  const [listeners, setListeners] = useState(opened ? draftsOf(opened) : [emptyListener('1')]);
  const chosenNetwork = networkId === '' && networks.length === 1 ? (networks[0]?.metadata.id ?? '') : networkId;
  const inside = instances.filter(({ status }) => status.networkId === chosenNetwork && status.privateIP !== undefined);
  const metadata = {
    name: name.trim(),
    ...defined({ description: opened?.metadata.description, tags: opened?.metadata.tags }),
  };
  const spec = { publicIP, listeners: listeners.map(listenerOf) };
  const creation = { metadata, spec: { ...spec, networkId: chosenNetwork } };
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (balancer) {
        const params = { path: { loadBalancerID: balancer.metadata.id } };
        const path = '/api/v2/loadbalancers/{loadBalancerID}';
        return save(
          () => region.GET(path, { params }),
          (headers) => region.PUT(path, { params, headers, body: { metadata, spec } }),
        );
      }
      const { metadata: made } = await dataOf(region.POST('/api/v2/loadbalancers', { body: creation }));
      followResource('loadBalancer', 'create', { org, project, ...made });
      return true;
    },
    onSuccess: (saved) => {
      if (saved) onClose();
    },
  });
  const missing = [
    [words.parts.name, name],
    [texts.network, chosenNetwork],
  ].find(([, value]) => value?.trim() === '');
  const next = String(1 + Math.max(0, ...listeners.map(({ key }) => Number(key))));
  return (
    <FormDialog
      title={balancer ? words.parts.editTitle(balancer.metadata.name) : texts.create}
      action={balancer ? words.parts.save : words.parts.create}
      busy={isPending}
      error={error}
      reason={missing ? `${missing[0] ?? ''}: ${words.parts.required}` : problemOf(listeners)}
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
            setPublicIP(theirs.spec.publicIP ?? false);
            setListeners(draftsOf(theirs));
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
      {!balancer && (
        <ChoiceField
          label={texts.network}
          empty={texts.chooseNetwork}
          problem={fieldProblem(error, 'spec.networkId')}
          value={chosenNetwork}
          choices={networks.map(({ metadata, status }) => ({
            value: metadata.id,
            label: `${metadata.name} (${status.prefix})`,
          }))}
          onChange={setNetworkId}
        />
      )}
      <CheckField label={texts.publicIP} checked={publicIP} onChange={setPublicIP} />
      {listeners.map((listener, index) => (
        <ListenerFields
          key={listener.key}
          number={index + 1}
          listener={listener}
          instances={inside}
          onChange={(changes) => {
            setListeners(listeners.map((each) => (each.key === listener.key ? { ...each, ...changes } : each)));
          }}
          onRemove={() => {
            setListeners(listeners.filter(({ key }) => key !== listener.key));
          }}
        />
      ))}
      <Button
        className="self-start"
        onClick={() => {
          setListeners([...listeners, emptyListener(next)]);
        }}
      >
        <Icon name="plus" />
        {texts.addListener}
      </Button>
      <Same
        noun="loadbalancer"
        name={opened?.metadata.name ?? metadata.name}
        body={balancer ? { metadata, spec } : creation}
        before={opened}
        fixed={balancer && { networkId: balancer.status.networkId }}
        known={[networks]}
        organization={org}
        project={project}
        sent={
          balancer
            ? { method: 'PUT', path: `/region/api/v2/loadbalancers/${balancer.metadata.id}`, body: { metadata, spec } }
            : { method: 'POST', path: '/region/api/v2/loadbalancers', body: creation }
        }
      />
    </FormDialog>
  );
}

function draftsOf({ spec }: LoadBalancer): DraftListener[] {
  return spec.listeners.map((listener, index) => draftOf(listener, String(index + 1)));
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
  const ticked = members.flatMap((member) =>
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
        chosen={ticked}
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
            write(ticked, port, otherText);
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
          write(ticked, memberPort, text);
        }}
      />
      <CheckField
        label={texts.healthCheck}
        checked={listener.healthCheck}
        onChange={(healthCheck) => {
          onChange({ healthCheck });
        }}
      />
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await dataOf(
        region.DELETE('/api/v2/loadbalancers/{loadBalancerID}', { params: { path: { loadBalancerID: id } } }),
      );
      followResource('loadBalancer', 'delete', { org, project, id, name });
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
        noun="loadbalancer"
        name={name}
        verb="delete"
        organization={org}
        project={project}
        sent={{ method: 'DELETE', path: `/region/api/v2/loadbalancers/${id}` }}
      />
    </DeleteDialog>
  );
}
