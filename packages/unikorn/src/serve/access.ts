import type { Authenticator } from '@unikorn/core/access';
import { absentCalls, httpCalls, localCalls, unavailable, type HttpChannel } from '@unikorn/core/calls';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { Identity } from '@unikorn/identity';
import { identityClient, remoteAuthenticator, serviceRights, type IdentityClient } from '@unikorn/identity/client';
import type { RegionService } from '@unikorn/region';
import { regionClient, type RegionClient } from '@unikorn/region/client';

/** Connections to services whose API runs in another process. */
export interface Remote {
  readonly identity?: HttpChannel | undefined;
  readonly region?: HttpChannel | undefined;
}

interface Wiring<Service> {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly processName: string;
  /** The service, if its API runs in this process. */
  readonly local: Service | undefined;
  readonly channel: HttpChannel | undefined;
}

export interface IdentityAccess {
  readonly authenticator: Authenticator;
  /** The client of identity for a service of this process, by the name of its certificate. */
  client(commonName: string): IdentityClient;
}

/** How this process reaches identity: directly, over the connection, or not at all if no part needs it. */
export function identityAccess({ local, channel, world, telemetry }: Wiring<Identity>): IdentityAccess {
  if (local) return local;
  if (!channel) return { authenticator: absentAuthenticator, client: () => identityClient(absentCalls('identity')) };
  const client = identityClient(httpCalls({ service: 'identity', channel, world, telemetry }));
  return {
    authenticator: remoteAuthenticator({ channel, world, services: serviceRights() }),
    // The certificate of the connection says which service calls.
    client: () => client,
  };
}

const absentAuthenticator: Authenticator = {
  authenticate: () => Promise.reject(noIdentity()),
  access: () => Promise.reject(noIdentity()),
};

function noIdentity(): Error {
  return unavailable('identity', new Error('this process has no connection to identity'));
}

/** How compute reaches region. */
export function regionAccess({
  local,
  channel,
  store,
  world,
  telemetry,
  processName,
}: Wiring<RegionService>): RegionClient {
  if (local)
    return regionClient(
      localCalls({
        service: local.service,
        commonName: 'unikorn-compute',
        instance: processName,
        store,
        world,
        telemetry,
      }),
    );
  return regionClient(channel ? httpCalls({ service: 'region', channel, world, telemetry }) : absentCalls('region'));
}
