import { Type, type Static } from 'typebox';

import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import { defineSaga, putObject, stateSchema, takeObjectBack } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { IdentityClient } from '@unikorn/identity/client';

import { ComputeInstance } from '../kinds/index.ts';
import { charge, Charge, Price, release } from './charge.ts';

export interface WriteInstanceDeps {
  readonly store: Store;
  readonly identity: IdentityClient;
}

const state = stateSchema(ComputeInstance.spec);

const Input = Type.Object({
  ...Charge.properties,
  /** How the writer saw it; absent for one that is new. */
  before: Type.Optional(Type.Object({ ...state.properties, resourceVersion: Type.String() })),
  after: state,
  price: Price,
});
type Input = DeepReadonly<Static<typeof Input>>;

export type WriteInstance = (input: Input) => Promise<unknown>;

/** Where what an instance costs is written down, so that it can be settled when its flavor is no longer offered. */
export const priceAnnotation = 'compute.unikorn-cloud.org/price';

/**
 * An instance, new or changed, and what it costs, or neither. Whatever happened in between, the undo of the charge makes it
 * fit the instance that is stored: two that are created with one name at the same moment cannot leave each other uncharged.
 */
export const writeInstanceSaga = defineSaga({
  name: 'compute.instance.write',
  input: Input,
  onCrash: 'unwind',
  steps: (table, { store, identity }: WriteInstanceDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(identity, input, input.price),
        undo: ({ input }) => settleCharge({ store, identity }, input),
      })
      .step({
        name: 'put',
        do: ({ input, sagaId }) => putObject(store, ComputeInstance, priced(input), sagaId),
        undo: ({ input, sagaId }) => takeObjectBack(store, ComputeInstance, priced(input), sagaId),
      }),
});

/**
 * Makes the charge fit the instance that is stored, whoever stored it. One that is being deleted is waited for: its
 * controller may or may not have released it already, and a charge that comes after that would be released by nobody.
 */
export async function settleCharge({ store, identity }: WriteInstanceDeps, input: Charge): Promise<void> {
  const stored = await store.get(ComputeInstance, input.id);
  if (stored?.metadata.deletionTimestamp !== undefined) throw new Problem('conflict', 'it is still being deleted; what it costs is settled once it is gone');
  if (stored) await charge(identity, input, storedPrice(stored));
  else await release(identity, input);
  const now = await store.get(ComputeInstance, input.id);
  if (now?.metadata.generation !== stored?.metadata.generation || now?.metadata.uid !== stored?.metadata.uid) throw new Problem('conflict', 'it has changed while its charge was being settled');
}

function priced({ price, after, ...input }: Input) {
  return { ...input, after: { ...after, annotations: { ...after.annotations, [priceAnnotation]: JSON.stringify(price) } } };
}

/** What an instance as it is stored costs. */
export function storedPrice({ metadata, spec }: ComputeInstance): Price {
  const text = metadata.annotations?.[priceAnnotation];
  return text === undefined ? { gpus: 0, publicIP: isPublic(spec) } : parsedPrice(text, spec);
}

function parsedPrice(text: string, spec: SpecOf<typeof ComputeInstance>): Price {
  const parsed: unknown = JSON.parse(text);
  const gpus = typeof parsed === 'object' && parsed !== null && 'gpus' in parsed && typeof parsed.gpus === 'number' ? parsed.gpus : 0;
  return { gpus, publicIP: isPublic(spec) };
}

function isPublic({ networking }: SpecOf<typeof ComputeInstance>): boolean {
  return networking?.publicIp ?? false;
}
