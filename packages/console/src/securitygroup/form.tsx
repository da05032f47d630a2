import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type SecurityGroup, type SecurityGroupUpdate, type Unikorn } from '@unikorn/sdk';

import { useNetworks } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ChangedMeanwhile, DeleteDialog } from '../parts/form.tsx';
import { useOpened, writeBack } from '../parts/opened.ts';
import { fieldProblem, Problem } from '../parts/problem.tsx';
import { useApi } from '../session/context.tsx';
import { Same } from '../shell/same.tsx';
import { offerUndo, type Restoration } from '../shell/undo.ts';
import { words } from '../words/index.ts';
import { RuleEditor } from './editor.tsx';
import {
  differenceOf,
  draftOf,
  isSameRules,
  mergedRules,
  presets,
  ruleOf,
  type DraftRule,
  type Rule,
} from './rules.ts';

const texts = words.securityGroup;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly group?: SecurityGroup;
  readonly onClose: () => void;
}

/** A new group lets its instances reach everything, as most users expect. */
const beginning: readonly DraftRule[] = presets.slice(-1).map(({ rule }) => draftOf(rule, '1'));

/** Creates a security group, or changes one. A change is shown as a difference before it is saved. */
export function SecurityGroupForm({ org, project, group, onClose }: FormProps) {
  const { region } = useApi();
  const { data: networks = [] } = useNetworks(org, project);
  const { opened, theirs, save, load } = useOpened(group);
  const [name, setName] = useState(opened?.metadata.name ?? '');
  const [description, setDescription] = useState(opened?.metadata.description ?? '');
  const [networkId, setNetworkId] = useState('');
  const [rules, setRules] = useState(opened ? draftsOf(opened.spec.rules) : beginning);
  const chosenNetwork = networkId === '' && networks.length === 1 ? (networks[0]?.metadata.id ?? '') : networkId;
  const wanted = rules.map(ruleOf);
  const metadata = {
    name: name.trim(),
    ...defined({
      description: description.trim() === '' ? undefined : description.trim(),
      tags: opened?.metadata.tags,
    }),
  };
  const creation = { metadata, spec: { rules: wanted, networkId: chosenNetwork } };
  const change = { metadata, spec: { rules: wanted } };
  const access = group && accessTo(region, group.metadata.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (access) return save(access.read, (headers) => access.write(change, headers));
      await dataOf(region.POST('/api/v2/securitygroups', { body: creation }));
      return true;
    },
    onSuccess: (saved) => {
      if (!saved) return;
      onClose();
      const before = (theirs ?? opened)?.spec.rules;
      if (access && before && !isSameRules(before, wanted))
        offerUndo(texts.done(metadata.name), [restorationOf(access, metadata.name, { before, after: wanted })]);
    },
  });
  const missing = [[words.parts.name, name], ...(group ? [] : [[texts.network, chosenNetwork]])].find(
    ([, value]) => value?.trim() === '',
  );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={group ? words.parts.editTitle(group.metadata.name) : texts.create}
      actions={
        <>
          <Button onClick={onClose}>{words.parts.cancel}</Button>
          <Button
            kind="primary"
            busy={isPending}
            {...(missing ? { reason: `${missing[0] ?? ''}: ${words.parts.required}` } : {})}
            onClick={() => {
              mutate();
            }}
          >
            {group ? words.parts.save : words.parts.create}
          </Button>
        </>
      }
    >
      {theirs && opened && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setName(theirs.metadata.name);
            setDescription(theirs.metadata.description ?? '');
            setRules(draftsOf(theirs.spec.rules));
          }}
          onMerge={() => {
            load();
            setName(name === opened.metadata.name ? theirs.metadata.name : name);
            setDescription(
              description === (opened.metadata.description ?? '') ? (theirs.metadata.description ?? '') : description,
            );
            setRules(draftsOf(mergedRules(opened.spec.rules, theirs.spec.rules, wanted)));
          }}
        >
          <RuleChanges before={opened.spec.rules} after={theirs.spec.rules} />
        </ChangedMeanwhile>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.parts.name}
          problem={fieldProblem(error, 'metadata.name')}
          value={name}
          onChange={setName}
          maxLength={63}
          autoComplete="off"
          autoFocus
        />
        {group ? (
          <TextField label={words.parts.description} value={description} onChange={setDescription} maxLength={4096} />
        ) : (
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
      </div>
      <RuleEditor rules={rules} onChange={setRules} />
      {opened && <Difference before={opened.spec.rules} after={wanted} />}
      <Same
        noun="securitygroup"
        name={opened?.metadata.name ?? metadata.name}
        body={group ? change : creation}
        before={opened}
        fixed={group && { networkId: group.status.networkId }}
        known={[networks]}
        organization={org}
        project={project}
        sent={
          group
            ? { method: 'PUT', path: `/region/api/v2/securitygroups/${group.metadata.id}`, body: change }
            : { method: 'POST', path: '/region/api/v2/securitygroups', body: creation }
        }
      />
      {error && <Problem error={error} />}
    </Dialog>
  );
}

/** How a group is read and written. */
function accessTo(region: Unikorn['region'], id: string) {
  const path = '/api/v2/securitygroups/{securityGroupID}';
  const params = { path: { securityGroupID: id } };
  return {
    read: () => region.GET(path, { params }),
    write: (body: SecurityGroupUpdate, headers: Readonly<Record<string, string>>) =>
      region.PUT(path, { params, headers, body }),
  };
}

/** Writes the rules before the change back, unless another user has changed them since. */
function restorationOf(
  { read, write }: ReturnType<typeof accessTo>,
  name: string,
  { before, after }: Versions,
): Restoration {
  return {
    name,
    restore: () =>
      writeBack(
        ({ spec }) => isSameRules(spec.rules, after),
        read,
        ({ metadata: { name, description, tags } }, headers) =>
          write({ metadata: { name, ...defined({ description, tags }) }, spec: { rules: [...before] } }, headers),
      ),
  };
}

function draftsOf(rules: readonly Rule[]): readonly DraftRule[] {
  return rules.map((rule, index) => draftOf(rule, String(index + 1)));
}

interface Versions {
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
}

function Difference(versions: Versions) {
  return (
    <section aria-label={texts.review} className="rounded-md border border-line bg-sunken p-3">
      <h3 className="pb-1 font-medium">{texts.review}</h3>
      <RuleChanges {...versions} />
    </section>
  );
}

function RuleChanges({ before, after }: Versions) {
  const { added, removed } = differenceOf(before, after);
  return (
    <>
      {added.length + removed.length === 0 && <p className="text-muted">{texts.unchanged}</p>}
      <ul className="font-mono text-sm">
        {removed.map((text) => (
          <li key={`-${text}`} className="text-bad">
            − {text} <span className="sr-only">{texts.removed}</span>
          </li>
        ))}
        {added.map((text) => (
          <li key={`+${text}`} className="text-good">
            + {text} <span className="sr-only">{texts.added}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function DeleteSecurityGroup({
  group,
  onClose,
  onDeleted,
}: {
  readonly group: SecurityGroup;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}) {
  const { region } = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        region.DELETE('/api/v2/securitygroups/{securityGroupID}', {
          params: { path: { securityGroupID: group.metadata.id } },
        }),
      ),
    onSuccess: () => {
      onClose();
      onDeleted?.();
    },
  });
  return (
    <DeleteDialog
      name={group.metadata.name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        noun="securitygroup"
        name={group.metadata.name}
        verb="delete"
        organization={group.metadata.organizationId}
        project={group.metadata.projectId}
        sent={{ method: 'DELETE', path: `/region/api/v2/securitygroups/${group.metadata.id}` }}
      />
    </DeleteDialog>
  );
}
