import { whenAborted, type CacheChange, type Runnable, type WatchCache } from '../controller/index.ts';
import { toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { findCondition, sameStanding, type ConditionType } from '../resource/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { deletionOf } from './deletion.ts';
import type { History } from './history.ts';
import type { HistoryEvent } from './kinds.ts';
import type { HistorySubject, Transition } from './subject.ts';

/** Records how objects change, whichever process changes them. Only one process does this at a time. */
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
  /** The controller may have recorded it already. An operator can remove an object without the controller. */
  const recordDeletion = (object: Resource) =>
    history.recordDeletion(object).catch((error: unknown) => {
      log.error(
        { err: toError(error), id: object.metadata.name },
        `the deletion of a ${subject.resource} could not be recorded`,
      );
    });
  return {
    name,
    async run(signal) {
      const cancel = objects.subscribe((change) => {
        for (const event of transitionsIn(subject, change))
          history.record(change.object.metadata.name, event, change.object);
        if (change.type === 'deleted') void recordDeletion(change.object);
      });
      await whenAborted(signal);
      cancel();
      await history.flush();
    },
  };
}

/** The events that a reader of the object would notice. */
export function transitionsIn<K extends Kind>(
  subject: HistorySubject<K>,
  { type, object, previous }: CacheChange<K>,
): readonly HistoryEvent[] {
  const { uid } = object.metadata;
  if (type === 'deleted' || !previous || previous.metadata.uid !== uid) return [];
  const transitions = subject.transitions?.(previous, object) ?? commonTransitions(previous, object);
  return transitions.map((transition) => ({ ...transition, type: 'transition', uid }));
}

/** Deletion, provisioning and health. */
export function commonTransitions(before: Resource, after: Resource): readonly Transition[] {
  return [
    ...deletion(before, after),
    ...conditionChange('provisioning', 'Available', before, after),
    ...conditionChange('health', 'Healthy', before, after),
  ];
}

function deletion(before: Resource, after: Resource): readonly Transition[] {
  const begun = before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
  return begun ? [deletionOf(after)] : [];
}

function conditionChange(
  action: string,
  condition: ConditionType,
  before: Resource,
  after: Resource,
): readonly Transition[] {
  const now = findCondition(after.status?.conditions, condition);
  if (!now || sameStanding(findCondition(before.status?.conditions, condition), now)) return [];
  // The controller sets this when it releases the object. The history says that the object is gone instead.
  if (now.reason === 'Deprovisioned' && after.metadata.deletionTimestamp !== undefined) return [];
  return [{ action, outcome: now.reason, message: now.message }];
}
