import { whenAborted, type CacheChange, type Runnable, type WatchCache } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';
import { causeInWords, deletionMarkOf } from '@unikorn/core/references';
import { findCondition, sameStanding, type ConditionType } from '@unikorn/core/resource';
import type { Telemetry } from '@unikorn/core/telemetry';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Happening, History } from './history.ts';

/** Notes how instances come along, whoever moves them. Only one process does it at a time. */
export function transitionRecorder(
  instances: WatchCache<typeof ComputeInstance>,
  history: History,
  { log }: Pick<Telemetry, 'log'>,
): Runnable {
  /** As a rule the controller has done it before it let the instance go; an operator may have removed it past the controller. */
  const bury = (instance: ComputeInstance) =>
    history.bury(instance).catch((error: unknown) => {
      log.error({ err: toError(error), id: instance.metadata.name }, 'it could not be kept that an instance is gone');
    });
  return {
    name: 'compute-history',
    async run(signal) {
      const cancel = instances.subscribe((change) => {
        for (const happening of happeningsIn(change))
          history.record(change.object.metadata.name, happening, change.object);
        if (change.type === 'deleted') void bury(change.object);
      });
      await whenAborted(signal);
      cancel();
      await history.flush();
    },
  };
}

/** What a reader of the instance would notice. */
export function happeningsIn({ type, object, previous }: CacheChange<typeof ComputeInstance>): readonly Happening[] {
  const { uid } = object.metadata;
  if (type === 'deleted' || !previous || previous.metadata.uid !== uid) return [];
  return [
    ...deletion(previous, object),
    ...standing('provisioning', 'Available', previous, object),
    ...standing('health', 'Healthy', previous, object),
    ...power(previous, object),
    ...replacement(previous, object),
  ].map((happening) => ({ ...happening, type: 'transition', uid }));
}

type Moved = Omit<Happening, 'type' | 'uid'>;

function deletion(before: ComputeInstance, after: ComputeInstance): readonly Moved[] {
  const begun = before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
  if (!begun) return [];
  // Who asked for it directly is in the history already. Of what goes with something else, only the mark tells.
  const mark = deletionMarkOf(after);
  return [
    {
      action: 'deletion',
      outcome: 'begun',
      ...(mark?.by === undefined ? {} : { actor: mark.by }),
      ...(mark ? { message: causeInWords(mark) } : {}),
    },
  ];
}

function standing(
  action: string,
  condition: ConditionType,
  before: ComputeInstance,
  after: ComputeInstance,
): readonly Moved[] {
  const now = findCondition(after.status?.conditions, condition);
  if (!now || sameStanding(findCondition(before.status?.conditions, condition), now)) return [];
  // Its controller says so when it lets the instance go, and that is told as what it is: the instance is gone.
  if (now.reason === 'Deprovisioned' && after.metadata.deletionTimestamp !== undefined) return [];
  return [{ action, outcome: now.reason, message: now.message }];
}

function power({ status: before }: ComputeInstance, { status: after }: ComputeInstance): readonly Moved[] {
  return before?.powerState === after?.powerState ? [] : [{ action: 'power', outcome: after?.powerState ?? 'unknown' }];
}

function replacement({ status: before }: ComputeInstance, { status: after }: ComputeInstance): readonly Moved[] {
  const [was, is] = [before?.replacement, after?.replacement];
  if (is && was?.since !== is.since) {
    const message = is.changes
      .map(({ field, from = 'none', to = 'none' }) => `spec.${field} from ${from} to ${to}`)
      .join(', ');
    return [
      {
        action: is.action,
        outcome: 'begun',
        message,
        changes: is.changes.map(({ field }) => ({ field, action: is.action })),
      },
    ];
  }
  return was && !is ? [{ action: was.action, outcome: 'done' }] : [];
}
