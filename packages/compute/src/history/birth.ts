import { annotations } from '@unikorn/core/resource';
import { preciseTimestamp } from '@unikorn/core/world';

import type { ComputeInstance, HistoryEntry, InstanceHistory } from '../kinds/index.ts';

/** That an instance was asked for, as the instance itself says it. */
export function birthOf({ metadata: { uid, creationTimestamp, annotations: notes = {} } }: ComputeInstance): HistoryEntry {
  const actor = notes[annotations.principalCreator] ?? notes[annotations.creator];
  return { time: preciseTimestamp(Date.parse(creationTimestamp)), uid, type: 'intent', action: 'create', outcome: 'accepted', ...(actor === undefined ? {} : { actor }) };
}

/** Whether pages tell of this life of an instance, and so of how it began. */
export function tellsOf(pages: readonly InstanceHistory[], { metadata: { uid } }: ComputeInstance): boolean {
  return pages.some(({ spec }) => spec.entries.some((entry) => entry.uid === uid));
}

/** Whether an entry is the beginning of a life. */
export function isBirth({ type, action, outcome }: Pick<HistoryEntry, 'type' | 'action' | 'outcome'>): boolean {
  return type === 'intent' && action === 'create' && outcome === 'accepted';
}
