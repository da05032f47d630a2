import type { Instance } from '@unikorn/sdk';

import type { Condition } from './status.tsx';
import { words } from '../words/index.ts';

const { phases } = words.instance;

/** The groups by which a list is filtered. */
export const stateFilters = ['running', 'stopped', 'changing', 'problem'] as const;
export type StateFilter = (typeof stateFilters)[number];

export interface InstanceCondition extends Condition {
  readonly filter: StateFilter;
}

/** The state of an instance in one word, from its provisioning, power and health. */
export function instanceCondition({ metadata, status }: Instance): InstanceCondition {
  const message = metadata.provisioningStatusDetail?.message;
  const changing = (word: string): InstanceCondition => ({ filter: 'changing', tone: 'busy', word, message });
  switch (metadata.provisioningStatus) {
    case 'deprovisioning':
      return changing(phases.deleting);
    case 'error':
      return { filter: 'problem', tone: 'bad', word: phases.failed, message };
    case 'pending':
    case 'provisioning': {
      const detail = metadata.provisioningStatusDetail?.reason;
      if (detail === 'DependencyFailed' || detail === 'DependencyNotFound')
        return { filter: 'problem', tone: 'warn', word: phases.pending, message };
      if (status.replacement)
        return changing(status.replacement.action === 'rebuild' ? phases.rebuilding : phases.recreating);
      return changing(metadata.provisioningStatus === 'pending' ? phases.pending : phases.creating);
    }
    case 'provisioned':
      return provisioned({ metadata, status });
  }
}

function provisioned({ metadata, status }: Pick<Instance, 'metadata' | 'status'>): InstanceCondition {
  if (status.rebootingSince !== undefined) return { filter: 'changing', tone: 'busy', word: phases.rebooting };
  const message = metadata.healthStatusDetail?.message;
  if (metadata.healthStatus === 'error') return { filter: 'problem', tone: 'bad', word: phases.unhealthy, message };
  // A stopped machine is reported as degraded, but the user stopped it.
  if (metadata.healthStatus === 'degraded' && status.powerState !== 'Stopped')
    return { filter: 'problem', tone: 'warn', word: phases.degraded, message };
  switch (status.powerState) {
    case 'Stopped':
      return { filter: 'stopped', tone: 'idle', word: phases.stopped };
    case 'Stopping':
      return { filter: 'changing', tone: 'busy', word: phases.stopping };
    case 'Pending':
    case 'Queued':
    case 'Building':
      return { filter: 'changing', tone: 'busy', word: phases.starting };
    case 'Running':
    case undefined:
  }
  return { filter: 'running', tone: 'good', word: phases.running };
}
