import { done, park, tryAgain, yieldFor } from '@unikorn/core/controller';
import { isProblem } from '@unikorn/core/errors';
import { placementOf } from '@unikorn/identity/client';
import type { ServerRead } from '@unikorn/region/client';

import { linkedInstance, serverIdOf, type Resolution } from '../../link/index.ts';
import { aboutOf, release as releaseHolds } from '../../holds/index.ts';
import { release } from '../../sagas/index.ts';
import type { Attempt } from './attempt.ts';
import { ambiguous, type InstanceOutcome } from './outcomes.ts';
import type { InstancePatch } from './projection.ts';

const underWay = 'its machine is being deleted';

/**
 * Deletes the server of an instance and waits until it is deleted. Only then are its quota and its references released.
 */
export async function removeServer(attempt: Attempt, resolution: Resolution): Promise<InstanceOutcome> {
  switch (resolution.type) {
    case 'many':
      return park({ reason: 'Errored', message: ambiguous(resolution.serverIds) });
    case 'one':
      return deleteServer(attempt, resolution.server);
    case 'none':
      return resolution.occupant === undefined && attempt.watched.shows(attempt.instance)
        ? yieldFor({ message: underWay })
        : settleAccount(attempt);
  }
}

async function deleteServer(
  { regionClient, on }: Attempt,
  { metadata: { id, deletionTime, provisioningStatusDetail: detail } }: ServerRead,
): Promise<InstanceOutcome> {
  if (deletionTime === undefined) await regionClient.deleteServer(on, id);
  return yieldFor({
    message: deletionTime === undefined || !detail?.message ? underWay : `${underWay}: ${detail.message}`,
  });
}

async function settleAccount(attempt: Attempt): Promise<InstanceOutcome> {
  const { instance, identityClient, regionClient, on, log } = attempt;
  const { metadata } = instance;
  await releaseHolds(attempt, aboutOf(instance), []);
  // Without the reference to the network, region refuses a late request for the server. An earlier one is seen here.
  const late = await regionClient.server(on, serverIdOf(instance));
  if (late && linkedInstance(late.metadata.tags) === metadata.name) return deleteServer(attempt, late);
  try {
    await release(identityClient, { id: metadata.name, principal: on.principal, scope: placementOf(metadata) });
    return done();
  } catch (error) {
    if (!isProblem(error) || error.code === 'conflict') throw error;
    log.warn({ err: error }, 'the quota of an instance could not be released');
    return tryAgain<InstancePatch>({
      message: `its machine is deleted, but its quota cannot be released at the moment: ${error.message}`,
      status: { heldUpBy: 'quota' },
    });
  }
}
