import { Compile } from 'typebox/compile';

import type { SimulatedRegion } from './cloud.ts';
import { KnobBoard, type Knobs } from './knobs.ts';
import { Records } from './records.ts';
import { ServerBody } from './server-state.ts';

const serverBody = Compile(ServerBody);

/** What happens to a server without anybody having asked for it here. */
export type Drift = 'deleted' | 'stopped' | 'failed';

/** The hands behind a simulated region: for those who want to see how the platform bears what clouds do. */
export interface SimulatedOperator {
  knobs(): Promise<Knobs>;
  turn(change: Partial<Knobs>): Promise<Knobs>;
  /** Fails with the problem `not_found` where there is no such server. */
  drift(identityId: string, serverId: string, drift: Drift): Promise<void>;
}

/**
 * @example await simulatedOperator({ store, world, regionId }).turn({ lostResponseRate: 0.1, service: 'up' });
 */
export function simulatedOperator({ store, world, regionId }: SimulatedRegion): SimulatedOperator {
  const board = new KnobBoard(store, regionId);
  const servers = new Records({ store, region: regionId, sort: 'server', parse: (body) => serverBody.Parse(body) });
  return {
    knobs: () => board.read(),
    turn: (change) => board.turn(change),
    async drift(identityId, serverId, drift) {
      const name = servers.nameOf(identityId, serverId);
      if (drift === 'deleted') await servers.leave(name, world.now());
      else await servers.change(name, (body) => drifted(body, drift, world.now()));
    },
  };
}

function drifted(body: ServerBody, drift: 'stopped' | 'failed', now: number): ServerBody {
  const task = { verb: 'power', from: body.power, start: now, end: now } as const;
  switch (drift) {
    case 'stopped':
      return { ...body, power: 'shutdown', task };
    case 'failed':
      return { ...body, fault: 'the host of the server failed', task };
  }
}
