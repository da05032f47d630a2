import type { Disruption } from '../fields/index.ts';
import { disruptionOf } from './changes.ts';
import type { Action } from './decide.ts';

/** What an action does to the instance as it runs now, to compare it with what was planned. */
export function disruptionBy(action: Action): Disruption {
  return action.type === 'update' || action.type === 'recreate' ? disruptionOf(action.changes) : 'none';
}
