import { useState } from 'react';

import type { RegionRead } from '@unikorn/sdk';

import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { Choices } from '../../parts/form.tsx';
import { fieldProblem } from '../../parts/problem.tsx';
import { platformWords } from '../../words/platform.ts';
import type { RegionType } from '../routes.tsx';
import { JsonField } from './json.tsx';
import { useRegionFlavors } from './queries.ts';
import { listAt, textAt, valueAt, withValue, wordsOf, type Settings } from './settings.ts';

const texts = platformWords.regions;

export interface ConnectionProps {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
  readonly onProblem: (problem: string | undefined) => void;
  readonly error: Error | null;
  /** Existing regions, whose flavors are offered for a simulated one. */
  readonly regions: readonly RegionRead[];
}

/** The most important settings of a type. All others can be written as JSON. */
export function Connection({ type, ...props }: ConnectionProps & { readonly type: RegionType }) {
  switch (type) {
    case 'simulated':
      return <Simulated {...props} />;
    case 'openstack':
      return <Openstack {...props} />;
    case 'kubernetes':
      return <Kubernetes {...props} />;
  }
}

function Simulated({ settings, onChange, regions }: ConnectionProps) {
  const template = regions.find(({ spec }) => spec.type === 'simulated');
  const { data = [] } = useRegionFlavors(template?.metadata.id ?? '', template !== undefined);
  const chosen = listAt(settings, 'flavorIDs');
  const known = data.map(({ metadata, spec }) => ({
    id: metadata.id,
    label: metadata.name,
    hint: `${spec.cpus} × ${spec.architecture}, ${spec.memory} GiB`,
  }));
  const others = chosen.filter((id) => !known.some((one) => one.id === id)).map((id) => ({ id, label: id }));
  if (known.length + others.length === 0) return <p className="text-muted">{texts.flavorIdsUnknown}</p>;
  return (
    <Choices
      label={texts.flavorIds}
      hint={texts.flavorIdsHint}
      options={[...known, ...others]}
      value={chosen}
      onChange={(ids) => {
        onChange(withValue(settings, 'flavorIDs', ids));
      }}
    />
  );
}

/** The place of the credentials, which are never part of a region. */
function Secret({
  path,
  hint,
  settings,
  onChange,
  error,
}: ConnectionProps & { readonly path: string; readonly hint: string }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-4 sm:grid-cols-2">
        {(['namespace', 'name'] as const).map((key) => (
          <TextField
            key={key}
            label={key === 'name' ? texts.secretName : texts.secretNamespace}
            value={textAt(settings, `${path}.${key}`)}
            problem={fieldProblem(error, `spec.${path}.${key}`)}
            maxLength={253}
            autoComplete="off"
            onChange={(value) => {
              onChange(withValue(settings, `${path}.${key}`, value.trim()));
            }}
          />
        ))}
      </div>
      <p className="text-sm text-muted">{hint}</p>
    </div>
  );
}

/** Words in one line. What is typed stays as it is, also a space at its end. */
function WordsField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}) {
  const [text, setText] = useState(value.join(' '));
  return (
    <TextField
      label={label}
      hint={hint}
      value={text}
      maxLength={4096}
      autoComplete="off"
      onChange={(next) => {
        setText(next);
        onChange(wordsOf(next));
      }}
    />
  );
}

const interfaces = ['public', 'internal', 'admin'] as const;

function Openstack(props: ConnectionProps) {
  const { settings, onChange, error } = props;
  const set = (path: string) => (value: string) => {
    onChange(withValue(settings, path, value.trim()));
  };
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={texts.endpoint}
        hint={texts.endpointHint}
        problem={fieldProblem(error, 'spec.openstack.endpoint')}
        value={textAt(settings, 'endpoint')}
        maxLength={4096}
        autoComplete="off"
        onChange={set('endpoint')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.regionName}
          hint={texts.regionNameHint}
          problem={fieldProblem(error, 'spec.openstack.regionName')}
          value={textAt(settings, 'regionName')}
          maxLength={255}
          autoComplete="off"
          onChange={set('regionName')}
        />
        <ChoiceField
          label={texts.interface}
          empty={texts.interfaceDefault}
          value={textAt(settings, 'interface')}
          choices={interfaces.map((value) => ({ value, label: texts.interfaces[value] }))}
          onChange={set('interface')}
        />
      </div>
      <Secret {...props} path="serviceAccountSecret" hint={texts.secretHintOpenstack} />
      <WordsField
        label={texts.externalTags}
        hint={texts.externalTagsHint}
        value={listAt(settings, 'network.externalNetworks.selector.tags')}
        onChange={(tags) => {
          onChange(withValue(settings, 'network.externalNetworks.selector.tags', tags));
        }}
      />
      <TextField
        label={texts.authority}
        hint={texts.authorityHint}
        value={textAt(settings, 'tls.authority')}
        maxLength={65_536}
        rows={3}
        mono
        onChange={(value) => {
          onChange(withValue(settings, 'tls.authority', value));
        }}
      />
      <CheckField
        label={texts.verify}
        checked={valueAt(settings, 'tls.verify') === false}
        onChange={(off) => {
          onChange(withValue(settings, 'tls.verify', off ? false : undefined));
        }}
      />
    </div>
  );
}

function Kubernetes(props: ConnectionProps) {
  const { settings, onChange, onProblem, error } = props;
  return (
    <div className="flex flex-col gap-4">
      <Secret {...props} path="kubeConfigSecret" hint={texts.secretHintKubernetes} />
      <TextField
        label={texts.domainName}
        problem={fieldProblem(error, 'spec.kubernetes.domainName')}
        value={textAt(settings, 'domainName')}
        maxLength={4096}
        autoComplete="off"
        onChange={(value) => {
          onChange(withValue(settings, 'domainName', value.trim()));
        }}
      />
      <JsonField
        label={texts.nodes}
        hint={texts.nodesHint}
        value={valueAt(settings, 'nodes') ?? []}
        rows={8}
        accepts={Array.isArray}
        wrong={texts.jsonNoList}
        onChange={(value, problem) => {
          onProblem(problem);
          if (problem === undefined) onChange({ ...settings, nodes: value });
        }}
      />
    </div>
  );
}
