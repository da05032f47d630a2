import { done, park, tryAgain, yieldFor, type Outcome } from '@unikorn/core/controller';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import type { Action } from '../../plan/index.ts';
import { withoutMachine, type InstancePatch } from './projection.ts';
import { describeReplacement, type Replacement } from './replacement.ts';

export type InstanceOutcome = Outcome<InstancePatch>;

/** The machine was just requested. The status of a new instance does not show this immediately. */
export function begun({ status }: ComputeInstance, outcome: InstanceOutcome): InstanceOutcome {
  return outcome.type === 'yield' && status === undefined
    ? { ...outcome, unsaid: true, after_ms: waits.announcement_ms }
    : outcome;
}

/** A replacement is shown in the status before it begins. */
export function announced(replacement: Replacement): InstanceOutcome {
  return yieldFor<InstancePatch>({
    message: `${describeReplacement(replacement)}; this will start now`,
    after_ms: waits.next_ms,
    status: { replacement },
  });
}

/** The old machine is being deleted, and a new one will be created. */
export function leaving(replacement: Replacement): InstanceOutcome {
  const message = describeReplacement(replacement);
  return yieldFor<InstancePatch>({
    message: `${message}; the old one is being deleted`,
    status: { ...withoutMachine(message), replacement },
  });
}

/** Region does not find the machine, and it is not certain that it is lost. The last known values are still shown. */
export function searching(message: string, after_ms: number, replacement?: Replacement): InstanceOutcome {
  return tryAgain<InstancePatch>({
    message,
    after_ms,
    status: {
      heldUpBy: 'machine',
      ...(replacement ? { replacement } : {}),
      conditions: [{ type: 'Healthy', status: 'Unknown', reason: 'Unknown', message }],
    },
  });
}

/** The outcome for an instance whose server matches, or is being changed to match. */
export function ofServer({ status }: ComputeInstance, { metadata }: ServerRead, patch: InstancePatch): InstanceOutcome {
  const { provisioningStatus, provisioningStatusDetail: detail } = metadata;
  const replacing = status?.replacement ? `${describeReplacement(status.replacement)}: ` : '';
  switch (provisioningStatus) {
    case 'provisioned':
      return done<InstancePatch>({ ...patch, replacement: undefined });
    case 'error':
      return park({
        reason: detail?.reason === 'DependencyNotFound' ? detail.reason : 'Errored',
        message: `${replacing}${detail?.message ?? 'its machine has an error'}`,
        status: patch,
      });
    case 'pending':
    case 'provisioning':
    case 'deprovisioning':
      return yieldFor({
        reason: waitingReason(detail?.reason),
        message: `${replacing}${detail?.message ?? 'its machine will be created'}`,
        status: patch,
      });
  }
}

function waitingReason(reason: string | undefined): 'Provisioning' | 'DependencyNotReady' | 'DependencyFailed' {
  return reason === 'DependencyNotReady' || reason === 'DependencyFailed' ? reason : 'Provisioning';
}

export function refused({ why, serverIds }: Extract<Action, { type: 'refuse' }>): InstanceOutcome {
  return park({ reason: 'Errored', message: why === 'occupied' ? occupied(serverIds) : ambiguous(serverIds) });
}

export function ambiguous(serverIds: readonly string[]): string {
  return `more than one machine is marked as its machine (${serverIds.join(' and ')}): the platform operator must delete the wrong ones`;
}

function occupied(serverIds: readonly string[]): string {
  return `the network already has a machine with this name (${serverIds.join(' and ')}) that does not belong to the instance: choose another name, or ask the platform operator to delete the machine`;
}
