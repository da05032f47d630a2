import { done, yieldFor, type Provisioner } from '@unikorn/core/controller';
import type { Kind, Resource } from '@unikorn/core/kinds';
import { causeFrom, deleteAlong } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { matching, remaining, type Store } from '@unikorn/core/store';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { healthy } from './healthy.ts';

export interface OrganizationDeps {
  readonly store: Store;
  /** The kinds in an organization, except projects, that need no clean-up before deletion. */
  readonly contents: readonly Kind[];
}

/**
 * An organization is provisioned as soon as it is stored. At its deletion, its projects are deleted first, because
 * users who can still see them may have to empty them; then its other objects. The store deletes its ledger.
 */
export function organizationProvisioner({ store, contents }: OrganizationDeps): Provisioner<typeof Organization> {
  const within = <K extends Kind>(kind: K, organizationId: string): Promise<readonly Resource<K>[]> =>
    remaining(
      store,
      async (options) =>
        (await store.list(kind, { selector: matching({ [labels.organization]: organizationId }), ...options })).items,
    );
  return {
    provision: () => Promise.resolve(done({ conditions: [healthy] })),
    async deprovision(organization) {
      const { name: organizationId } = organization.metadata;
      const cause = causeFrom(Organization, organization);
      const projects = await within(Project, organizationId);
      await Promise.all(
        projects
          .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
          .map(({ metadata }) => deleteAlong(store, Project, metadata, cause, { propagation: 'foreground' })),
      );
      if (projects.length > 0)
        return yieldFor({
          message: `waiting for ${projects.length} ${projects.length === 1 ? 'project' : 'projects'} to be deleted`,
        });
      for (const kind of contents) {
        await Promise.all(
          (await within(kind, organizationId)).map(({ metadata: { name, uid } }) =>
            store.delete(kind, name, { preconditions: { uid } }),
          ),
        );
      }
      return done();
    },
  };
}
