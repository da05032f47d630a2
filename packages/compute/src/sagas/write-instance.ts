import { Type, type Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import { defineSaga, putObject, stateSchema, storedSchema, takeObjectBack } from '@unikorn/core/saga';
import { settleCharge as settle, type SettleDeps } from '@unikorn/identity/client';

import {
  holdAll,
  isProtected,
  letGoAll,
  newHolds,
  settleProtection,
  userNameOf,
  type HoldsDeps,
} from '../holds/index.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { amountsOf, charge, Charge, Price } from './charge.ts';

export type WriteInstanceDeps = SettleDeps & HoldsDeps;

const state = stateSchema(ComputeInstance.spec);

const Input = Type.Object({
  ...Charge.properties,
  /** The state that the writer read; absent for a new instance. */
  before: Type.Optional(Type.Object({ ...state.properties, resourceVersion: Type.String() })),
  after: state,
  price: Price,
});
type Input = DeepReadonly<Static<typeof Input>>;

export type WriteInstance = (input: Input, sagaId?: string) => Promise<{ readonly put: ComputeInstance }>;

/**
 * The annotation with the cost of an instance, so that the charge can be settled when its flavor is no longer offered.
 */
export const priceAnnotation = 'compute.unikorn-cloud.org/price';

/**
 * Writes a new or changed instance with its charge and references, or nothing. The undo of the charge sets it to the
 * cost of the stored instance, and the undo of the references removes only the claims of this run. So two concurrent
 * creations with the same name cannot leave each other without a charge or a reference to the network. After a crash, a
 * change is completed, because the disk may already be replaced.
 */
export const writeInstanceSaga = defineSaga({
  name: 'compute.instance.write',
  input: Input,
  onCrash: 'resume changes',
  steps: (table, deps: WriteInstanceDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(deps.identityClient, input, input.price),
        undo: ({ input }) => settleCharge(deps, input),
      })
      .step({
        // References are stored first: when a caller learns that the instance exists, the resources that it uses can no
        // longer be deleted.
        name: 'hold',
        do: ({ input, sagaId }) =>
          holdAll(deps, input, newHolds(input.before, input.after), userNameOf(input.after), sagaId),
        undo: async ({ input, sagaId }) => {
          await letGoAll(deps, input, newHolds(input.before, input.after), sagaId);
          if (changesProtection(input)) await settleProtection(deps, input);
        },
      })
      .step({
        name: 'put',
        returns: storedSchema(ComputeInstance),
        do: async ({ input, sagaId }) => {
          const stored = await putObject(deps.store, ComputeInstance, priced(input), sagaId);
          // Protecting references were stored before. References that no longer protect are changed afterwards, also
          // with concurrent changes.
          if (changesProtection(input)) await settleProtection(deps, input);
          return stored;
        },
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, ComputeInstance, priced(input), sagaId),
      }),
});

/** Sets the charge to the cost of the stored instance, whoever stored it. */
export function settleCharge(deps: SettleDeps, about: Charge): Promise<void> {
  return settle(deps, { kind: ComputeInstance, amounts: (instance) => amountsOf(storedPrice(instance)) }, about);
}

function changesProtection({ before, after }: Input): boolean {
  return before !== undefined && isProtected(before) !== isProtected(after);
}

function priced({ price, after, ...input }: Input) {
  return {
    ...input,
    after: { ...after, annotations: { ...after.annotations, [priceAnnotation]: JSON.stringify(price) } },
  };
}

/** The cost of a stored instance. */
export function storedPrice({ metadata, spec }: ComputeInstance): Price {
  const text = metadata.annotations?.[priceAnnotation];
  return text === undefined ? { gpus: 0, publicIP: isPublic(spec) } : parsedPrice(text, spec);
}

function parsedPrice(text: string, spec: SpecOf<typeof ComputeInstance>): Price {
  const parsed: unknown = JSON.parse(text);
  const gpus =
    typeof parsed === 'object' && parsed !== null && 'gpus' in parsed && typeof parsed.gpus === 'number'
      ? parsed.gpus
      : 0;
  return { gpus, publicIP: isPublic(spec) };
}

function isPublic({ networking }: SpecOf<typeof ComputeInstance>): boolean {
  return networking?.publicIp ?? false;
}
