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

/** Makes the server of an instance that has none: one that never had, or whose old one was deleted for it, at once. */
export async function provideServer(attempt: Attempt): Promise<InstanceOutcome> {
  const { serverId, replacement } = attempt.instance.status ?? {};
  const isMadeRoomFor = replacement?.action === 'recreate' && !isLoss(replacement);
  if (serverId === undefined || isMadeRoomFor) return createServer(attempt);
  const lost = replacementOfLost(timestamp(attempt.world.now()));
  return recoverServer(attempt, isAnnounced(replacement, lost) ? replacement : lost);
}

/** One that was there and is not: that region says so once is no proof that it is lost. */
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

/** A name that somebody else took meanwhile is a conflict, and the next look says whose it is. */
async function createServer(attempt: Attempt): Promise<InstanceOutcome> {
  const { instance, on, region, watched } = attempt;
  const networkId = labelOf(instance.metadata, labels.network);
  const network = watched.network(networkId);
  const blocked = network && shownReadiness('network', network.metadata);
  return (
    blocked ?? outcomes.begun(instance, await followServer(attempt, await region.createServer(on, newServer(instance))))
  );
}
