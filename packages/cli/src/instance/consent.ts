import { isDeepStrictEqual } from 'node:util';

import type { Instance, InstancePlan, InstanceUpdate } from '@unikorn/sdk';

import { instance } from '../nouns/instance.ts';
import { editableOf } from '../writing.ts';

export type Disruption = InstancePlan['action'];

/** The disruptions of a change, from none to the worst. */
export const disruptions = [
  'none',
  'in-place',
  'restart',
  'rebuild',
  'recreate',
] as const satisfies readonly Disruption[];

/** The disruptions that can be allowed in advance; the others need no permission. */
export const permissions = ['restart', 'rebuild', 'recreate'] as const satisfies readonly Disruption[];
export type Permission = (typeof permissions)[number];

/** How the user has confirmed a change, or can be asked to. */
export interface Consent {
  readonly yes: boolean;
  /** The greatest disruption that is allowed. */
  readonly allow?: Permission;
  /** Whether there is a terminal to ask. */
  readonly interactive: boolean;
}

export type Verdict =
  | { readonly type: 'nothing' }
  | { readonly type: 'go' }
  | { readonly type: 'ask' }
  | { readonly type: 'refuse'; readonly why: string };

/** Whether a planned change is made, needs confirmation, or is refused. */
export function verdictOn(plan: InstancePlan, { yes, allow, interactive }: Consent): Verdict {
  const { action, changes, blockers } = plan;
  if (blockers.length > 0) return { type: 'refuse', why: 'the change would be refused' };
  if (changes.length === 0) return { type: 'nothing' };
  if (allow !== undefined && exceeds(action, allow))
    return { type: 'refuse', why: `the change needs ${action}, which --allow ${allow} does not permit` };
  if (yes || allow !== undefined || !isHarmful(plan)) return { type: 'go' };
  if (interactive) return { type: 'ask' };
  return {
    type: 'refuse',
    why: `there is no terminal to ask for confirmation: repeat the command with --yes${exceeds(action, 'in-place') ? ` or --allow ${action}` : ''} to confirm`,
  };
}

/** Whether a change disrupts a running instance or loses data. */
export function isHarmful({ action, losses }: InstancePlan): boolean {
  return exceeds(action, 'in-place') || losses.length > 0;
}

/**
 * Whether an instance already has the requested settings. A plan compares with the machine, which may not have received
 * the last change yet.
 */
export function isAlready(wanted: InstanceUpdate, current: Instance): boolean {
  return (
    current.metadata.provisioningStatus === 'provisioned' || isDeepStrictEqual(wanted, editableOf(instance, current))
  );
}

function exceeds(action: Disruption, most: Disruption): boolean {
  return disruptions.indexOf(action) > disruptions.indexOf(most);
}
