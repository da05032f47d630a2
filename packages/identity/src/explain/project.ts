import { allowsOrganization, type Acl } from '@unikorn/core/access';
import {
  explanationOf,
  heldBy,
  holderNodes,
  mostHolders,
  storedNode,
  type Explanation,
  type Graph,
  type HolderNode,
  type Remedies,
} from '@unikorn/core/explain';
import { referencesTo } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import type { ProjectNodeKind } from './node-kinds.ts';

const living: Graph<ProjectNodeKind> = [
  { kind: 'organization', dependsOn: [] },
  { kind: 'project', dependsOn: ['organization'] },
];

/** A project that is being deleted waits for the resources in it, and its organization waits for the project. */
const removal: Graph<ProjectNodeKind> = [
  { kind: 'holder', dependsOn: [] },
  { kind: 'project', dependsOn: ['holder'] },
  { kind: 'organization', dependsOn: ['project'] },
];

const remedies: Remedies<ProjectNodeKind> = {
  organization: {
    missing: 'delete the project: its organization does not exist',
    deleting: 'nothing needs to be done: an organization is deleted together with its projects',
  },
  project: { deleting: 'wait until everything in it is deleted: the project is then removed automatically' },
  holder: { holding: 'wait: it is deleted together with the project. If it stays, delete it' },
};

interface Reading {
  readonly store: Store;
  readonly acl: Acl;
}

/** Explains the state of a project and, while it is being deleted, which resources still block it. */
export async function explainProject({ store, acl }: Reading, project: Project): Promise<Explanation<ProjectNodeKind>> {
  const { metadata } = project;
  const organizationId = metadata.labels?.[labels.organization] ?? '';
  const isLeaving = metadata.deletionTimestamp !== undefined;
  const holders = isLeaving ? await holdersOf(store, metadata.name) : [];
  const self = storedNode<ProjectNodeKind>({
    kind: 'project',
    id: metadata.name,
    of: Project,
    object: project,
    readable: true,
    remedies,
  });
  return explanationOf<ProjectNodeKind>({
    nodes: [
      storedNode<ProjectNodeKind>({
        kind: 'organization',
        id: organizationId,
        of: Organization,
        object: await store.get(Organization, organizationId),
        readable: allowsOrganization(acl, 'identity:organizations', 'read', organizationId),
        remedies,
      }),
      ...holderNodes(holders, remedies),
      heldBy(self, holders),
    ],
    graph: isLeaving ? removal : living,
    own: ['project'],
    whenReady: 'the project is ready',
  });
}

async function holdersOf(store: Store, projectId: string): Promise<readonly HolderNode[]> {
  const records = await referencesTo(store, Project, projectId, mostHolders, { cached: true });
  return records.map((record) => ({
    reference: record.spec.reference,
    name: record.spec.name,
  }));
}
