import type { Endpoint } from '@unikorn/core/access';

import { RoleCatalogue } from '../access/index.ts';
import { defaultServices, type IdentityConfiguration } from '../configuration.ts';

/**
 * The platform-wide permissions of the platform's services, by the common names of their certificates. Every process
 * must have the same values.
 *
 * @example const rights = serviceRights().get('unikorn-compute');
 */
export function serviceRights({
  roles,
  services = defaultServices,
}: Pick<IdentityConfiguration, 'roles' | 'services'> = {}): ReadonlyMap<string, readonly Endpoint[]> {
  const catalogue = new RoleCatalogue(roles);
  return new Map(
    Object.entries(services).map(([commonName, role]) => [commonName, catalogue.named(role).scopes.global]),
  );
}
