import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../../kinds/index.ts';
import type { ObservedServer, Presence } from '../../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** The next step for the existence of a server. */
export type Existence =
  /** Make it, or repair what can be changed of it. */
  | { readonly type: 'ensure' }
  /** The provider is at it: look again. */
  | { readonly type: 'await'; readonly reason: string; readonly observed: ObservedServer }
  /** Its creation failed: write down how often, and that what is left of it is to go. */
  | { readonly type: 'count'; readonly failures: number }
  /** Remove what is left of the creation that failed. */
  | { readonly type: 'clear' }
  /** Its creation failed as often as it may. */
  | { readonly type: 'give up'; readonly failures: number; readonly observed: ObservedServer }
  /** It ran once and is not shown: wait for the monitor to make sure. */
  | { readonly type: 'seek' }
  /** It ran once and is lost. */
  | { readonly type: 'remake'; readonly missingSince: string };

/** A server as far as it decides what is done about its existence. */
export interface Subject {
  readonly status: Status | undefined;
  /** Its spec has changed since it was last looked at: what was given up is tried again. */
  readonly renewed: boolean;
}

/**
 * Decides by how the provider shows the server now. A server with any sign that it ever ran is not removed, and it is
 * made anew only when the monitor has found it lost and this look does not show it either.
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
