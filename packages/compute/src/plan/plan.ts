import { isDeepStrictEqual } from 'node:util';

import type { SpecOf } from '@unikorn/core/kinds';
import { annotations } from '@unikorn/core/resource';
import type { QuotaKind } from '@unikorn/identity/client';

import { comparedCopy, copied, publicAddress, recordRows, type Disruption } from '../fields/index.ts';
import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { amountsOf, storedPrice, type Price } from '../sagas/index.ts';
import {
  changesBetween,
  disruptionOf,
  observedFields,
  wireFields,
  wishOf,
  type Change,
  type ServerWish,
} from './changes.ts';
import { decide, type Action } from './decide.ts';
import { tokenOf } from './token.ts';

/** The instance after an update. */
export interface Wanted {
  readonly spec: SpecOf<typeof ComputeInstance>;
  readonly description?: string | undefined;
}

/** The reason why an update would be refused, with the message of the refusal. */
export interface Blocker {
  readonly reason: string;
  readonly message: string;
}

export interface PlannedChange {
  /** The field's path on the wire. */
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly action: Disruption;
}

export interface QuotaEffect {
  readonly kind: QuotaKind;
  readonly delta: number;
  readonly free: number;
}

/** The effect of an update. */
export interface Plan {
  readonly action: Disruption;
  readonly changes: readonly PlannedChange[];
  readonly losses: readonly string[];
  /** Possible problems that cannot be predicted. */
  readonly warnings: readonly string[];
  readonly quota: readonly QuotaEffect[];
  readonly blockers: readonly Blocker[];
  readonly token: string;
}

export interface PlanInput {
  readonly instance: ComputeInstance;
  readonly wanted: Wanted;
  /** The server that the change would apply to. */
  readonly resolution: Resolution;
  /** The cost of the requested instance; undefined if its flavor is unknown. */
  readonly price: Price | undefined;
  /** The remaining quota of the organization. */
  readonly free: Readonly<Partial<Record<QuotaKind, number>>>;
  /** The reasons for which the update is already refused. */
  readonly blockers: readonly Blocker[];
}

/** Returns the effect of an update, without doing it. */
export function planUpdate({ instance, wanted, resolution, price, free, blockers }: PlanInput): Plan {
  const foretold = decide(wanted, resolution);
  const changes = changesBy(foretold, instance, wanted);
  const action = disruptionOf(changes);
  const quota = price ? quotaEffects(storedPrice(instance), price, free) : [];
  return {
    action,
    changes: [...changes.map(shownChange), ...recordChanges(instance, wanted)],
    losses: 'changes' in foretold ? lossesOf(changes, observedFields(foretold.server)) : [],
    warnings: action === 'recreate' ? [recreation, address] : [],
    quota,
    blockers: [...blockers, ...refusal(foretold), ...shortages(quota)],
    token: tokenOf({ instance, wanted, resolution, action }),
  };
}

/**
 * The differences from the current server. If it does not exist yet, the server that the instance requires now is used,
 * because it may exist when the update arrives.
 */
function changesBy(foretold: Action, { spec }: ComputeInstance, wanted: Wanted): readonly Change[] {
  switch (foretold.type) {
    case 'keep':
      return [];
    case 'update':
    case 'recreate':
      return foretold.changes;
    case 'create':
    case 'await':
    case 'refuse':
      return changesBetween(wishOf(spec), wishOf(wanted.spec));
  }
}

function shownChange({ field, from, to, disruption }: Change): PlannedChange {
  return { field: wireFields[field], ...valued('from', from), ...valued('to', to), action: disruption };
}

const recorded = recordRows.map((row) => comparedCopy(row.field.stored, row));

/** The changes that are not sent to the server. They only change the stored instance. */
function recordChanges(
  { metadata, spec }: ComputeInstance,
  { spec: wanted, description }: Wanted,
): readonly PlannedChange[] {
  const before: Readonly<Record<string, unknown>> = { ...copied(spec, recorded) };
  const after: Readonly<Record<string, unknown>> = { ...copied(wanted, recorded) };
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['metadata.description', metadata.annotations?.[annotations.description], description],
    ...recordRows.map(({ wire, name }) => [wire, before[name], after[name]] as const),
  ];
  return pairs
    .filter(([, from, to]) => !isDeepStrictEqual(from, to))
    .map(([field, from, to]) => ({ field, ...valued('from', from), ...valued('to', to), action: 'none' }));
}

function valued<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: unknown };
function valued(key: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [key]: value };
}

const recreation =
  'the old machine is deleted before the new one is created; if the cloud has no capacity then, the instance has no machine until there is capacity';

const address = 'the private address is kept, unless another machine takes it while the new machine is created';

/** The losses that apply to what exists now. */
function lossesOf(changes: readonly Change[], standing: ServerWish): readonly string[] {
  const lost = new Set(changes.flatMap(({ loses }) => loses));
  if (!standing.publicIP) lost.delete(publicAddress);
  return [...lost];
}

const charged = ['gpus', 'publicips', 'servers'] as const satisfies readonly QuotaKind[];

function quotaEffects(before: Price, after: Price, free: PlanInput['free']): readonly QuotaEffect[] {
  const [old, next] = [amountsOf(before), amountsOf(after)];
  return charged.map((kind) => ({
    kind,
    delta: (next[kind]?.committed ?? 0) - (old[kind]?.committed ?? 0),
    free: free[kind] ?? 0,
  }));
}

function shortages(quota: readonly QuotaEffect[]): readonly Blocker[] {
  return quota
    .filter(({ delta, free }) => delta > 0 && delta > free)
    .map(({ kind, delta, free }) => ({
      reason: 'quota_exceeded',
      message: `the change needs ${delta} more ${kind}, but the quota has only ${Math.max(0, free)} left`,
    }));
}

function refusal(foretold: Action): readonly Blocker[] {
  if (foretold.type !== 'refuse') return [];
  const message =
    foretold.why === 'ambiguous'
      ? `${foretold.serverIds.length} machines are marked as the machine of the instance; none of them is changed until the platform operator has deleted the wrong ones`
      : 'the network already has a machine with this name that does not belong to the instance; the platform operator must delete it first';
  return [{ reason: 'conflict', message }];
}
