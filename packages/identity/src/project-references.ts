import { addReference, type Holder, type HoldDeps } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';

import { Organization } from './kinds/organization.ts';
import { Project } from './kinds/project.ts';

/**
 * Prevents the deletion of a project that is in use. A protecting reference also prevents the deletion of the
 * organization.
 */
export function holdProject(deps: HoldDeps, { metadata }: Project, holder: Holder): Promise<void> {
  const above = holder.protects ? [{ kind: Organization, name: metadata.labels?.[labels.organization] ?? '' }] : [];
  return addReference(deps, Project, metadata, holder, above);
}
