import { allowsOrganization, demand, type Operation } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { demandRoom, type Item, type Request, type View } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { Organization } from '../kinds/index.ts';

type OrganizationRequest = Pick<Request<{ readonly organizationID: string }, never, never>, 'acl' | 'params'>;

/** Refuses whoever may not do this in the organization that the path names, whether or not there is one. */
export function demandInOrganization(
  { acl, params }: OrganizationRequest,
  endpoint: string,
  operation: Operation,
): void {
  demand(allowsOrganization(acl, endpoint, operation, params.organizationID), endpoint, operation);
}

/** What a list under an organization's path shows: everything there, to those who may read it. */
export function organizationView(request: OrganizationRequest, endpoint: string): View {
  demandInOrganization(request, endpoint, 'read');
  return { selector: matching({ [labels.organization]: request.params.organizationID }), visible: () => true };
}

/** An object under an organization's path. */
export function organizationItem<K extends Kind>(kind: K, param: string, endpoint: string): Item<K> {
  return {
    kind,
    param,
    endpoint,
    access: {
      order: 'check first',
      allows: (verb, { acl, params }) => allowsOrganization(acl, endpoint, verb, params['organizationID'] ?? ''),
      belongs: ({ metadata }, { params }) => metadata.labels?.[labels.organization] === params['organizationID'],
    },
  };
}

/**
 * The organization something new is put into. Refuses one that is not there, or is going; what it owns goes with it,
 * should it go in the next instant.
 */
export async function openOrganization({
  params,
  runtime,
}: Pick<Request<{ readonly organizationID: string }, never, never>, 'params' | 'runtime'>): Promise<Organization> {
  const organization = await runtime.store.get(Organization, params.organizationID);
  if (!organization) throw new Problem('not_found', `organization ${params.organizationID} does not exist`);
  if (organization.metadata.deletionTimestamp !== undefined)
    throw new Problem('invalid_request', `organization ${params.organizationID} is being deleted`);
  return organization;
}

/** Refuses one more object of a kind in an organization that has as many as it may have. */
export function demandRoomIn(store: Store, organizationId: string, kind: Kind, most: number): Promise<void> {
  return demandRoom(store, { kind, label: labels.organization, id: organizationId, where: 'organization', most });
}
