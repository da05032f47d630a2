import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../kinds/index.ts';
import type { ObservedServer } from '../provider/index.ts';

export type Rebuild = NonNullable<StatusOf<typeof Server>['rebuild']>;

const ranks: Readonly<Record<Rebuild['state'], number>> = { Initiated: 1, Rebuilding: 2, Succeeded: 3, Failed: 3 };

/**
 * The rebuild marker after an observation: advanced or unchanged. Only a controller creates, replaces or removes it.
 */
export function advancedRebuild(marker: Rebuild, observed: ObservedServer): Rebuild {
  const state = evidence(marker, observed);
  return state !== undefined && ranks[state] > ranks[marker.state] ? { ...marker, state } : marker;
}

/** The evidence of an observation about this rebuild, and not an earlier one; undefined if there is none. */
function evidence(
  { targetImageID, state }: Rebuild,
  { imageId, status, task }: ObservedServer,
): Rebuild['state'] | undefined {
  const accepted = ranks[state] >= ranks.Rebuilding;
  const failed = status === 'error';
  const busy = task === 'active' || status === 'rebuilding';
  if (imageId === targetImageID) return failed ? 'Failed' : busy ? 'Rebuilding' : 'Succeeded';
  if (!accepted) return undefined;
  // Another image was installed outside the platform, unless the image is unknown.
  return failed || (imageId !== undefined && !busy) ? 'Failed' : undefined;
}
