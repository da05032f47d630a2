import { isDeepStrictEqual } from 'node:util';

import type { StatusOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../../kinds/index.ts';
import { disruptionOf, observedFields, type Change } from '../../plan/index.ts';

export type Replacement = NonNullable<StatusOf<typeof ComputeInstance>['replacement']>;

/** The replacement of disk or machine that these changes require; undefined if they require none. */
export function replacementBy(changes: readonly Change[], since: string): Replacement | undefined {
  const action = disruptionOf(changes);
  if (action !== 'rebuild' && action !== 'recreate') return undefined;
  return {
    action,
    since,
    changes: changes.filter(({ disruption }) => disruption === 'rebuild' || disruption === 'recreate').map(recorded),
  };
}

/** The replacement of a machine that was lost. There are no changes, because no request caused it. */
export function replacementOfLost(since: string): Replacement {
  return { action: 'recreate', since, changes: [] };
}

/** Whether it replaces a lost machine. */
export function isLoss({ changes }: Replacement): boolean {
  return changes.length === 0;
}

/**
 * When the disk of the replaced machine was lost. A machine that was found again is older than its loss, so it has lost
 * nothing.
 */
export function diskLossOf(replacement: Replacement | undefined, { metadata }: ServerRead): string | undefined {
  if (!replacement || !isLoss(replacement)) return undefined;
  return Date.parse(metadata.creationTime) >= Date.parse(replacement.since) ? replacement.since : undefined;
}

/** Whether the announced replacement is the required one. */
export function isAnnounced(announced: Replacement | undefined, due: Replacement): announced is Replacement {
  return announced?.action === due.action && isDeepStrictEqual(announced.changes, due.changes);
}

/** Whether the announced change has been carried out. It may have been reverted before. */
export function isCarriedOut(replacement: Replacement, server: ServerRead): boolean {
  const standing: Readonly<Record<string, unknown>> = { ...observedFields(server) };
  return !isLoss(replacement) && replacement.changes.every(({ field, to }) => standing[field] === to);
}

/** Describes what is replaced, why, and what is lost. The old and new values are in the status. */
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
