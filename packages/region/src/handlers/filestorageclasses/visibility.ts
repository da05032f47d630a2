import { allowsOrganization, type Acl } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';

import type { FileStorageClass } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';

/**
 * A class of an organization is visible to callers who may read its classes. Any other class is visible to all callers
 * who see its region.
 */
export function isVisibleClass({ metadata }: FileStorageClass, acl: Acl): boolean {
  const organizationId = metadata.labels?.[labels.organization];
  return organizationId === undefined || allowsOrganization(acl, endpoints.fileStorageClasses, 'read', organizationId);
}
