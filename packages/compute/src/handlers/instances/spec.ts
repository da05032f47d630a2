import type { Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import type { Tag } from '@unikorn/core/resource';

import type { InstanceCreate, InstanceUpdate } from '../../api/instances.ts';
import { copied, copyOf, operatorFields, specRows } from '../../fields/index.ts';
import type { ComputeInstance } from '../../kinds/index.ts';

export type CreateBody = DeepReadonly<Static<typeof InstanceCreate>>;
export type UpdateBody = DeepReadonly<Static<typeof InstanceUpdate>>;
export type Spec = SpecOf<typeof ComputeInstance>;

/** The part of a request that becomes the stored spec. */
interface Requested {
  readonly metadata: { readonly tags?: readonly Tag[] };
  readonly spec: UpdateBody['spec'];
}

const toStored = specRows.map(({ wire, field }) =>
  copyOf(wire, field.stored, (value) => (field.store ? field.store(value) : value)),
);

/** The spec of a request in its stored form, without the fields that the request omits. */
export function storedSpec(request: Requested): Spec;
export function storedSpec(request: object): object {
  return copied(request, toStored);
}

const kept = [
  ...Object.keys(operatorFields),
  ...specRows.filter(({ field }) => field.leftOut === 'keeps').map(({ field }) => field.stored),
].map((stored) => copyOf(stored, stored));

/** The stored fields that an update keeps if it omits them. */
export function keptSpec(spec: Spec): Partial<Spec>;
export function keptSpec(spec: object): object {
  return copied(spec, kept);
}
