import { Controller, lettingGo, related, type ControllerContext, type Runnable } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { LedgerSweeper, type Ledger } from '../quota/index.ts';
import { organizationProvisioner } from './organization.ts';
import { projectProvisioner } from './project.ts';

export interface IdentityControllersOptions {
  readonly ledger: Ledger;
  /** What belongs to an organization besides its projects, and needs nobody to wind it up. */
  readonly contents: readonly Kind[];
}

/** Everything identity keeps doing by itself: realising and winding up organizations and projects, and minding the ledgers. */
export function identityControllers(
  { ledger, contents }: IdentityControllersOptions,
  context: ControllerContext,
): readonly Runnable[] {
  const { store, caches } = context;
  const goingProjects = related(Project, ({ metadata }) =>
    metadata.deletionTimestamp === undefined ? [] : [metadata.labels?.[labels.organization] ?? ''],
  );
  return [
    new Controller(
      {
        name: 'organizations',
        kind: Organization,
        provisioner: organizationProvisioner({ store, contents }),
        related: [goingProjects],
      },
      context,
    ),
    new Controller(
      {
        name: 'projects',
        kind: Project,
        provisioner: projectProvisioner({ store, ledger }),
        related: [lettingGo(caches.of(Project))],
      },
      context,
    ),
    new LedgerSweeper(ledger, context),
  ];
}
