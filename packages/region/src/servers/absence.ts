import type { StatusOf } from '@unikorn/core/kinds';
import { timestamp } from '@unikorn/core/world';

import type { Server } from '../kinds/index.ts';
import type { Observation } from './observation.ts';

type Status = StatusOf<typeof Server>;

/** The status fields of a server that the monitor did not find. */
export interface Absence {
  readonly missingSince: string;
  readonly lostAt: string | undefined;
  readonly health: Observation['health'];
}

/** Number of monitor periods after which a missing server counts as lost. */
const patience_periods = 2;

/**
 * Whether the provider should show it: it has run, and it was not deleted. The controller handles servers that never
 * ran.
 */
export function isExpected({ metadata, status }: Pick<Server, 'metadata' | 'status'>): boolean {
  return metadata.deletionTimestamp === undefined && status?.provisionedAt !== undefined;
}

/** The health of a server that its provider does not show. */
export const unseen: Observation['health'] = {
  type: 'Healthy',
  status: 'Unknown',
  reason: 'Unknown',
  message: 'the provider does not show the machine',
};

/** The status for a server that a plausible pass of the monitor did not find. */
export function absence(before: Status | undefined, now: number, period_ms: number): Absence {
  const missingSince = before?.missingSince ?? timestamp(now);
  const lost = now - Date.parse(missingSince) >= patience_periods * period_ms;
  return {
    missingSince,
    lostAt: lost ? (before?.lostAt ?? timestamp(now)) : undefined,
    health: unseen,
  };
}

/** Removes the marks when the monitor doubts its observations, because controllers must not act on them. */
export const doubted = { missingSince: undefined, lostAt: undefined } as const;
