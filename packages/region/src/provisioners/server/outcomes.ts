import { done, park, tryAgain, yieldFor, type Outcome, type StatusPatch } from '@unikorn/core/controller';

import type { Server } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import type { ObservedServer } from '../../provider/index.ts';
import { isSwitching, observation, unseen, type Rebuild } from '../../servers/index.ts';

export type ServerPatch = StatusPatch<typeof Server>;
export type ServerOutcome = Outcome<ServerPatch>;

/** The status fields of an observation. */
function seen(server: Server, observed: ObservedServer): ServerPatch {
  const { health, ...fields } = observation(server.status, observed);
  return { ...fields, conditions: [health] };
}

const anew = 'the provider lost the machine; it is being recreated, and its disk is lost';

/** A server that has run is only built again if it was lost, and its owner must know that. */
export function building(
  server: Server,
  observed: ObservedServer,
  reason = 'the machine is being built',
): ServerOutcome {
  const isAnew = server.status?.provisionedAt !== undefined && observed.launchedAt === undefined;
  return yieldFor({ message: isAnew ? anew : reason, after_ms: waits.busyServer_ms, status: seen(server, observed) });
}

export function recreated(server: Server, observed: ObservedServer, missingSince: string): ServerOutcome {
  return yieldFor<ServerPatch>({
    message: anew,
    after_ms: waits.busyServer_ms,
    status: { ...seen(server, observed), diskLostAt: missingSince },
  });
}

/**
 * It has run, so it is as requested, whatever its power state is now. While its power state changes, it is observed
 * until that is done.
 */
export function settled(server: Server, observed: ObservedServer): ServerOutcome {
  const patch = seen(server, observed);
  const switching = observed.task === 'active' && isSwitching({ ...server.status, ...patch });
  // After a rebuild it has the requested disk, so no disk is missing.
  const regained = server.status?.rebuild ? { diskLostAt: undefined } : {};
  return done(
    { ...patch, ...regained, rebuild: undefined, providerCreateRetrying: undefined },
    switching ? waits.busyServer_ms : undefined,
  );
}

export function counted(failures: number, attempts: number): ServerOutcome {
  return yieldFor<ServerPatch>({
    message: `the provider could not create the machine (attempt ${failures} of ${attempts}); it is being created again`,
    after_ms: waits.next_ms,
    status: {
      providerCreateFailures: failures,
      providerCreateRetrying: true,
      phase: 'Pending',
      privateIP: undefined,
      publicIP: undefined,
      scheduledAt: undefined,
      launchedAt: undefined,
      conditions: [
        { type: 'Healthy', status: 'Unknown', reason: 'Unknown', message: 'the machine is being created again' },
      ],
    },
  });
}

export function cleared(): ServerOutcome {
  return yieldFor<ServerPatch>({
    message: 'the machine is being created again',
    after_ms: waits.next_ms,
    status: { providerCreateRetrying: undefined },
  });
}

export function givenUp(server: Server, observed: ObservedServer, failures: number): ServerOutcome {
  const fault = observed.fault ?? 'the provider could not create the machine';
  return park({
    reason: 'Errored',
    message: `${fault}: change its image to try again, or replace it`,
    status: { ...seen(server, observed), providerCreateFailures: failures },
  });
}

export function searching(): ServerOutcome {
  return tryAgain<ServerPatch>({
    message: 'the provider does not show the machine; the provider is asked again before the machine is recreated',
    after_ms: waits.seek_ms,
    status: { conditions: [unseen] },
  });
}

export function armed(server: Server, observed: ObservedServer, targetImageID: string): ServerOutcome {
  return yieldFor<ServerPatch>({
    message: 'the machine will be rebuilt from the new image',
    after_ms: waits.next_ms,
    status: { ...seen(server, observed), rebuild: { targetImageID, state: 'Initiated' } },
  });
}

/** The server from the moment a rebuild is accepted, whatever the last observation said. */
export function submitted(server: Server, observed: ObservedServer, targetImageID: string): ServerOutcome {
  return rebuilding(
    server,
    { ...observed, status: 'rebuilding', task: 'active' },
    { targetImageID, state: 'Rebuilding' },
    'the machine is being rebuilt from the new image',
  );
}

export function rebuilding(
  server: Server,
  observed: ObservedServer,
  rebuild: Rebuild | undefined,
  message: string,
): ServerOutcome {
  return yieldFor<ServerPatch>({
    message,
    after_ms: waits.busyServer_ms,
    status: { ...seen(server, observed), ...(rebuild ? { rebuild } : {}) },
  });
}

export function notRebuilt(server: Server, observed: ObservedServer, targetImageID: string): ServerOutcome {
  const fault = observed.status === 'error' && observed.fault !== undefined ? `: ${observed.fault}` : '';
  return park<ServerPatch>({
    reason: 'Errored',
    message: `the rebuild from image ${targetImageID} failed${fault}; choose another image or replace the machine`,
    status: { ...seen(server, observed), rebuild: { targetImageID, state: 'Failed' } },
  });
}
