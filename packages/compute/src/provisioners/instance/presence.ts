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
 * Changes a server to what the instance requires. A replacement of disk or machine is first shown in the status, and
 * then done in the next pass.
 */
export async function changeServer(
  attempt: Attempt,
  { type, server, changes }: Extract<Action, { type: 'update' | 'recreate' }>,
): Promise<InstanceOutcome> {
  const { instance, on, regionClient, world, log } = attempt;
  const replacement = replacementBy(changes, timestamp(world.now()));
  if (replacement && !isAnnounced(instance.status?.replacement, replacement)) return outcomes.announced(replacement);
  if (replacement) log.warn({ replacement }, 'a change replaces the disk or the machine of an instance');
  if (type === 'update')
    return followServer(attempt, await regionClient.updateServer(on, server.metadata.id, changedServer(instance)));
  await regionClient.deleteServer(on, server.metadata.id);
  return awaitRemoval(attempt);
}

/** Waits until a server is deleted, whoever requested it. No new server is created before that. */
export function awaitRemoval({ instance, world }: Pick<Attempt, 'instance' | 'world'>): InstanceOutcome {
  return outcomes.leaving(instance.status?.replacement ?? replacementOfLost(timestamp(world.now())));
}

/**
 * Shows the state of the server. After a change has replaced its disk, the server is stopped if the instance requests
 * it.
 */
export async function followServer(attempt: Attempt, server: ServerRead): Promise<InstanceOutcome> {
  const { instance, world } = attempt;
  const { replacement } = instance.status ?? {};
  const isReplaced =
    server.metadata.provisioningStatus === 'provisioned' &&
    replacement !== undefined &&
    isCarriedOut(replacement, server);
  if (isReplaced && instance.spec.afterRebuild === 'stop') await stopServer(attempt, server);
  const diskLostAt = diskLossOf(replacement, server);
  // After a change has replaced the disk, an earlier loss of the disk is no longer shown.
  const loss = diskLostAt !== undefined ? { diskLostAt } : isReplaced ? { diskLostAt: server.status.diskLostAt } : {};
  return outcomes.ofServer(instance, server, { ...projection(instance.status, server, world.now()), ...loss });
}

/** A server that does not run cannot be stopped; region also refuses it. */
async function stopServer({ regionClient, on }: Attempt, { metadata, status }: ServerRead): Promise<void> {
  if (status.powerState === 'Stopped' || status.powerState === 'Stopping') return;
  try {
    await regionClient.power(on, metadata.id, 'stop');
  } catch (error) {
    if (!isProblem(error, 'invalid_request')) throw error;
  }
}
