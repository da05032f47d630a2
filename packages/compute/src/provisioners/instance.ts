import { isDeepStrictEqual } from 'node:util';

import type { Provisioner, ProvisionContext } from '@unikorn/core/controller';
import { isProblem } from '@unikorn/core/errors';

import type { WatchingContext } from '../context.ts';
import { aboutOf, holdingOf, holdsOf, release } from '../holds/index.ts';
import type { ComputeInstance } from '../kinds/index.ts';
import { serverResolver, watchedClaimants, type Resolution } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import { decide, type Action } from '../plan/index.ts';
import { provideServer } from './instance/absence.ts';
import { watching, type Attempt } from './instance/attempt.ts';
import { refused, type InstanceOutcome } from './instance/outcomes.ts';
import { awaitRemoval, changeServer, followServer } from './instance/presence.ts';
import { isSettled, unlessRefused } from './instance/refusals.ts';
import { removeServer } from './instance/removal.ts';

/**
 * Keeps exactly one server of region for every instance. Which there is is asked of region, by its id, in every pass
 * but the first.
 */
export function instanceProvisioner(context: WatchingContext): Provisioner<typeof ComputeInstance> {
  const { store, region, identity, watches, world, telemetry } = context;
  const claimants = watchedClaimants(watches);
  const resolve = serverResolver({ region, telemetry, claimants });
  const watched = watching(context);
  const attemptAt = (instance: ComputeInstance, log: ProvisionContext['log']): Attempt => ({
    instance,
    log,
    on: asService(instance.metadata),
    store,
    region,
    identity,
    world,
    watched,
  });
  return {
    provision: async (instance, { log }) => {
      const attempt = attemptAt(instance, log);
      const actOn = async (resolution: Resolution) =>
        relaxed(attempt, await act(attempt, decide(instance, resolution)));
      const look = () => resolve(instance);
      const isNew =
        instance.status === undefined && !watched.sees(instance) && (await claimants(instance)).length === 0;
      return afresh(
        await unlessRefused(instance, log, async () => (isNew ? presuming(none, look, actOn) : actOn(await look()))),
      );
    },
    deprovision: async (instance, { log }) =>
      afresh(
        await unlessRefused(instance, log, async () => removeServer(attemptAt(instance, log), await resolve(instance))),
      ),
  };
}

const none: Resolution = { type: 'none' };

/**
 * Does what is right for an instance that nobody has dealt with yet. Should somebody have, region refuses to make
 * another server, and is asked.
 */
async function presuming<T>(
  presumed: Resolution,
  look: () => Promise<Resolution>,
  actOn: (resolution: Resolution) => Promise<T> | T,
): Promise<T> {
  try {
    return await actOn(presumed);
  } catch (error) {
    if (!isProblem(error)) throw error;
    const found = await look();
    if (isDeepStrictEqual(found, presumed)) throw error;
    return actOn(found);
  }
}

/**
 * Once a change is carried out, what only the old machine used is let go. A pass before this one may have seen the
 * change already, and not have finished it.
 */
async function relaxed(attempt: Attempt, outcome: InstanceOutcome): Promise<InstanceOutcome> {
  const { instance } = attempt;
  if (outcome.type === 'done' && instance.metadata.generation > 1 && !isSettled(instance))
    await release(attempt, aboutOf(instance), holdsOf(holdingOf(instance)));
  return outcome;
}

/** What an earlier attempt failed at is forgotten, unless this one says it again. */
function afresh(outcome: InstanceOutcome): InstanceOutcome {
  return { ...outcome, status: { heldUpBy: undefined, ...outcome.status } };
}

function act(attempt: Attempt, action: Action): Promise<InstanceOutcome> | InstanceOutcome {
  switch (action.type) {
    case 'create':
      return provideServer(attempt);
    case 'keep':
      return followServer(attempt, action.server);
    case 'update':
    case 'recreate':
      return changeServer(attempt, action);
    case 'await':
      return awaitRemoval(attempt);
    case 'refuse':
      return refused(action);
  }
}
