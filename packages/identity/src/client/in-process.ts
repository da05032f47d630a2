import { authorOf, serviceCaller, type Principal } from '@unikorn/core/access';
import { isProblem } from '@unikorn/core/errors';
import { removeReference } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { Project } from '../kinds/project.ts';
import { allocationIdOf } from '../kinds/quota.ts';
import { readQuotas, requireKnownKinds, requireProject, type Ledger, type ProjectScope } from '../quota/index.ts';
import { allocationName, entriesOf, type IdentityClient, type ProjectSummary } from './identity-client.ts';
import { holdProject } from '../project-references.ts';
import { payerOf, payingOrganization } from './payer.ts';

export interface InProcessOptions {
  readonly store: Store;
  readonly world: World;
  readonly ledger: Ledger;
  /** The common name of the service that calls, as its certificate would say it. */
  readonly service: string;
}

/** Identity in the same process: no wire in between, and the same answers. */
export function inProcessIdentityClient({ store, world, ledger, service }: InProcessOptions): IdentityClient {
  const author = (principal: Principal, scope: ProjectScope) =>
    authorOf(serviceCaller({ type: 'certificate', commonName: service, principal, impersonate: false }), scope);
  return {
    async charge(principal, { scope: placement, resource, amounts }) {
      const scope = payerOf(principal, placement);
      const entries = entriesOf(amounts);
      requireKnownKinds('amounts', entries);
      const allocation = await ledger.charge({
        scope,
        resource,
        amounts: entries,
        naming: { name: allocationName },
        author: author(principal, scope),
        ifAbsent: 'charge',
      });
      return { allocationId: allocation.metadata.name };
    },
    release(principal, placement, resource) {
      const { organizationId } = payerOf(principal, placement);
      return ledger.release(organizationId, allocationIdOf(organizationId, resource));
    },
    free: async (principal, organizationId) =>
      Object.fromEntries(
        (await readQuotas(store, payingOrganization(principal, organizationId))).map(({ kind, free }) => [kind, free]),
      ),
    project: (_principal, scope) => unlessAbsent(async () => summaryOf(await requireProject(store, scope), scope)),
    addProjectReference: async (_principal, scope, holder) =>
      holdProject({ store, world }, await requireProject(store, scope), holder),
    removeProjectReference: (_principal, { projectId }, reference, claim) =>
      removeReference(store, Project, projectId, reference, claim),
  };
}

function summaryOf({ metadata }: Project, scope: ProjectScope): ProjectSummary {
  return { ...scope, name: metadata.labels?.[labels.name] ?? '', deleting: metadata.deletionTimestamp !== undefined };
}

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined;
    throw error;
  }
}
