import { isProblem, Problem } from '@unikorn/core/errors';
import { Compile } from 'typebox/compile';

import type { SimulatedRegion } from './cloud.ts';
import { KnobBoard, type Knobs } from './knobs.ts';
import { Records } from './records.ts';
import { ServerBody } from './server-state.ts';

const serverBody = Compile(ServerBody);

/** A change of a server that the platform did not request. */
export type Drift = 'deleted' | 'stopped' | 'failed';

/** The resource types that can be deleted without the platform, with their names in the cloud. */
const sorts = {
  server: 'server',
  network: 'network',
  securityGroup: 'security group',
  loadBalancer: 'load balancer',
} as const;
export type DriftingSort = keyof typeof sorts;

/** Functions that change a simulated region from outside, to test how the platform handles faults of a cloud. */
export interface SimulatedOperator {
  knobs(): Promise<Knobs>;
  turn(change: Partial<Knobs>): Promise<Knobs>;
  /** Throws the problem `not_found` if the server does not exist. */
  drift(identityId: string, serverId: string, drift: Drift): Promise<void>;
  /** Removes a resource without the platform. Throws the problem `not_found` if it does not exist. */
  lose(sort: DriftingSort, identityId: string, id: string): Promise<void>;
}

/**
 * @example await simulatedOperator({ store, world, regionId }).turn({ lostResponseRate: 0.1, service: 'up' });
 */
export function simulatedOperator({ store, world, regionId }: SimulatedRegion): SimulatedOperator {
  const board = new KnobBoard(store, regionId);
  const records = (sort: DriftingSort) =>
    new Records({ store, region: regionId, sort: sorts[sort], parse: (body) => body });
  const servers = new Records({ store, region: regionId, sort: sorts.server, parse: (body) => serverBody.Parse(body) });
  const lose = (sort: DriftingSort, identityId: string, id: string) =>
    found(sort, id, () => records(sort).leave(records(sort).nameOf(identityId, id), world.now()));
  return {
    knobs: () => board.read(),
    turn: (change) => board.turn(change),
    lose,
    async drift(identityId, serverId, drift) {
      if (drift === 'deleted') await lose('server', identityId, serverId);
      else
        await found('server', serverId, () =>
          servers.change(servers.nameOf(identityId, serverId), (body) => drifted(body, drift, world.now())),
        );
    },
  };
}

async function found(sort: DriftingSort, id: string, happen: () => Promise<unknown>): Promise<void> {
  try {
    await happen();
  } catch (error) {
    throw isProblem(error, 'not_found')
      ? new Problem('not_found', `the simulated cloud has no ${sorts[sort]} ${id}`, { cause: error })
      : error;
  }
}

function drifted(body: ServerBody, drift: 'stopped' | 'failed', now: number): ServerBody {
  const task = { verb: 'power', from: body.power, start: now, end: now } as const;
  switch (drift) {
    case 'stopped':
      return { ...body, power: 'shutdown', task };
    case 'failed':
      return { ...body, fault: 'the host of the machine failed', task };
  }
}
