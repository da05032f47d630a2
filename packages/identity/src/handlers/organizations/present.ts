import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { readMetadata } from '@unikorn/core/resource';

import type { OrganizationRead, OrganizationWrite } from '../../api/index.ts';
import { Organization } from '../../kinds/index.ts';
import { storedTags } from '../tags.ts';

type Spec = Organization['spec'];

export function presentOrganization(organization: Organization): DeepReadonly<Static<typeof OrganizationRead>> {
  const { tags, domain, providerScope, providerId, providerOptions } = organization.spec;
  const googleCustomerID = providerOptions?.google?.customerId;
  return {
    metadata: readMetadata(Organization, organization, tags),
    spec: {
      organizationType: domain === undefined ? 'adhoc' : 'domain',
      ...defined({ domain, providerScope, providerID: providerId, googleCustomerID }),
    },
    ...(domain === undefined ? {} : { status: { domainVerified: isVerified(organization.spec) } }),
  };
}

/** Whether the claimed domain is the verified one. */
export function isVerified({ domain, verifiedDomain }: Spec): boolean {
  return domain !== undefined && domain.toLowerCase() === verifiedDomain?.toLowerCase();
}

/** The stored form of an organization. The login settings are only relevant if it has a domain. */
export function organizationSpec({ metadata, spec }: DeepReadonly<Static<typeof OrganizationWrite>>): Spec {
  const { organizationType, domain, providerScope, providerID, googleCustomerID } = spec;
  if (organizationType === 'adhoc') return storedTags(metadata.tags);
  if (domain === undefined)
    throw new Problem('invalid_request', 'spec.domain: is required by the organization type domain');
  return {
    ...storedTags(metadata.tags),
    domain,
    ...defined({ providerScope, providerId: providerID }),
    ...(googleCustomerID === undefined ? {} : { providerOptions: { google: { customerId: googleCustomerID } } }),
  };
}
