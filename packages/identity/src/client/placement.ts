import type { Principal } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import type { Metadata } from '@unikorn/core/kinds';
import { annotations, labels } from '@unikorn/core/resource';

import type { ProjectScope } from '../quota/index.ts';

type Labelled = Pick<Metadata, 'name' | 'labels' | 'annotations'>;

/**
 * A label that every object of this kind has from its creation. Without it the owner of the object is unknown, so it is
 * not changed.
 *
 * @example const networkId = labelOf(instance.metadata, labels.network);
 */
export function labelOf({ name, labels: carried }: Pick<Metadata, 'name' | 'labels'>, label: string): string {
  const value = carried?.[label];
  if (value === undefined) throw new Error(`${name} does not carry the label ${label}`);
  return value;
}

/**
 * The organization and project of a resource, which determine the permissions for it.
 *
 * @example demand(allowsProject(acl, endpoint, 'read', placementOf(metadata)), endpoint, 'read');
 */
export function placementOf(metadata: Labelled): ProjectScope {
  return { organizationId: labelOf(metadata, labels.organization), projectId: labelOf(metadata, labels.project) };
}

/**
 * The principal of a resource, for calls that are not part of a user's request. The charged project may differ from the
 * project of the resource.
 *
 * @example await identity.release(principalOf(metadata), placementOf(metadata), resource);
 */
export function principalOf(metadata: Labelled): Principal {
  const { organizationId, projectId } = placementOf(metadata);
  const actor = metadata.annotations?.[annotations.principalCreator] ?? metadata.annotations?.[annotations.creator];
  return {
    organizationId: metadata.labels?.[labels.principalOrganization] ?? organizationId,
    projectId: metadata.labels?.[labels.principalProject] ?? projectId,
    ...defined({ actor }),
  };
}
