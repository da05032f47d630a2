import type { Kind } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';

import { Network, SecurityGroup, SSHCertificateAuthority, type Server } from '../../kinds/index.ts';

export interface Need {
  readonly kind: Kind;
  readonly id: string;
}

/** The resources that must exist, in addition to the principal, before a server is created. */
export function needsOf({ spec }: Pick<Server, 'spec'>): readonly Need[] {
  const { securityGroups = [], sshCertificateAuthorityID: authority } = spec;
  return [
    ...spec.networks.map(({ id }) => ({ kind: Network, id })),
    ...securityGroups.map(({ id }) => ({ kind: SecurityGroup, id })),
    ...(authority === undefined ? [] : [{ kind: SSHCertificateAuthority, id: authority }]),
  ];
}

/**
 * Whether the spec is completely applied, so that neither a change of its dependencies nor a failed observation changes
 * its status.
 */
export function isSettled({ metadata, status }: Pick<Server, 'metadata' | 'status'>): boolean {
  if (
    status?.observedGeneration !== metadata.generation ||
    status.rebuild !== undefined ||
    status.missingSince !== undefined
  )
    return false;
  return findCondition(status.conditions, 'Available')?.status === 'True';
}
