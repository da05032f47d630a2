import type { SpecOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { changesBetween, disruptionOf, observedFields, wishOf, type Change } from './changes.ts';

/** The action for the server of an instance. */
export type Action =
  | { readonly type: 'create' }
  | { readonly type: 'keep'; readonly server: ServerRead }
  /** Region changes the existing server. If the image changed, it rebuilds the server. */
  | { readonly type: 'update'; readonly server: ServerRead; readonly changes: readonly Change[] }
  /** The server cannot be changed to what is required. It is deleted first, then a new one is created. */
  | { readonly type: 'recreate'; readonly server: ServerRead; readonly changes: readonly Change[] }
  /** The server is already being deleted. */
  | { readonly type: 'await'; readonly server: ServerRead }
  /** It is not known which server is the right one, or a server that does not belong to the instance has its id. */
  | { readonly type: 'refuse'; readonly why: 'ambiguous' | 'occupied'; readonly serverIds: readonly string[] };

/** Decides the action for an instance. The planner uses it to predict what the controller does. */
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
