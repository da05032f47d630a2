import type { Provisioner, ProvisionContext } from '@unikorn/core/controller';

import type { ComputeContext } from '../context.ts';
import type { ComputeInstance } from '../kinds/index.ts';
import { serverResolver, watchedClaimants } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import { decide, type Action } from '../plan/index.ts';
import { provideServer } from './instance/absence.ts';
import { watching, type Attempt } from './instance/attempt.ts';
import { refused, type InstanceOutcome } from './instance/outcomes.ts';
import { awaitRemoval, changeServer, followServer } from './instance/presence.ts';
import { unlessRefused } from './instance/refusals.ts';
import { removeServer } from './instance/removal.ts';

/** Keeps exactly one server of region for every instance. Which there is is asked of region, by its id, in every pass. */
export function instanceProvisioner(context: ComputeContext): Provisioner<typeof ComputeInstance> {
  const { region, identity, caches, world, telemetry } = context;
  const resolve = serverResolver({ region, telemetry, claimants: watchedClaimants(caches) });
  const watched = watching(context);
  const attemptAt = (instance: ComputeInstance, log: ProvisionContext['log']): Attempt => ({ instance, log, on: asService(instance.metadata), region, identity, world, watched });
  return {
    provision: async (instance, { log }) => afresh(await unlessRefused(instance, log, async () => act(attemptAt(instance, log), decide(instance, await resolve(instance))))),
    deprovision: async (instance, { log }) => afresh(await unlessRefused(instance, log, async () => removeServer(attemptAt(instance, log), await resolve(instance)))),
  };
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
