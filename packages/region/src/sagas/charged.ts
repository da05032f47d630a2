import { Type, type TObject } from 'typebox';

import { Principal } from '@unikorn/core/access';
import { OwnerReference, type Kind, type SpecOf } from '@unikorn/core/kinds';
import { stateSchema, type SagaDefinition } from '@unikorn/core/saga';
import { settleCharge as settle, type Charge, type ResourceCharge, type SettleDeps } from '@unikorn/identity/client';

export type ChargedDeps = SettleDeps;

/** A kind that is charged to quota, and the cost of one object. */
export interface Charged<K extends Kind> {
  readonly kind: K;
  readonly amounts: (spec: SpecOf<K>) => ResourceCharge['amounts'];
}

const ProjectScope = Type.Object({ organizationId: Type.String(), projectId: Type.String() });

/** The input of a saga that writes a charged object: the principal, the scope, and the object before and after. */
export function chargedInput<Spec extends TObject>({ spec }: { readonly spec: Spec }) {
  const state = stateSchema(spec);
  return Type.Object({
    id: Type.String(),
    principal: Principal,
    scope: ProjectScope,
    owner: Type.Optional(OwnerReference),
    before: Type.Optional(Type.Object({ ...state.properties, resourceVersion: Type.String() })),
    after: state,
  });
}

/** Charges for the new state. A repeated charge changes nothing, because its key is the resource. */
export async function charge<K extends Kind>(
  { identityClient }: ChargedDeps,
  { kind, amounts }: Charged<K>,
  { id, principal, scope }: Charge,
  spec: SpecOf<K>,
): Promise<void> {
  await identityClient.charge(principal, { scope, resource: { kind: kind.id, id }, amounts: amounts(spec) });
}

/** The undo of a charge. */
export function settleCharge<K extends Kind>(
  deps: SettleDeps,
  { kind, amounts }: Charged<K>,
  about: Charge,
): Promise<void> {
  return settle(deps, { kind, amounts: ({ spec }) => amounts(spec) }, about);
}

/** The input type of a saga. */
export type InputOf<Saga> = Saga extends Pick<SagaDefinition<never, infer Input, never>, 'isInput'> ? Input : never;
