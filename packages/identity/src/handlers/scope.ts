import { allowsOrganization, demand, type Operation } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { demandRoom, type Item, type Request, type View } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { Organization } from '../kinds/index.ts';

type OrganizationRequest = Pick<Request<{ readonly organizationID: string }, never, never>, 'acl' | 'params'>;

/** Refuses callers who may not do this in the organization of the path, whether or not the organization exists. */
export function demandInOrganization(
  { acl, params }: OrganizationRequest,
  endpoint: string,
  operation: Operation,
): void {
  demand(allowsOrganization(acl, endpoint, operation, params.organizationID), endpoint, operation);
}

/** The objects of a list under the path of an organization: all of them, for callers who may read them. */
export function organizationView(request: OrganizationRequest, endpoint: string): View {
  demandInOrganization(request, endpoint, 'read');
  return { selector: matching({ [labels.organization]: request.params.organizationID }), visible: () => true };
}

/** An object under the path of an organization. */
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
 * The organization of a new object. Refuses one that does not exist or is being deleted. If it is deleted directly
 * after, its objects are deleted with it.
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

/** Refuses a new object if the organization has reached its limit for the kind. */
export function demandRoomIn(store: Store, organizationId: string, kind: Kind, most: number): Promise<void> {
  return demandRoom(store, { kind, label: labels.organization, id: organizationId, where: 'organization', most });
}
