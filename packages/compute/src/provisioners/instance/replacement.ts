import { isDeepStrictEqual } from 'node:util';

import type { StatusOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../../kinds/index.ts';
import { disruptionOf, observedFields, type Change } from '../../plan/index.ts';

export type Replacement = NonNullable<StatusOf<typeof ComputeInstance>['replacement']>;

/** The replacement of disk or machine that changes come to, as it is announced; undefined when they replace neither. */
export function replacementBy(changes: readonly Change[], since: string): Replacement | undefined {
  const action = disruptionOf(changes);
  if (action !== 'rebuild' && action !== 'recreate') return undefined;
  return {
    action,
    since,
    changes: changes.filter(({ disruption }) => disruption === 'rebuild' || disruption === 'recreate').map(recorded),
  };
}

/** A machine that is gone without our having asked for it comes again, and no change is the reason. */
export function replacementOfLost(since: string): Replacement {
  return { action: 'recreate', since, changes: [] };
}

/** Whether it is made because the machine was lost. */
export function isLoss({ changes }: Replacement): boolean {
  return changes.length === 0;
}

/**
 * Since when the disk is lost that a machine has not got, because it was made in place of one that was lost. One that
 * was found again is older than its loss.
 */
export function diskLossOf(replacement: Replacement | undefined, { metadata }: ServerRead): string | undefined {
  if (!replacement || !isLoss(replacement)) return undefined;
  return Date.parse(metadata.creationTime) >= Date.parse(replacement.since) ? replacement.since : undefined;
}

/** Whether one that was announced is the one that is due. */
export function isAnnounced(announced: Replacement | undefined, due: Replacement): announced is Replacement {
  return announced?.action === due.action && isDeepStrictEqual(announced.changes, due.changes);
}

/** Whether a change that was announced has been made; somebody may have taken it back before. */
export function isCarriedOut(replacement: Replacement, server: ServerRead): boolean {
  const standing: Readonly<Record<string, unknown>> = { ...observedFields(server) };
  return !isLoss(replacement) && replacement.changes.every(({ field, to }) => standing[field] === to);
}

/** What is being replaced, why, and what is lost by it. From what to what is in the status beside it. */
export function describeReplacement(replacement: Replacement): string {
  if (isLoss(replacement)) return 'its machine was lost and is recreated without its disk and its public address';
  const changed = `${replacement.changes.map(({ field }) => `spec.${field}`).join(' and ')} changed`;
  switch (replacement.action) {
    case 'rebuild':
      return `its root disk is replaced because ${changed}`;
    case 'recreate':
      return `its machine, its disk and its public address are replaced because ${changed}`;
  }
}

function recorded({ field, from, to }: Change): Replacement['changes'][number] {
  return { field, ...(typeof from === 'string' ? { from } : {}), ...(typeof to === 'string' ? { to } : {}) };
}
