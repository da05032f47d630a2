import { perRegistry } from '@unikorn/core/telemetry';

import type { Finding } from './finding.ts';

/** The open problems after the last pass of the monitor in this process. */
interface Standing {
  /** Absent before the first pass, and where the monitor runs in another process. */
  checkedTime?: string | undefined;
  findings: readonly Finding[];
}

export const standingFindings = perRegistry((): Standing => ({ findings: [] }));
