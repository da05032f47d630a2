import { serviceCaller, type Authenticator } from '@unikorn/core/access';
import { localCalls } from '@unikorn/core/calls';
import { Problem } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';
import { silentTelemetry } from '@unikorn/core/testing';
import type { World } from '@unikorn/core/world';

import { identityClient, serviceRights, type IdentityClient } from '../client/index.ts';
import { RoleCatalogue } from '../access/index.ts';
import { allocationRoutes } from '../handlers/allocations/index.ts';
import { projectRoutes } from '../handlers/projects/index.ts';
import { quotaRoutes } from '../handlers/quotas/index.ts';
import { referenceRoutes } from '../handlers/references/index.ts';
import { Ledger } from '../quota/index.ts';

/** Authenticates the platform's services, and no other callers. */
const servicesOnly: Authenticator = {
  authenticate: (credentials) =>
    credentials.type === 'certificate'
      ? Promise.resolve(serviceCaller(credentials))
      : Promise.reject(new Problem('access_denied', 'there are no tokens here')),
  access: ({ subject }) => Promise.resolve({ global: serviceRights().get(subject) ?? [] }),
};

/**
 * The part of identity that other services call, on a store with only projects, allocations and ledgers. For tests that
 * open many stores and need neither logins nor controllers.
 *
 * @example const identity = identityOn({ store, world, commonName: 'unikorn-region' });
 */
export function identityOn({
  store,
  world,
  commonName,
}: {
  readonly store: Store;
  readonly world: World;
  readonly commonName: string;
}): IdentityClient {
  const telemetry = silentTelemetry();
  const ledger = new Ledger({ store, world, telemetry, processName: 'test' });
  const service = {
    name: 'identity',
    version: '0',
    authenticator: servicesOnly,
    authorizationServer: 'https://identity.example.com',
    routes: [
      ...projectRoutes({ roles: new RoleCatalogue(), objectLimits: { projects: 100 } }),
      ...referenceRoutes,
      ...quotaRoutes,
      ...allocationRoutes(ledger),
    ],
  };
  return identityClient(localCalls({ service, commonName, store, world, telemetry, instance: 'test' }));
}
