import type { Predecessor } from '@unikorn/core/controller';
import { creatorOf, type HistoryEntry, type HistoryEvent } from '@unikorn/core/history';
import { findCondition, type ConditionType } from '@unikorn/core/resource';
import { preciseTimestamp } from '@unikorn/core/world';

import type { ComputeInstance } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import type { SeenServer } from '../watches.ts';

/** Whether a killed process may have lost entries about an instance: work on it was under way, or had just ended. */
export function wasUnderWay({ metadata, status }: ComputeInstance, { lastSeen }: Predecessor): boolean {
  const available = findCondition(status?.conditions, 'Available');
  if (
    metadata.deletionTimestamp !== undefined ||
    available?.status !== 'True' ||
    status?.observedGeneration !== metadata.generation
  )
    return true;
  const since = (lastSeen === undefined ? 0 : Date.parse(lastSeen)) - waits.unrecorded_ms;
  return [
    metadata.creationTimestamp,
    ...(status.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime),
  ].some((time) => Date.parse(time) >= since);
}

/**
 * The events that a killed process had not recorded, as far as the stored objects show them, and the interruption
 * itself.
 */
export function afterInterruption(
  instance: ComputeInstance,
  server: SeenServer | undefined,
  recorded: readonly HistoryEntry[],
  { lastSeen }: Predecessor,
): readonly HistoryEvent[] {
  const { uid } = instance.metadata;
  const own = recorded.filter((entry) => entry.uid === uid);
  const about = lastSeen === undefined ? '' : `, not long after ${lastSeen.slice(0, 19)}Z`;
  const message = `the platform stopped unexpectedly${about}; work on the instance was interrupted and continues from here`;
  return [
    ...steps(instance, own),
    ...call(server, own),
    ...deletion(instance, own),
    ...missedCondition('provisioning', 'Available', instance, own),
    ...missedCondition('health', 'Healthy', instance, own),
    ...power(instance, own),
    { type: 'transition', action: 'platform', outcome: 'interrupted', message },
  ];
}

function at(time: string): { readonly time: string } {
  return { time: preciseTimestamp(Date.parse(time)) };
}

/** An instance that is stored was charged before, so the steps of its saga are known. */
function steps(instance: ComputeInstance, own: readonly HistoryEntry[]): readonly HistoryEvent[] {
  if (own.some(({ type }) => type === 'saga')) return [];
  return ['charge', 'put'].map((action) => ({
    type: 'saga',
    action,
    outcome: 'done',
    ...at(instance.metadata.creationTimestamp),
    ...creatorOf(instance),
  }));
}

function call(server: SeenServer | undefined, own: readonly HistoryEntry[]): readonly HistoryEvent[] {
  if (!server || own.some(({ type, action }) => type === 'call' && action === 'createServer')) return [];
  return [{ type: 'call', action: 'createServer', outcome: 'done', ...at(server.metadata.creationTime) }];
}

function deletion(
  { metadata: { deletionTimestamp } }: ComputeInstance,
  own: readonly HistoryEntry[],
): readonly HistoryEvent[] {
  if (deletionTimestamp === undefined || own.some(({ action }) => action === 'deletion')) return [];
  return [{ type: 'transition', action: 'deletion', outcome: 'begun', ...at(deletionTimestamp) }];
}

function missedCondition(
  action: string,
  type: ConditionType,
  { status }: ComputeInstance,
  own: readonly HistoryEntry[],
): readonly HistoryEvent[] {
  const now = findCondition(status?.conditions, type);
  // Conditions have times in whole seconds.
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

function power({ status }: ComputeInstance, own: readonly HistoryEntry[]): readonly HistoryEvent[] {
  const { powerState, observedAt } = status ?? {};
  if (powerState === undefined || own.findLast(({ action }) => action === 'power')?.outcome === powerState) return [];
  return [
    { type: 'transition', action: 'power', outcome: powerState, ...(observedAt === undefined ? {} : at(observedAt)) },
  ];
}
