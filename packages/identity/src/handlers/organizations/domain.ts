import { Problem } from '@unikorn/core/errors';

import type { Tenancy } from '../../access/index.ts';
import type { Organization } from '../../kinds/index.ts';

/**
 * Refuses a domain that another organization has verified. A domain that is only claimed does not affect others, so
 * several organizations may claim it.
 */
export async function demandUnclaimed(
  tenancy: Tenancy,
  { domain }: Organization['spec'],
  current?: string,
): Promise<void> {
  if (domain === undefined || domain.toLowerCase() === current?.toLowerCase()) return;
  await tenancy.whenReady();
  const isOwned = tenancy
    .claimantsOf(domain)
    .some(({ spec }) => spec.verifiedDomain?.toLowerCase() === domain.toLowerCase());
  if (isOwned)
    throw new Problem('conflict', 'spec.domain: another organization has verified this domain; choose another domain');
}
