import { shownReadiness } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import { timestamp } from '@unikorn/core/world';
import { labelOf } from '@unikorn/identity/client';

import { waits } from '../../limits.ts';
import type { Attempt } from './attempt.ts';
import * as outcomes from './outcomes.ts';
import type { InstanceOutcome } from './outcomes.ts';
import { followServer } from './presence.ts';
import { isAnnounced, isLoss, replacementOfLost, type Replacement } from './replacement.ts';
import { newServer } from './wanted.ts';

/**
 * Creates the server of an instance that has none. If there never was a server, or a change deleted the old one, it is
 * created at once.
 */
export async function provideServer(attempt: Attempt): Promise<InstanceOutcome> {
  const { serverId, replacement } = attempt.instance.status ?? {};
  const isMadeRoomFor = replacement?.action === 'recreate' && !isLoss(replacement);
  if (serverId === undefined || isMadeRoomFor) return createServer(attempt);
  const lost = replacementOfLost(timestamp(attempt.world.now()));
  return recoverServer(attempt, isAnnounced(replacement, lost) ? replacement : lost);
}

/** For a server that existed and is missing. A single response of region does not prove that it is lost. */
async function recoverServer(attempt: Attempt, loss: Replacement): Promise<InstanceOutcome> {
  const { instance, watched, world, log } = attempt;
  if (watched.shows(instance))
    return outcomes.searching(
      'its region does not find its machine at the moment, although the machine exists',
      waits.absence_ms.searching,
    );
  const left_ms = Date.parse(loss.since) + waits.absence_ms.searching - world.now();
  if (left_ms > 0)
    return outcomes.searching(
      'its machine cannot be found; the region is asked again before the machine is recreated',
      left_ms,
      loss,
    );
  if (watched.losses(labelOf(instance.metadata, labels.region)) === 'doubted') {
    return outcomes.searching(
      'too many machines of its region are missing at once; none is recreated',
      waits.absence_ms.doubted,
      loss,
    );
  }
  log.warn({ since: loss.since }, 'the machine of an instance is lost and will be recreated');
  return createServer(attempt);
}

/**
 * If another instance took the name in the meantime, region answers with a conflict, and the next pass shows the owner.
 */
async function createServer(attempt: Attempt): Promise<InstanceOutcome> {
  const { instance, on, regionClient, watched } = attempt;
  const networkId = labelOf(instance.metadata, labels.network);
  const network = watched.network(networkId);
  const blocked = network && shownReadiness('network', network.metadata);
  return (
    blocked ??
    outcomes.begun(instance, await followServer(attempt, await regionClient.createServer(on, newServer(instance))))
  );
}
