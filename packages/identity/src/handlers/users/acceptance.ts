import { allowsGlobal, type Acl } from '@unikorn/core/access';

import type { Acceptance, Organization } from '../../kinds/index.ts';
import { domainOf } from '../../oauth2/federation/vouching.ts';

export interface Addition {
  readonly acl: Acl;
  readonly organization: Organization;
  /** The user that is added. */
  readonly subject: string;
}

/**
 * Whether a new membership needs the consent of the user. It does, because an organization may add any user, unless the
 * platform adds them or the organization owns the domain of their address.
 */
export function acceptanceFor({ acl, organization: { spec }, subject }: Addition): Acceptance {
  const isOfDomain = spec.verifiedDomain !== undefined && spec.verifiedDomain === domainOf(subject);
  return allowsGlobal(acl, 'identity:users', 'create') || isOfDomain ? 'accepted' : 'open';
}
