import type { Refused } from '@unikorn/core/http';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../kinds/index.ts';
import { powerVerbs } from '../provider/index.ts';

type Status = StatusOf<typeof Server>;

/** The state of a machine, derived from the status of its server. */
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

/** The reasons that are the same for every action that needs an idle machine. */
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
export const machineActions = [...powerVerbs, 'snapshot', 'consoleoutput', 'consolesession', 'terminal'] as const;
export type MachineAction = (typeof machineActions)[number];

/** For each action, the states in which providers refuse it, and the reason. */
const refusals: Readonly<Record<MachineAction, Readonly<Partial<Record<MachineState, string | undefined>>>>> = {
  start: { ...unsettled, running: 'the machine is already running' },
  stop: { ...unsettled, stopped: 'the machine is already stopped' },
  softreboot: { ...unsettled, stopped },
  hardreboot: { ...unsettled, rebooting: undefined, stopped },
  snapshot: unsettled,
  consoleoutput: { 'not built': notBuilt },
  consolesession: { ...unsettled, rebooting: undefined, stopping: undefined, stopped },
  terminal: { ...unsettled, rebooting: undefined, stopping: undefined, stopped },
};

/** The states in which the result of an action is already reached, or will be soon. */
const fulfilled: Readonly<Partial<Record<MachineAction, readonly MachineState[]>>> = {
  start: ['not built', 'building', 'rebuilding', 'starting', 'running', 'rebooting'],
  stop: ['stopping', 'stopped'],
};

/**
 * Why a provider will probably refuse an action, according to the status of the server. The provider decides, because
 * the status may be outdated.
 */
export function machineRefusal(status: Status | undefined, action: MachineAction): Refused | undefined {
  const state = machineState(status);
  const reason = refusals[action][state];
  if (reason === undefined) return undefined;
  return { reason, ...(fulfilled[action]?.includes(state) ? { fulfilled: true } : {}) };
}
