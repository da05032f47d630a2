import type { SpecOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { changesBetween, disruptionOf, observedFields, wishOf, type Change } from './changes.ts';

/** What is to be done about the server of an instance. */
export type Action =
  | { readonly type: 'create' }
  | { readonly type: 'keep'; readonly server: ServerRead }
  /** Region changes it as it is, rebuilding it from another image if that is among the changes. */
  | { readonly type: 'update'; readonly server: ServerRead; readonly changes: readonly Change[] }
  /** It cannot become what is asked for: it goes, and only when it is gone another one comes. */
  | { readonly type: 'recreate'; readonly server: ServerRead; readonly changes: readonly Change[] }
  /** It is going already. */
  | { readonly type: 'await'; readonly server: ServerRead }
  /** Nobody can tell which server it is, or its id is taken by one that is not the instance's. */
  | { readonly type: 'refuse'; readonly why: 'ambiguous' | 'occupied'; readonly serverIds: readonly string[] };

/** Decides what an instance needs. The planner foretells with it what the controller then does. */
export function decide({ spec }: { readonly spec: SpecOf<typeof ComputeInstance> }, resolution: Resolution): Action {
  switch (resolution.type) {
    case 'many':
      return { type: 'refuse', why: 'ambiguous', serverIds: resolution.serverIds };
    case 'none':
      return resolution.occupant === undefined
        ? { type: 'create' }
        : { type: 'refuse', why: 'occupied', serverIds: [resolution.occupant] };
    case 'one':
      return decideUpon(resolution.server, changesBetween(observedFields(resolution.server), wishOf(spec)));
  }
}

function decideUpon(server: ServerRead, changes: readonly Change[]): Action {
  if (server.metadata.deletionTime !== undefined) return { type: 'await', server };
  if (changes.length === 0) return { type: 'keep', server };
  return { type: disruptionOf(changes) === 'recreate' ? 'recreate' : 'update', server, changes };
}
