import { Controller, lettingGo, related, type ControllerContext, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { LedgerSweeper, type Ledger } from '../quota/index.ts';
import { organizationProvisioner } from './organization.ts';
import { projectProvisioner } from './project.ts';

export interface IdentityControllersOptions {
  readonly ledger: Ledger;
  /** The kinds in an organization, except projects, that need no controller for their deletion. */
  readonly contents: readonly Kind[];
}

/** Provisions and deletes organizations, and maintains their quota ledgers; each organization has one. */
export function organizationControllers(
  { ledger, contents }: IdentityControllersOptions,
  context: ControllerContext,
): readonly Runnable[] {
  const goingProjects = related(Project, ({ metadata }) =>
    metadata.deletionTimestamp === undefined ? [] : [metadata.labels?.[labels.organization] ?? ''],
  );
  return [
    new Controller(
      {
        name: 'organizations',
        kind: Organization,
        provisioner: organizationProvisioner({ store: context.store, contents }),
        related: [goingProjects],
      },
      context,
    ),
    new LedgerSweeper(ledger, context),
  ];
}

/** Provisions and deletes projects. */
export function projectControllers(
  { ledger, history }: Pick<IdentityControllersOptions, 'ledger'> & { readonly history: DeletionRecorder },
  context: ControllerContext,
): readonly Runnable[] {
  const { store, caches } = context;
  return [
    new Controller(
      {
        name: 'projects',
        kind: Project,
        provisioner: projectProvisioner({ store, ledger }),
        related: [lettingGo(caches.of(Project))],
        beforeRemoval: (project) => history.recordDeletion(project),
      },
      context,
    ),
  ];
}
