import { isProblem } from '@unikorn/core/errors';
import { timestamp } from '@unikorn/core/world';
import type { ServerRead } from '@unikorn/region/client';

import type { Action } from '../../plan/index.ts';
import type { Attempt } from './attempt.ts';
import * as outcomes from './outcomes.ts';
import type { InstanceOutcome } from './outcomes.ts';
import { projection } from './projection.ts';
import { diskLossOf, isAnnounced, isCarriedOut, replacementBy, replacementOfLost } from './replacement.ts';
import { changedServer } from './wanted.ts';

/**
 * Makes a server what the instance asks for. Changes that replace disk or machine are first shown and then, in a pass
 * of their own, made.
 */
export async function changeServer(
  attempt: Attempt,
  { type, server, changes }: Extract<Action, { type: 'update' | 'recreate' }>,
): Promise<InstanceOutcome> {
  const { instance, on, region, world, log } = attempt;
  const replacement = replacementBy(changes, timestamp(world.now()));
  if (replacement && !isAnnounced(instance.status?.replacement, replacement)) return outcomes.announced(replacement);
  if (replacement) log.warn({ replacement }, 'a change replaces the disk or the machine of an instance');
  if (type === 'update')
    return followServer(attempt, await region.updateServer(on, server.metadata.id, changedServer(instance)));
  await region.deleteServer(on, server.metadata.id);
  return awaitRemoval(attempt);
}

/** Waits for a server to be gone, whoever deleted it: no other one comes before that. */
export function awaitRemoval({ instance, world }: Pick<Attempt, 'instance' | 'world'>): InstanceOutcome {
  return outcomes.leaving(instance.status?.replacement ?? replacementOfLost(timestamp(world.now())));
}

/** Shows what the server is like. Once a change has replaced its disk, it is stopped if that was asked for. */
export async function followServer(attempt: Attempt, server: ServerRead): Promise<InstanceOutcome> {
  const { instance, world } = attempt;
  const { replacement } = instance.status ?? {};
  const isReplaced =
    server.metadata.provisioningStatus === 'provisioned' &&
    replacement !== undefined &&
    isCarriedOut(replacement, server);
  if (isReplaced && instance.spec.afterRebuild === 'stop') await stopServer(attempt, server);
  const diskLostAt = diskLossOf(replacement, server);
  // A disk that was lost before is not missed any more once a change has replaced it.
  const loss = diskLostAt !== undefined ? { diskLostAt } : isReplaced ? { diskLostAt: server.status.diskLostAt } : {};
  return outcomes.standing(instance, server, { ...projection(instance.status, server, world.now()), ...loss });
}

/** One that does not run cannot be stopped, which region says too. */
async function stopServer({ region, on }: Attempt, { metadata, status }: ServerRead): Promise<void> {
  if (status.powerState === 'Stopped' || status.powerState === 'Stopping') return;
  try {
    await region.power(on, metadata.id, 'stop');
  } catch (error) {
    if (!isProblem(error, 'invalid_request')) throw error;
  }
}
