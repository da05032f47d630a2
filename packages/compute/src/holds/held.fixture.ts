import { claimsOf, ReferenceRecord } from '@unikorn/core/references';
import { parseReference } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { Project } from '@unikorn/identity/kinds';
import type { RegionClient, RegionReference } from '@unikorn/region/client';
import { Network, SecurityGroup, SSHCertificateAuthority } from '@unikorn/region/kinds';

/** The stored kinds of the resources that instances use. */
export const usedKinds = {
  network: Network,
  securityGroup: SecurityGroup,
  sshCertificateAuthority: SSHCertificateAuthority,
  project: Project,
} as const;

/** The references in a store as region lists them, without a carrier. */
export function listedReferences(store: Store): RegionClient['references'] {
  return async function* (_on, { user, userKind }) {
    for (const record of (await store.list(ReferenceRecord)).items) {
      const { used, reference, protects = false } = record.spec;
      const fits = user === undefined ? parseReference(reference).kind === userKind : reference === user;
      const [what] = Object.entries(usedKinds).find(([, kind]) => kind.id === used.kind) ?? [];
      if (!fits || what === undefined || what === 'project') continue;
      yield {
        used: { what: what as RegionReference['used']['what'], id: used.id },
        user: reference,
        protects,
        claims: claimsOf(record),
        organizationId: '',
        projectId: '',
      };
    }
  };
}

/** For an instance without a reference to its project. */
export async function* noProjectReferences(): AsyncGenerator<never> {
  // There are no references to projects.
}
