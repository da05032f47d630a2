import { isImplausibleLoss } from '../regions/index.ts';

/** How far the answers of a provider can be trusted. Unless they are `sane`, no server is marked as missing. */
export type Credibility = 'sane' | 'doubtful' | 'away';

/** The results of one pass over a region. */
export interface PassResults {
  /** Servers that should exist. */
  readonly expected: number;
  readonly missing: number;
  /** Principals that the provider answered for, and those that it could not be asked for. */
  readonly answers: number;
  readonly failures: number;
  readonly reachable: boolean;
}

export function credibilityOf({ expected, missing, answers, failures, reachable }: PassResults): Credibility {
  if (!reachable || (failures > 0 && answers === 0)) return 'away';
  return failures > 0 || isImplausibleLoss({ expected, missing }) ? 'doubtful' : 'sane';
}
