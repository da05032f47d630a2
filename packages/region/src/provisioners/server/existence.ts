import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../../kinds/index.ts';
import type { ObservedServer, Presence } from '../../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** The next step for the existence of a server. */
export type Existence =
  /** Create it, or apply possible changes. */
  | { readonly type: 'ensure' }
  /** The provider is working on it: observe again later. */
  | { readonly type: 'await'; readonly reason: string; readonly observed: ObservedServer }
  /** Its creation failed: store the number of failures, and that its remains must be removed. */
  | { readonly type: 'count'; readonly failures: number }
  /** Remove the remains of the failed creation. */
  | { readonly type: 'clear' }
  /** Its creation failed as often as allowed. */
  | { readonly type: 'give up'; readonly failures: number; readonly observed: ObservedServer }
  /** It has run and is not shown: wait until the monitor confirms that it is missing. */
  | { readonly type: 'seek' }
  /** It has run and is lost. */
  | { readonly type: 'remake'; readonly missingSince: string };

/** The fields of a server that decide about its existence. */
export interface Subject {
  readonly status: Status | undefined;
  /** Its spec has changed since the last reconcile, so a creation that was given up is tried again. */
  readonly renewed: boolean;
}

/**
 * Decides from the provider's current answer. A server with any sign that it has run is not removed. It is only
 * recreated when the monitor has found it lost and this observation does not show it either.
 */
export function decideExistence(
  { status = {}, renewed }: Subject,
  presence: Presence<ObservedServer>,
  attempts: number,
): Existence {
  const observed = presence.state === 'absent' ? undefined : presence.observed;
  const ran =
    status.provisionedAt !== undefined || status.launchedAt !== undefined || observed?.launchedAt !== undefined;
  if (!ran && status.providerCreateRetrying) return { type: 'clear' };
  if (presence.state === 'absent') return ran ? whenMissing(status) : { type: 'ensure' };
  if (presence.state === 'pending') return { type: 'await', reason: presence.reason, observed: presence.observed };
  if (presence.observed.status !== 'error' || presence.observed.launchedAt !== undefined) return { type: 'ensure' };
  const failures = renewed ? 0 : (status.providerCreateFailures ?? 0);
  if (ran) return { type: 'give up', failures, observed: presence.observed };
  return failures + 1 < attempts
    ? { type: 'count', failures: failures + 1 }
    : { type: 'give up', failures: attempts, observed: presence.observed };
}

function whenMissing({ missingSince, lostAt }: Status): Existence {
  return missingSince !== undefined && lostAt !== undefined ? { type: 'remake', missingSince } : { type: 'seek' };
}
