import { whenAborted, type CacheChange, type Runnable, type WatchCache } from '../controller/index.ts';
import { toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { findCondition, sameCondition, type ConditionType } from '../resource/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { History } from './history.ts';
import type { HistoryEvent } from './kinds.ts';
import type { HistorySubject, Transition } from './subject.ts';

/**
 * Records how objects change, whichever process changes them. Only one process does this at a time.
 *
 * @example transitionRecorder('region-history-network', caches.of(Network), history, telemetry)
 */
export function transitionRecorder<K extends Kind>(
  name: string,
  objects: WatchCache<K>,
  history: History,
  telemetry: Pick<Telemetry, 'log'>,
): Runnable;
export function transitionRecorder(
  name: string,
  objects: WatchCache<Kind>,
  history: History,
  { log }: Pick<Telemetry, 'log'>,
): Runnable {
  const { subject } = history;
  const recorded = ({ metadata }: Resource, recording: Promise<void>) => {
    recording.catch((error: unknown) => {
      log.error(
        { err: toError(error), id: metadata.name },
        `the deletion of a ${subject.resource} could not be recorded`,
      );
    });
  };
  return {
    name,
    async run(signal) {
      const cancel = objects.subscribe((change) => {
        const { object } = change;
        if (hasDeletionBegun(change)) recorded(object, history.recordDeletionBegun(object));
        for (const event of transitionsIn(subject, change)) history.record(object.metadata.name, event, object);
        // The controller has recorded it already, but an operator can remove an object without the controller.
        if (change.type === 'deleted') recorded(object, history.recordDeletion(object));
      });
      await whenAborted(signal);
      cancel();
      await history.flush();
    },
  };
}

/** The events of a change that are visible to a reader of the object. */
export function transitionsIn<K extends Kind>(
  subject: HistorySubject<K>,
  { type, object, previous }: CacheChange<K>,
): readonly HistoryEvent[] {
  const { uid } = object.metadata;
  if (type === 'deleted' || !previous || previous.metadata.uid !== uid) return [];
  const transitions = subject.transitions?.(previous, object) ?? commonTransitions(previous, object);
  return transitions.map((transition) => ({ ...transition, type: 'transition', uid }));
}

/** Provisioning and health. The beginning of the deletion is recorded for every kind. */
export function commonTransitions(before: Resource, after: Resource): readonly Transition[] {
  return [
    ...conditionChange('provisioning', 'Available', before, after),
    ...conditionChange('health', 'Healthy', before, after),
  ];
}

function hasDeletionBegun({ type, object, previous }: CacheChange<Kind>): boolean {
  return (
    type !== 'deleted' &&
    previous?.metadata.uid === object.metadata.uid &&
    previous.metadata.deletionTimestamp === undefined &&
    object.metadata.deletionTimestamp !== undefined
  );
}

function conditionChange(
  action: string,
  condition: ConditionType,
  before: Resource,
  after: Resource,
): readonly Transition[] {
  const now = findCondition(after.status?.conditions, condition);
  if (!now || sameCondition(findCondition(before.status?.conditions, condition), now)) return [];
  // The controller sets this reason when it removes its finalizer. The history has the deletion entry instead.
  if (now.reason === 'Deprovisioned' && after.metadata.deletionTimestamp !== undefined) return [];
  return [{ action, outcome: now.reason, message: now.message }];
}
