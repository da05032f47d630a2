/** How far what a pass saw of a region can be believed. Unless it is sane, nobody is marked as missing. */
export type Standing = 'sane' | 'doubtful' | 'away';

/** Servers that may go missing at once before it looks more like a fault of the cloud than like what happened to them. */
const tolerated = { servers: 3, share: 0.2 } as const;

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
  // Several that all went at once say more about the cloud than about themselves, however few they are.
  const all = expected > 1 && missing === expected;
  return failures > 0 || all || missing > Math.max(tolerated.servers, tolerated.share * expected) ? 'doubtful' : 'sane';
}
