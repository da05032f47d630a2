import { Problem } from '@unikorn/core/errors';

import type { Tenancy } from '../../access/index.ts';
import type { Organization } from '../../kinds/index.ts';

/**
 * Refuses a domain that another organization has: its people would no longer be sent to their provider. Two who claim it in
 * the same instant may both get it, and then it decides nothing for either. Whoever has it already may go on writing it.
 */
export async function demandUnclaimed(tenancy: Tenancy, { domain }: Organization['spec'], current?: string): Promise<void> {
  if (domain === undefined || domain.toLowerCase() === current?.toLowerCase()) return;
  await tenancy.whenReady();
  if (tenancy.claimantsOf(domain).length > 0) throw new Problem('conflict', 'spec.domain: another organization has this domain, choose one of your own');
}
