import { allowsOrganization, type Acl } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';

import type { FileStorageClass } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';

/**
 * A class of an organization is visible to those who may read its classes, any other to everybody who sees its region.
 */
export function isVisibleClass({ metadata }: FileStorageClass, acl: Acl): boolean {
  const organizationId = metadata.labels?.[labels.organization];
  return organizationId === undefined || allowsOrganization(acl, endpoints.fileStorageClasses, 'read', organizationId);
}
