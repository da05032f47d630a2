import { allowsGlobal } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { itemRoute, type Item, type Route } from '@unikorn/core/http';
import type { TextRecords } from '@unikorn/core/outbound';

import type { Tenancy } from '../../access/index.ts';
import { DomainVerificationRead, OrganizationPath } from '../../api/index.ts';
import { Organization } from '../../kinds/index.ts';
import { demandUnclaimed } from './domain.ts';
import { isVerified } from './present.ts';

export interface VerificationDeps {
  readonly tenancy: Tenancy;
  readonly textRecords: TextRecords;
}

/**
 * The record that only the owner of a domain can publish. It contains the id of the organization, so it proves nothing
 * for another one.
 */
export function proofFor(organizationId: string, domain: string) {
  return { name: `_unikorn.${domain.toLowerCase()}`, type: 'TXT', value: `unikorn-organization=${organizationId}` };
}

function domainOf({ domain }: Organization['spec']): string {
  if (domain === undefined)
    throw new Problem(
      'invalid_request',
      'the organization has no domain: first set spec.organizationType to domain, and spec.domain',
    );
  return domain;
}

/**
 * Verifies that an organization owns its domain: by a DNS record, or without it if the caller may change every
 * organization.
 */
export function domainVerificationRoute(
  { tenancy, textRecords }: VerificationDeps,
  item: Item<typeof Organization>,
): Route {
  return itemRoute({
    tags: ['Organizations'],
    security: 'bearer',
    method: 'POST',
    path: '/api/v1/organizations/{organizationID}/domain/verification',
    operationId: 'verifyOrganizationDomain',
    summary: 'Verify that an organization owns its domain',
    params: OrganizationPath,
    responses: { 200: DomainVerificationRead },
    item,
    verb: 'update',
    actions: ['verification'],
    check: async ({ spec }) => {
      domainOf(spec);
      if (!isVerified(spec)) await demandUnclaimed(tenancy, spec);
    },
    handler: async ({ acl, runtime: { store } }, { metadata, spec }) => {
      const domain = domainOf(spec);
      const record = proofFor(metadata.name, domain);
      const answer = (verified: boolean) => ({ status: 200, body: { domain, verified, record } }) as const;
      if (isVerified(spec)) return answer(true);
      const isProved =
        allowsGlobal(acl, 'identity:organizations', 'update') ||
        (await textRecords(record.name)).includes(record.value);
      if (!isProved) return answer(false);
      await store.update(Organization, { metadata, spec: { ...spec, verifiedDomain: domain.toLowerCase() } });
      return answer(true);
    },
  });
}
