import { Type, type Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import { defineSaga, putObject, stateSchema, storedSchema, takeObjectBack } from '@unikorn/core/saga';
import { settleCharge as settle, type SettleDeps } from '@unikorn/identity/client';

import { ComputeInstance } from '../kinds/index.ts';
import { amountsOf, charge, Charge, Price } from './charge.ts';

export type WriteInstanceDeps = SettleDeps;

const state = stateSchema(ComputeInstance.spec);

const Input = Type.Object({
  ...Charge.properties,
  /** How the writer saw it; absent for one that is new. */
  before: Type.Optional(Type.Object({ ...state.properties, resourceVersion: Type.String() })),
  after: state,
  price: Price,
});
type Input = DeepReadonly<Static<typeof Input>>;

export type WriteInstance = (input: Input) => Promise<{ readonly put: ComputeInstance }>;

/** Where what an instance costs is written down, so that it can be settled when its flavor is no longer offered. */
export const priceAnnotation = 'compute.unikorn-cloud.org/price';

/**
 * An instance, new or changed, and what it costs, or neither. Whatever happened in between, the undo of the charge makes it
 * fit the instance that is stored: two that are created with one name at the same moment cannot leave each other uncharged.
 * Should the process end, a change is finished: its disk may have been replaced already.
 */
export const writeInstanceSaga = defineSaga({
  name: 'compute.instance.write',
  input: Input,
  onCrash: 'resume changes',
  steps: (table, { store, identity }: WriteInstanceDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(identity, input, input.price),
        undo: ({ input }) => settleCharge({ store, identity }, input),
      })
      .step({
        name: 'put',
        returns: storedSchema(ComputeInstance),
        do: ({ input, sagaId }) => putObject(store, ComputeInstance, priced(input), sagaId),
        undo: ({ input, sagaId }) => takeObjectBack(store, ComputeInstance, priced(input), sagaId),
      }),
});

/** Makes the charge fit the instance that is stored, whoever stored it. */
export function settleCharge(deps: WriteInstanceDeps, about: Charge): Promise<void> {
  return settle(deps, { kind: ComputeInstance, amounts: (instance) => amountsOf(storedPrice(instance)) }, about);
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
