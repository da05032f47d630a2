import type { Refused } from '@unikorn/core/http';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../kinds/index.ts';
import { powerVerbs } from '../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** Where a machine is in its life, as the status of its server tells. */
type MachineState =
  'not built' | 'building' | 'rebuilding' | 'starting' | 'running' | 'rebooting' | 'stopping' | 'stopped';

function machineState({ phase, provisionedAt, rebootingSince }: Status = {}): MachineState {
  if (phase === undefined) return 'not built';
  switch (phase) {
    case 'Pending':
      return provisionedAt === undefined ? 'not built' : 'starting';
    case 'Queued':
    case 'Building':
      return provisionedAt === undefined ? 'building' : 'rebuilding';
    case 'Running':
      return rebootingSince === undefined ? 'running' : 'rebooting';
    case 'Stopping':
      return 'stopping';
    case 'Stopped':
      return 'stopped';
  }
}

const notBuilt = 'the machine is not built yet: wait until it is provisioned';

/** The same for every action that needs a machine at rest. */
const unsettled = {
  'not built': notBuilt,
  building: 'the machine is being built: wait until it runs',
  rebuilding: 'the machine is being rebuilt: wait until it runs',
  starting: 'the machine is starting: wait until it runs',
  rebooting: 'the machine is rebooting: wait until it runs',
  stopping: 'the machine is stopping: wait until it is stopped',
} as const satisfies Partial<Record<MachineState, string>>;

const stopped = 'the machine is stopped: start it first';

/** The actions that a provider carries out on a machine. */
export const machineActions = [...powerVerbs, 'snapshot', 'consoleoutput', 'consolesession'] as const;
export type MachineAction = (typeof machineActions)[number];

/** For each action, the states of a machine in which providers refuse it, and why. */
const refusals: Readonly<Record<MachineAction, Readonly<Partial<Record<MachineState, string | undefined>>>>> = {
  start: { ...unsettled, running: 'the machine is already running' },
  stop: { ...unsettled, stopped: 'the machine is already stopped' },
  softreboot: { ...unsettled, stopped },
  hardreboot: { ...unsettled, rebooting: undefined, stopped },
  snapshot: unsettled,
  consoleoutput: { 'not built': notBuilt },
  consolesession: { ...unsettled, rebooting: undefined, stopping: undefined, stopped },
};

/** States in which a machine is where an action leads to, or on its way there. */
const fulfilled: Readonly<Partial<Record<MachineAction, readonly MachineState[]>>> = {
  start: ['not built', 'building', 'rebuilding', 'starting', 'running', 'rebooting'],
  stop: ['stopping', 'stopped'],
};

/**
 * Why a provider is expected to refuse an action, as far as the status of the server tells. The provider decides: the
 * status may be older than what it knows.
 */
export function machineRefusal(status: Status | undefined, action: MachineAction): Refused | undefined {
  const state = machineState(status);
  const reason = refusals[action][state];
  if (reason === undefined) return undefined;
  return { reason, ...(fulfilled[action]?.includes(state) ? { fulfilled: true } : {}) };
}
