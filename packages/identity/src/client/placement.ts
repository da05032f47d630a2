import type { Principal } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import type { Metadata } from '@unikorn/core/kinds';
import { annotations, labels } from '@unikorn/core/resource';

import type { ProjectScope } from '../quota/index.ts';

type Labelled = Pick<Metadata, 'name' | 'labels' | 'annotations'>;

/**
 * A label that everything of this kind is created with. Without it nobody can say whose the object is, so nothing is
 * done about it.
 */
export function labelOf({ name, labels: carried }: Pick<Metadata, 'name' | 'labels'>, label: string): string {
  const value = carried?.[label];
  if (value === undefined) throw new Error(`${name} does not carry the label ${label}`);
  return value;
}

/** Where a project's resource lives: what rights to it are decided by. */
export function placementOf(metadata: Labelled): ProjectScope {
  return { organizationId: labelOf(metadata, labels.organization), projectId: labelOf(metadata, labels.project) };
}

/**
 * On whose behalf it exists, for calls about it that no user waits for; who pays may be another than where it lives.
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
