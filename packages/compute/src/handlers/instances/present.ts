import type { Static } from 'typebox';

import type { DeepReadonly } from '@unikorn/core/kinds';
import { projectScopedReadMetadata } from '@unikorn/core/resource';

import type { InstanceRead } from '../../api/instances.ts';
import { copied, copyOf, entriesOf, labelFields, specRows, statusFields } from '../../fields/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';

type Wire = DeepReadonly<Static<typeof InstanceRead>>;

/** An instance as clients see it. */
export function presentInstance(instance: ComputeInstance): Wire {
  return {
    metadata: projectScopedReadMetadata(ComputeInstance, instance, instance.spec.tags),
    spec: presentedSpec(instance),
    status: presentedStatus(instance),
  };
}

const prefix = 'spec.';
const toSpec = specRows
  .filter(({ wire }) => wire.startsWith(prefix))
  .map(({ wire, field }) => copyOf(field.stored, wire.slice(prefix.length)));

/** Clients rely on `networking`, even when it is empty. */
function presentedSpec(instance: ComputeInstance): Wire['spec'];
function presentedSpec({ spec }: ComputeInstance): object {
  return copied({ networking: {}, ...spec }, toSpec);
}

const labelled = entriesOf(labelFields);
const toStatus = entriesOf(statusFields).flatMap(([stored, { wire }]) =>
  wire === 'none' ? [] : [copyOf(stored, wire)],
);

function presentedStatus(instance: ComputeInstance): Wire['status'];
function presentedStatus({ metadata, status = {} }: ComputeInstance): object {
  const places = Object.fromEntries(labelled.map(([wire, label]) => [wire, metadata.labels?.[label] ?? '']));
  return { ...places, ...copied(status, toStatus) };
}
