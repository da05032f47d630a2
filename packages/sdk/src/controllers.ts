import type { Controllers } from './types.ts';

/** The work of one controller. */
export interface ControllerLoad {
  /** The process that it runs in. */
  readonly process: string;
  readonly name: string;
  /** Objects in the queue, of all priorities. */
  readonly queue: number;
  readonly delayed: number;
  readonly running: number;
  readonly retrying: number;
  readonly parked: number;
  /** The waiting time of the oldest object in the queue. */
  readonly oldest_s: number;
}

/**
 * The controllers in the answers of several services. The answers of one process are the same, whichever of its
 * services was asked.
 *
 * @example controllerLoads([await dataOf(unikorn.compute.GET('/api/v1/controllers'))]);
 */
export function controllerLoads(answers: readonly Controllers[]): readonly ControllerLoad[] {
  const processes = new Map(answers.map((answer) => [answer.process, answer.controllers]));
  return [...processes].flatMap(([process, controllers]) =>
    controllers.map(({ name, queued, delayed, running, retrying, parked, oldestQueuedSeconds }) => ({
      process,
      name,
      queue: Object.values(queued).reduce((sum, count) => sum + count, 0),
      delayed,
      running,
      retrying,
      parked,
      oldest_s: oldestQueuedSeconds,
    })),
  );
}
