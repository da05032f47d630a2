import { addReference, type Holder, type HoldDeps } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';

import { Organization } from './kinds/organization.ts';
import { Project } from './kinds/project.ts';

/**
 * Keeps a project for whoever uses it. One that protects keeps its organization too: whoever deletes that looks for it.
 */
export function holdProject(deps: HoldDeps, { metadata }: Project, holder: Holder): Promise<void> {
  const above = holder.protects ? [{ kind: Organization, name: metadata.labels?.[labels.organization] ?? '' }] : [];
  return addReference(deps, Project, metadata, holder, above);
}
