import { Type, type Static, type TObject } from 'typebox';

import { Principal } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { OwnerReference, type DeepReadonly, type Kind, type Resource, type SpecOf } from '@unikorn/core/kinds';
import { stateSchema, type SagaDefinition } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { IdentityClient, ResourceCharge } from '@unikorn/identity/client';

export interface ChargedDeps {
  readonly store: Store;
  readonly identity: IdentityClient;
}

/** A kind that costs something, and what one of it costs. */
export interface Charged<K extends Kind> {
  readonly kind: K;
  readonly amounts: (spec: SpecOf<K>) => ResourceCharge['amounts'];
}

const ProjectScope = Type.Object({ organizationId: Type.String(), projectId: Type.String() });

/** What a saga that writes something charged is told: on whose behalf, where, and how the object was and shall be. */
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

interface Charge {
  readonly id: string;
  readonly principal: DeepReadonly<Static<typeof Principal>>;
  readonly scope: DeepReadonly<Static<typeof ProjectScope>>;
}

/** Charges for what shall be. Repeating it changes nothing, for what is charged is keyed by the resource. */
export async function charge<K extends Kind>({ identity }: ChargedDeps, { kind, amounts }: Charged<K>, { id, principal, scope }: Charge, spec: SpecOf<K>): Promise<void> {
  await identity.charge(principal, { scope, resource: { kind: kind.id, id }, amounts: amounts(spec) });
}

/**
 * Makes the charge fit what is stored, whoever stored it: the undo of any charge. What is being deleted is waited for: its
 * controller may or may not have released it already, and a charge that comes after that would be released by nobody.
 */
export async function settleCharge<K extends Kind>(deps: ChargedDeps, charged: Charged<K>, about: Charge): Promise<void> {
  const look = (): Promise<Resource<K> | undefined> => deps.store.get(charged.kind, about.id);
  const stored = await look();
  if (stored?.metadata.deletionTimestamp !== undefined) throw new Problem('conflict', 'it is still being deleted; what it costs is settled once it is gone');
  if (stored) await charge(deps, charged, about, stored.spec);
  else await deps.identity.release(about.principal, about.scope, { kind: charged.kind.id, id: about.id });
  if ((await look())?.metadata.generation !== stored?.metadata.generation) throw new Problem('conflict', 'it has changed while its charge was being settled');
}

/** What a saga is run with. */
export type InputOf<Saga> = Saga extends Pick<SagaDefinition<never, infer Input, never>, 'isInput'> ? Input : never;
