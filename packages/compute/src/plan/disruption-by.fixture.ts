import type { Disruption } from '../fields/index.ts';
import { disruptionOf } from './changes.ts';
import type { Action } from './decide.ts';

/** The effect of an action on the running instance, for comparison with the plan. */
export function disruptionBy(action: Action): Disruption {
  return action.type === 'update' || action.type === 'recreate' ? disruptionOf(action.changes) : 'none';
}
