import { done, readiness, tryAgain, type Provisioner, type ProvisionContext } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { Identity, Server, SSHCertificateAuthority } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import { identityOf, labelOf } from '../placement.ts';
import {
  isProviderFailure,
  type IdentityReference,
  type ObservedServer,
  type Presence,
  type ServerReference,
  type Servers,
  type WantedServer,
} from '../provider/index.ts';
import { attempted, serversWith, whileBusy } from '../regions/index.ts';
import { serverReference } from '../servers/index.ts';
import { principalReadiness } from './principal.ts';
import { BuildingLooks, isBuilding } from './server/building-looks.ts';
import { decideDisk } from './server/disk.ts';
import { decideExistence } from './server/existence.ts';
import { isSettled, needsOf } from './server/needs.ts';
import * as outcomes from './server/outcomes.ts';
import type { ServerOutcome } from './server/outcomes.ts';
import { wantedServer } from './server/wanted.ts';

type Context = Pick<RegionContext, 'store' | 'caches' | 'providers' | 'world'>;

/** One observation of a server and the resulting action. */
interface Attempt extends Pick<ProvisionContext, 'log'> {
  readonly server: Server;
  readonly servers: Servers;
  readonly identity: IdentityReference;
  readonly wanted: WantedServer;
  readonly attempts: number;
  /** Observes it, without changing anything. */
  readonly observe: () => Promise<Presence<ObservedServer>>;
}

/**
 * Provisions servers. All decisions are based on the provider's answer in this reconcile. The status only records what
 * was started and whether the server has ever run. `attempts` is how often a failed creation is tried.
 */
export function serverProvisioner(
  { store, caches, providers, world }: Context,
  attempts: number,
): Provisioner<typeof Server> {
  const looks = new BuildingLooks(world);
  const building = caches
    .of(Server)
    .index((server) => (isBuilding(server.status) ? [identityOf(server.metadata).id] : []));
  const unmet = async (server: Server) => {
    const { id: principal } = identityOf(server.metadata);
    const unprepared = principalReadiness(
      principal,
      caches.of(Identity).get(principal) ?? (await store.get(Identity, principal)),
    );
    if (unprepared) return unprepared;
    for (const { kind, id } of needsOf(server)) {
      const blocked = readiness(kind, id, caches.of(kind).get(id) ?? (await store.get(kind, id)));
      if (blocked) return blocked;
    }
    return undefined;
  };
  const authorityKey = async ({ spec: { sshCertificateAuthorityID: id } }: Server) => {
    if (id === undefined) return undefined;
    const authority = caches.of(SSHCertificateAuthority).get(id) ?? (await store.get(SSHCertificateAuthority, id));
    return authority?.spec.publicKey;
  };
  const realise = async (server: Server, log: ProvisionContext['log']): Promise<ServerOutcome> => {
    const blocked = isSettled(server) ? undefined : await unmet(server);
    if (blocked) return blocked;
    const cloud = await providers.cloudOf(labelOf(server.metadata, labels.region));
    const identity = identityOf(server.metadata);
    const wanted = wantedServer(server, await authorityKey(server));
    const servers = changing(cloud.servers, looks);
    const observe = () =>
      isBuilding(server.status)
        ? looks.observe(servers, identity, wanted, building.count(identity.id))
        : servers.observe(identity, wanted);
    return look({ server, servers, log, attempts, identity, wanted, observe });
  };
  return {
    async provision(server, { log }) {
      const outcome = await attempted(() => patiently(server, () => realise(server, log)));
      return isRenewed(server)
        ? { ...outcome, status: { providerCreateFailures: undefined, ...outcome.status } }
        : outcome;
    },
    deprovision: ({ metadata }) =>
      attempted(async () => {
        const { servers } = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await changing(servers, looks).remove(identityOf(metadata), serverReference({ metadata }));
        return removed.state === 'pending' ? whileBusy(removed) : done();
      }),
  };
}

/**
 * Retries when a resource that a server needs is missing in the provider: its own controller may repair it, and there
 * is no event for that. A server that is up to date keeps its status when its provider does not answer; it is checked
 * again later.
 */
async function patiently(server: Server, attempt: () => Promise<ServerOutcome>): Promise<ServerOutcome> {
  try {
    return await attempt();
  } catch (error) {
    if (isProviderFailure(error, 'not_found'))
      return tryAgain({ reason: 'DependencyFailed', message: error.message, after_ms: waits.missingNeed_ms });
    if (isProviderFailure(error, 'transient', 'unavailable') && isSettled(server)) return done();
    throw error;
  }
}

/** The same servers, but an observation from before a change is not used after it. */
function changing(servers: Servers, looks: BuildingLooks): Servers {
  const noted = async <T>(server: ServerReference, change: () => Promise<T>): Promise<T> => {
    try {
      return await change();
    } finally {
      looks.changed(server);
    }
  };
  return serversWith(servers, {
    ensure: (identity, wanted) => noted(wanted, () => servers.ensure(identity, wanted)),
    remove: (identity, server) => noted(server, () => servers.remove(identity, server)),
    rebuild: (identity, server, imageId) => noted(server, () => servers.rebuild(identity, server, imageId)),
  });
}

/** Whether its spec has changed since the last reconcile. */
function isRenewed({ metadata, status }: Server): boolean {
  return status?.observedGeneration !== metadata.generation;
}

async function look(attempt: Attempt): Promise<ServerOutcome> {
  const { server, servers, identity, wanted, attempts, log } = attempt;
  const presence = await attempt.observe();
  const existence = decideExistence({ status: server.status, renewed: isRenewed(server) }, presence, attempts);
  switch (existence.type) {
    case 'ensure':
      return settleDisk(attempt, (await servers.ensure(identity, wanted)).observed);
    case 'await':
      return outcomes.building(server, existence.observed, existence.reason);
    case 'count':
      return outcomes.counted(existence.failures, attempts);
    case 'clear': {
      const removed = await servers.remove(identity, wanted);
      return removed.state === 'pending' ? whileBusy(removed) : outcomes.cleared();
    }
    case 'give up':
      return outcomes.givenUp(server, existence.observed, existence.failures);
    case 'seek':
      return outcomes.searching();
    case 'remake': {
      log.warn(
        { missingSince: existence.missingSince },
        'a server that its provider lost is recreated; its disk is lost',
      );
      return outcomes.recreated(server, (await servers.ensure(identity, wanted)).observed, existence.missingSince);
    }
  }
}

/** The image is only compared once the server has run: until then it is created from the wanted image. */
async function settleDisk(
  { server, servers, identity, wanted }: Attempt,
  observed: ObservedServer,
): Promise<ServerOutcome> {
  if (observed.launchedAt === undefined) return outcomes.building(server, observed);
  const step = decideDisk(wanted.imageId, server.status?.rebuild, observed);
  switch (step.type) {
    case 'fits':
      return outcomes.settled(server, observed);
    case 'arm':
      return outcomes.armed(server, observed, wanted.imageId);
    case 'submit':
      return (await accepts(servers, identity, wanted))
        ? outcomes.submitted(server, observed, wanted.imageId)
        : outcomes.rebuilding(
            server,
            observed,
            undefined,
            'the machine is busy; it is rebuilt from the new image after that',
          );
    case 'wait':
      return outcomes.rebuilding(server, observed, step.rebuild, step.reason);
    case 'fail':
      return outcomes.notRebuilt(server, observed, wanted.imageId);
  }
}

/** Whether the provider accepted the rebuild. If the server is busy, it is requested later. */
async function accepts(servers: Servers, identity: IdentityReference, wanted: WantedServer): Promise<boolean> {
  try {
    await servers.rebuild(identity, wanted, wanted.imageId);
    return true;
  } catch (error) {
    if (!isProviderFailure(error, 'conflict')) throw error;
    return false;
  }
}
