import type { DomainCondition } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Phase, Server } from '../kinds/index.ts';
import type { ObservedServer } from '../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** What a look at a server says about it: the fields of its status that only looks decide, and its health. */
export interface Observation {
  readonly phase: Phase;
  readonly privateIP?: string;
  readonly publicIP?: string | undefined;
  readonly macAddress?: string;
  readonly scheduledAt?: string;
  readonly launchedAt?: string;
  /** The first time it ran; kept ever after. */
  readonly provisionedAt?: string;
  readonly rebootingSince?: undefined;
  readonly rebootedAt?: string;
  readonly missingSince: undefined;
  readonly lostAt: undefined;
  readonly health: Extract<DomainCondition, { type: 'Healthy' }>;
}

/**
 * What a server as its provider tells of it means for its status. Controller and monitor both use it, so that they
 * cannot disagree; what cannot be told stays as it was.
 */
export function observation(before: Status | undefined, observed: ObservedServer): Observation {
  const { privateIP, publicIP, macAddress, createdAt, launchedAt } = observed;
  const provisionedAt = before?.provisionedAt ?? launchedAt;
  return {
    phase: phaseOf(observed) ?? before?.phase ?? 'Pending',
    ...defined({ privateIP }),
    publicIP,
    // A port may be replaced while a server is down, so only one that runs is believed.
    ...(macAddress === undefined || observed.status !== 'active' ? {} : { macAddress }),
    scheduledAt: createdAt,
    ...defined({ launchedAt, provisionedAt }),
    ...rebootOf(before, observed),
    missingSince: undefined,
    lostAt: undefined,
    health: { type: 'Healthy', ...healthOf(observed) },
  };
}

/** A reboot is over when the provider is at nothing any more. */
function rebootOf(
  { rebootingSince }: Pick<Status, 'rebootingSince'> = {},
  { task }: ObservedServer,
): Pick<Observation, 'rebootingSince' | 'rebootedAt'> {
  return rebootingSince === undefined || task === 'active'
    ? {}
    : { rebootingSince: undefined, rebootedAt: rebootingSince };
}

/**
 * Whether it is on its way between running and stopped, or rebooting, as its status says from the moment that somebody
 * asks for it.
 */
export function isSwitching({
  phase,
  rebootingSince,
}: {
  readonly phase?: Phase | undefined;
  readonly rebootingSince?: string | undefined;
}): boolean {
  return phase === 'Pending' || phase === 'Stopping' || rebootingSince !== undefined;
}

/** Undefined where what the provider says decides nothing. */
function phaseOf({ status, power, task, launchedAt }: ObservedServer): Phase | undefined {
  switch (status) {
    case 'queued':
      return 'Queued';
    case 'building':
    case 'rebuilding':
      return 'Building';
    case 'active':
    case 'shutoff':
      // On its way from one to the other it keeps the phase that says so.
      return task === 'active' ? undefined : phaseOfPower(power);
    case 'error':
    case 'deleting':
      // What never ran is not stopped.
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
