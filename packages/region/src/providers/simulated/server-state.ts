import { timestamp } from '@unikorn/core/world';
import { Type, type Static } from 'typebox';

import {
  ProviderFailure,
  WantedServer,
  type Ensured,
  type ObservedServer,
  type PowerVerb,
} from '../../provider/index.ts';
import { Shell } from './shell.ts';

const Power = Type.Union([Type.Literal('running'), Type.Literal('shutdown')]);

/**
 * Times are milliseconds since the epoch. The state of a server at any time is computed from this and the time alone.
 */
export const ServerBody = Type.Object({
  wanted: WantedServer,
  providerId: Type.String(),
  imageId: Type.String(),
  host: Type.String(),
  privateIP: Type.String(),
  publicIP: Type.Union([Type.String(), Type.Null()]),
  macAddress: Type.String(),
  createdAt: Type.Integer(),
  /** When it first runs; absent if it never does. */
  launchedAt: Type.Optional(Type.Integer()),
  bootedAt: Type.Integer(),
  /** The power state when the task has ended. */
  power: Power,
  /** The fault when the task has ended, if there is one. */
  fault: Type.Union([Type.String(), Type.Null()]),
  /** The last task. */
  task: Type.Object({
    verb: Type.Union([Type.Literal('build'), Type.Literal('rebuild'), Type.Literal('power')]),
    from: Power,
    start: Type.Integer(),
    end: Type.Integer(),
  }),
  hardware: Type.Union([Type.Literal('virtual'), Type.Literal('bare metal')]),
  /** The terminal of one boot; absent until something is typed. */
  terminal: Type.Optional(
    Type.Object({
      bootedAt: Type.Integer(),
      shell: Shell,
      /** The end of its text since the login prompt. */
      text: Type.String(),
      /** The length of its whole text. */
      written: Type.Integer(),
    }),
  ),
});
export type ServerBody = Static<typeof ServerBody>;

type Condition = Pick<ObservedServer, 'status' | 'power' | 'task'>;

export function conditionOf({ task, fault, power, hardware }: ServerBody, now: number): Condition {
  if (now >= task.end) {
    const settled = power === 'running' ? 'active' : 'shutoff';
    return {
      status: fault === null ? settled : 'error',
      power: fault === null || task.verb === 'power' ? power : 'shutdown',
      task: 'idle',
    };
  }
  switch (task.verb) {
    case 'build': {
      // A bare metal server first waits until a machine is cleaned.
      const waits = hardware === 'bare metal' && now < (task.start + task.end) / 2;
      return { status: waits ? 'queued' : 'building', power: 'other', task: 'active' };
    }
    case 'rebuild':
      return { status: 'rebuilding', power: task.from, task: 'active' };
    case 'power':
      return { status: task.from === 'running' ? 'active' : 'shutoff', power: task.from, task: 'active' };
  }
}

export function observeServer(body: ServerBody, now: number, goneAt?: number): Ensured<ObservedServer> {
  const condition = conditionOf(body, now);
  const launchedAt =
    body.launchedAt !== undefined && now >= body.launchedAt ? { launchedAt: timestamp(body.launchedAt) } : {};
  const observed: ObservedServer = {
    ...condition,
    providerId: body.providerId,
    imageId: body.imageId,
    createdAt: timestamp(body.createdAt),
    ...launchedAt,
    privateIP: body.privateIP,
    ...(body.publicIP === null ? {} : { publicIP: body.publicIP }),
    // The port is bound to a network card only when the server is deployed.
    ...(condition.status === 'active' ? { macAddress: body.macAddress } : {}),
    ...(condition.status === 'error' && body.fault !== null ? { fault: body.fault } : {}),
  };
  if (goneAt !== undefined)
    return {
      state: 'pending',
      reason: 'the machine is being deleted',
      observed: { ...observed, status: 'deleting', task: 'active' },
    };
  if (condition.status === 'queued' || condition.status === 'building')
    return { state: 'pending', reason: 'the machine is being built', observed };
  return { state: 'present', observed };
}

/** The server after a power verb. Throws `conflict` if its state does not allow the verb. */
export function afterPower(body: ServerBody, verb: PowerVerb, now: number, power_ms: number): ServerBody {
  const { status, power, task } = conditionOf(body, now);
  const from = verb === 'start' ? 'shutdown' : 'running';
  // A hard reboot is also possible while a guest is still rebooting.
  const interrupts = verb === 'hardreboot' && isRebooting(body, now);
  if (!interrupts && (task === 'active' || status === 'error' || power !== from))
    throw new ProviderFailure(
      'conflict',
      `the machine cannot do this while it is ${task === 'active' ? 'busy' : status}`,
    );
  const end = now + power_ms;
  return {
    ...body,
    power: verb === 'stop' ? 'shutdown' : 'running',
    bootedAt: verb === 'stop' ? body.bootedAt : end,
    task: { verb: 'power', from, start: now, end },
  };
}

/** Whether it is rebooting. */
function isRebooting({ task, power }: ServerBody, now: number): boolean {
  return now < task.end && task.verb === 'power' && task.from === 'running' && power === 'running';
}

/** The server after a rebuild: a new image and the same power state. */
export function afterRebuild(
  body: ServerBody,
  imageId: string,
  now: number,
  build: { readonly duration_ms: number; readonly fault: string | null },
): ServerBody {
  if (conditionOf(body, now).task === 'active')
    throw new ProviderFailure('conflict', 'the server cannot be rebuilt while it is busy');
  const end = now + build.duration_ms;
  const task = { verb: 'rebuild', from: body.power, start: now, end } as const;
  return { ...body, imageId, bootedAt: end, task, fault: build.fault };
}
