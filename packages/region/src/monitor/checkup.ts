import { patchedStatus, type StatusPatch } from '@unikorn/core/controller';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../kinds/index.ts';
import type { ObservedServer } from '../provider/index.ts';
import { absence, advancedRebuild, doubted, observation } from '../servers/index.ts';

/**
 * The finding of a pass about a server. `unsure`: the server was not shown, or could not be checked, and the answer is
 * doubtful. It is shown to users, but no controller may act on it.
 */
export type MonitorFinding =
  | { readonly state: 'seen'; readonly observed: ObservedServer }
  | { readonly state: 'missing'; readonly period_ms: number }
  | { readonly state: 'unsure'; readonly message: string };

/**
 * The status after an observation, in one write because controllers read its fields together; undefined if nothing
 * changed.
 */
export function checkup(server: Server, finding: MonitorFinding, now: number): StatusOf<typeof Server> | undefined {
  return patchedStatus<typeof Server>(server, patchOf(server.status, finding, now), now);
}

function patchOf(
  status: StatusOf<typeof Server> | undefined,
  finding: MonitorFinding,
  now: number,
): StatusPatch<typeof Server> {
  switch (finding.state) {
    case 'seen': {
      const { health, ...fields } = observation(status, finding.observed);
      const rebuild = status?.rebuild && { rebuild: advancedRebuild(status.rebuild, finding.observed) };
      return { ...fields, ...rebuild, conditions: [health] };
    }
    case 'missing': {
      const { health, ...fields } = absence(status, now, finding.period_ms);
      return { ...fields, conditions: [health] };
    }
    case 'unsure':
      return {
        ...doubted,
        conditions: [{ type: 'Healthy', status: 'Unknown', reason: 'Unknown', message: finding.message }],
      };
  }
}
