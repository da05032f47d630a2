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
 * Keeps exactly one server of region for every instance. Every pass except the first reads the server from region by
 * its id.
 */
export function instanceProvisioner(context: WatchingContext): Provisioner<typeof ComputeInstance> {
  const { store, regionClient, identityClient, watches, world, telemetry } = context;
  const claimants = watchedClaimants(watches);
  const resolve = serverResolver({ regionClient, telemetry, claimants });
  const watched = watching(context);
  const attemptAt = (instance: ComputeInstance, log: ProvisionContext['log']): Attempt => ({
    instance,
    log,
    on: asService(instance.metadata),
    store,
    regionClient,
    identityClient,
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
 * The first pass of a new instance: it creates the server without reading first. If a server already exists, region
 * refuses the creation, and the server is read.
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
 * After a change is carried out, references that only the old machine needed are removed. An earlier pass may have seen
 * the change and not have finished this.
 */
async function relaxed(attempt: Attempt, outcome: InstanceOutcome): Promise<InstanceOutcome> {
  const { instance } = attempt;
  if (outcome.type === 'done' && instance.metadata.generation > 1 && !isSettled(instance))
    await release(attempt, aboutOf(instance), holdsOf(holdingOf(instance)));
  return outcome;
}

/** Clears the failure of an earlier attempt, unless this attempt sets it again. */
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
