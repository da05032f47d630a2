import { isImplausibleLoss } from '../regions/plausible.ts';

/** How far what a pass saw of a region can be believed. Unless it is sane, nobody is marked as missing. */
export type Standing = 'sane' | 'doubtful' | 'away';

export interface Evidence {
  /** Servers that should be there. */
  readonly expected: number;
  readonly missing: number;
  /** Principals the provider answered about, and those it could not be asked about. */
  readonly answers: number;
  readonly failures: number;
  readonly reachable: boolean;
}

export function standingOf({ expected, missing, answers, failures, reachable }: Evidence): Standing {
  if (!reachable || (failures > 0 && answers === 0)) return 'away';
  return failures > 0 || isImplausibleLoss({ expected, missing }) ? 'doubtful' : 'sane';
}
