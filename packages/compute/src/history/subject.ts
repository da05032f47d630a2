import {
  commonTransitions,
  History,
  type HistoryOptions,
  type HistorySubject,
  type Transition,
} from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import { endpoints } from '../handlers/endpoints.ts';
import { ComputeInstance, instanceHistoryStorage } from '../kinds/index.ts';
import { changesBetween, wireFields, wishOf } from '../plan/index.ts';

/**
 * The history of instances. In addition to the entries of every resource, it records power changes and replacements of
 * the machine.
 */
export const instanceSubject: HistorySubject<typeof ComputeInstance> = {
  kind: ComputeInstance,
  resource: 'instance',
  storage: instanceHistoryStorage,
  param: 'instanceID',
  endpoint: endpoints.instances,
  keptLabels: [labels.network, labels.region],
  transitions: (before, after) => [
    ...commonTransitions(before, after),
    ...power(before, after),
    ...replacement(before, after),
  ],
  changes: (before, after) =>
    changesBetween(wishOf(before.spec), wishOf(after.spec)).map(({ field, disruption }) => ({
      field: wireFields[field],
      action: disruption,
    })),
};

export function instanceHistory(options: Omit<HistoryOptions, 'subject'>): History {
  return new History({ ...options, subject: instanceSubject });
}

function power({ status: before }: ComputeInstance, { status: after }: ComputeInstance): readonly Transition[] {
  return before?.powerState === after?.powerState ? [] : [{ action: 'power', outcome: after?.powerState ?? 'unknown' }];
}

function replacement({ status: before }: ComputeInstance, { status: after }: ComputeInstance): readonly Transition[] {
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
