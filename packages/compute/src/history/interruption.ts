import type { Predecessor } from '@unikorn/core/controller';
import { findCondition, type ConditionType } from '@unikorn/core/resource';
import { preciseTimestamp } from '@unikorn/core/world';
import type { Server } from '@unikorn/region/client';

import type { ComputeInstance, HistoryEntry } from '../kinds/index.ts';
import { creatorOf } from './birth.ts';
import type { Happening } from './history.ts';

/** What is noted is written after this long at most, so that a process that was killed may not have told as much. */
const untold_ms = 15_000;

/** Whether something may have happened to an instance that a process which was killed did not tell: it was under way, or had just ceased to be. */
export function wasUnderWay({ metadata, status }: ComputeInstance, { lastSeen }: Predecessor): boolean {
  const available = findCondition(status?.conditions, 'Available');
  if (
    metadata.deletionTimestamp !== undefined ||
    available?.status !== 'True' ||
    status?.observedGeneration !== metadata.generation
  )
    return true;
  const since = (lastSeen === undefined ? 0 : Date.parse(lastSeen)) - untold_ms;
  return [
    metadata.creationTimestamp,
    ...(status.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime),
  ].some((time) => Date.parse(time) >= since);
}

/** What is known of a life although a process was killed before it told it, by what is stored; and that it was. */
export function afterInterruption(
  instance: ComputeInstance,
  server: Server | undefined,
  told: readonly HistoryEntry[],
  { lastSeen }: Predecessor,
): readonly Happening[] {
  const { uid } = instance.metadata;
  const own = told.filter((entry) => entry.uid === uid);
  const about = lastSeen === undefined ? '' : `, not long after ${lastSeen.slice(0, 19)}Z`;
  const message = `the platform stopped unexpectedly${about}: work on the instance was interrupted, and goes on from here`;
  return [
    ...steps(instance, own),
    ...call(server, own),
    ...deletion(instance, own),
    ...standing('provisioning', 'Available', instance, own),
    ...standing('health', 'Healthy', instance, own),
    ...power(instance, own),
    { type: 'transition', action: 'platform', outcome: 'interrupted', message },
  ];
}

function at(time: string): { readonly time: string } {
  return { time: preciseTimestamp(Date.parse(time)) };
}

/** An instance that is stored was charged for before: what its saga did is known by that. */
function steps(instance: ComputeInstance, own: readonly HistoryEntry[]): readonly Happening[] {
  if (own.some(({ type }) => type === 'saga')) return [];
  return ['charge', 'put'].map((action) => ({
    type: 'saga',
    action,
    outcome: 'done',
    ...at(instance.metadata.creationTimestamp),
    ...creatorOf(instance),
  }));
}

function call(server: Server | undefined, own: readonly HistoryEntry[]): readonly Happening[] {
  if (!server || own.some(({ type, action }) => type === 'call' && action === 'createServer')) return [];
  return [{ type: 'call', action: 'createServer', outcome: 'done', ...at(server.metadata.creationTimestamp) }];
}

function deletion(
  { metadata: { deletionTimestamp } }: ComputeInstance,
  own: readonly HistoryEntry[],
): readonly Happening[] {
  if (deletionTimestamp === undefined || own.some(({ action }) => action === 'deletion')) return [];
  return [{ type: 'transition', action: 'deletion', outcome: 'begun', ...at(deletionTimestamp) }];
}

function standing(
  action: string,
  type: ConditionType,
  { status }: ComputeInstance,
  own: readonly HistoryEntry[],
): readonly Happening[] {
  const now = findCondition(status?.conditions, type);
  // Conditions tell the second only.
  if (
    !now ||
    own.some(
      (entry) =>
        entry.action === action &&
        entry.outcome === now.reason &&
        (entry.lastTime ?? entry.time).slice(0, 19) >= now.lastTransitionTime.slice(0, 19),
    )
  )
    return [];
  return [{ type: 'transition', action, outcome: now.reason, message: now.message, ...at(now.lastTransitionTime) }];
}

function power({ status }: ComputeInstance, own: readonly HistoryEntry[]): readonly Happening[] {
  const { powerState, observedAt } = status ?? {};
  if (powerState === undefined || own.findLast(({ action }) => action === 'power')?.outcome === powerState) return [];
  return [
    { type: 'transition', action: 'power', outcome: powerState, ...(observedAt === undefined ? {} : at(observedAt)) },
  ];
}
