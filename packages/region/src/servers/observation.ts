import type { DomainCondition } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Phase, Server } from '../kinds/index.ts';
import type { ObservedServer } from '../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** The result of an observation: the status fields that only observations set, and the health. */
export interface Observation {
  readonly phase: Phase;
  readonly privateIP?: string;
  readonly publicIP?: string | undefined;
  readonly macAddress?: string;
  readonly scheduledAt?: string;
  readonly launchedAt?: string;
  /** The first time that it ran. It never changes after that. */
  readonly provisionedAt?: string;
  readonly rebootingSince?: undefined;
  readonly rebootedAt?: string;
  readonly missingSince: undefined;
  readonly lostAt: undefined;
  readonly health: Extract<DomainCondition, { type: 'Healthy' }>;
}

/**
 * Converts the provider's answer to status fields. Controller and monitor both use it, so that they always agree.
 * Unknown values stay unchanged.
 */
export function observation(before: Status | undefined, observed: ObservedServer): Observation {
  const { privateIP, publicIP, macAddress, createdAt, launchedAt } = observed;
  const provisionedAt = before?.provisionedAt ?? launchedAt;
  return {
    phase: phaseOf(observed) ?? before?.phase ?? 'Pending',
    ...defined({ privateIP }),
    publicIP,
    // A port may be replaced while a server is down, so the address is only used while it runs.
    ...(macAddress === undefined || observed.status !== 'active' ? {} : { macAddress }),
    ...defined({ scheduledAt: createdAt, launchedAt, provisionedAt }),
    ...rebootOf(before, observed),
    missingSince: undefined,
    lostAt: undefined,
    health: { type: 'Healthy', ...healthOf(observed) },
  };
}

/** A reboot is complete when the provider is idle. */
function rebootOf(
  { rebootingSince }: Pick<Status, 'rebootingSince'> = {},
  { task }: ObservedServer,
): Pick<Observation, 'rebootingSince' | 'rebootedAt'> {
  return rebootingSince === undefined || task === 'active'
    ? {}
    : { rebootingSince: undefined, rebootedAt: rebootingSince };
}

/** Whether it is starting, stopping or rebooting, as the status says from the moment of the request. */
export function isSwitching({
  phase,
  rebootingSince,
}: {
  readonly phase?: Phase | undefined;
  readonly rebootingSince?: string | undefined;
}): boolean {
  return phase === 'Pending' || phase === 'Stopping' || rebootingSince !== undefined;
}

/** Undefined if the provider's answer does not determine the phase. */
function phaseOf({ status, power, task, launchedAt }: ObservedServer): Phase | undefined {
  switch (status) {
    case 'queued':
      return 'Queued';
    case 'building':
    case 'rebuilding':
      return 'Building';
    case 'active':
    case 'shutoff':
      // During a transition the phase stays as it is.
      return task === 'active' ? undefined : phaseOfPower(power);
    case 'error':
    case 'deleting':
      // A server that never ran is not stopped.
      return launchedAt === undefined ? undefined : phaseOfPower(power);
    case 'unknown':
      return undefined;
  }
}

function phaseOfPower(power: ObservedServer['power']): Phase | undefined {
  return power === 'running' ? 'Running' : power === 'shutdown' ? 'Stopped' : undefined;
}

function healthOf({ status, power, fault }: ObservedServer): Omit<Observation['health'], 'type'> {
  switch (status) {
    case 'active':
      return power === 'running'
        ? { status: 'True', reason: 'Healthy', message: 'the machine is running' }
        : { status: 'False', reason: 'Degraded', message: 'the machine is not running' };
    case 'shutoff':
      return { status: 'False', reason: 'Degraded', message: 'the machine is stopped' };
    case 'queued':
      return { status: 'False', reason: 'Degraded', message: 'the machine is waiting for a host' };
    case 'building':
      return { status: 'False', reason: 'Degraded', message: 'the machine is being built' };
    case 'rebuilding':
      return { status: 'False', reason: 'Degraded', message: 'the machine is being rebuilt' };
    case 'deleting':
      return { status: 'False', reason: 'Degraded', message: 'the provider is deleting the machine' };
    case 'error':
      return { status: 'False', reason: 'Errored', message: fault ?? 'the provider reports an error for the machine' };
    case 'unknown':
      return { status: 'Unknown', reason: 'Unknown', message: 'the provider does not know the state of the machine' };
  }
}
