import { done, waitWhileReferenced, yieldFor, type Provisioner } from '@unikorn/core/controller';
import { causeFrom, deleteAlong } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { Allocation } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import type { Ledger } from '../quota/index.ts';
import { healthy } from './healthy.ts';

export interface ProjectDeps {
  readonly store: Store;
  readonly ledger: Ledger;
}

/**
 * A project is provisioned as soon as it is stored. It is removed only when no reference to it is left. Remaining
 * charges then belong to no resource, and are released.
 */
export function projectProvisioner({ store, ledger }: ProjectDeps): Provisioner<typeof Project> {
  return {
    async provision({ metadata }) {
      const organization = await store.get(Organization, metadata.labels?.[labels.organization] ?? '');
      // It was created while its organization was being deleted, so that deletion may not have seen it.
      if (!organization || organization.metadata.deletionTimestamp !== undefined)
        await deleteAlong(store, Project, metadata, organization && causeFrom(Organization, organization));
      return done({ conditions: [healthy] });
    },
    async deprovision({ metadata: { name: projectId, labels: label } }) {
      const waiting = await waitWhileReferenced(store, Project, projectId);
      if (waiting) return waiting;
      const organizationId = label?.[labels.organization] ?? '';
      // This comes before the list: a charge that is counted later sees that the project is being deleted.
      const inFlight = await ledger.settle(organizationId);
      if (inFlight.some((change) => change.projectId === projectId))
        return yieldFor({
          message: 'waiting for quota changes that are in progress',
          after_ms: waits.quotaChangesInProgress_ms,
        });
      const { items } = await store.list(Allocation, { selector: matching({ [labels.project]: projectId }) });
      await Promise.all(items.map(({ metadata }) => ledger.release(organizationId, metadata.name)));
      return done();
    },
  };
}
