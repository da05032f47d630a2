import type { Reference } from '@unikorn/core/resource';

import { Network, SecurityGroup, SSHCertificateAuthority, Volume, type Server } from '../kinds/index.ts';

/** The objects that a server uses. */
export function serverUses({ spec }: Pick<Server, 'spec'>): readonly Reference[] {
  return [
    ...spec.networks.map(({ id }) => ({ kind: Network.id, id })),
    ...(spec.securityGroups ?? []).map(({ id }) => ({ kind: SecurityGroup.id, id })),
    ...(spec.volumes ?? []).map(({ id }) => ({ kind: Volume.id, id })),
    ...(spec.sshCertificateAuthorityID === undefined
      ? []
      : [{ kind: SSHCertificateAuthority.id, id: spec.sshCertificateAuthorityID }]),
  ];
}
