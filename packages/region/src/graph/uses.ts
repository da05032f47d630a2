import { labels, type Reference } from '@unikorn/core/resource';

import {
  Network,
  SecurityGroup,
  SSHCertificateAuthority,
  Volume,
  type FileStorage,
  type Identity,
  type Server,
} from '../kinds/index.ts';
import { projectKindId } from './edges.ts';

/** What a principal holds on to until its cloud has forgotten it. */
export function identityUses({ metadata }: Pick<Identity, 'metadata'>): readonly Reference[] {
  return projectOf(metadata.labels);
}

/** What a server holds on to for as long as it names it. */
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

/** What file storage holds on to: the networks it is attached to, and the project that pays for it. */
export function fileStorageUses({ metadata, spec }: Pick<FileStorage, 'metadata' | 'spec'>): readonly Reference[] {
  return [
    ...(spec.attachments ?? []).map(({ networkID }) => ({ kind: Network.id, id: networkID })),
    ...projectOf(metadata.labels),
  ];
}

function projectOf(carried: Readonly<Record<string, string>> | undefined): readonly Reference[] {
  const id = carried?.[labels.project];
  return id === undefined ? [] : [{ kind: projectKindId, id }];
}
