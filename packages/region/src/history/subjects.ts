import { changedFields, commonTransitions, type HistorySubject, type Transition } from '@unikorn/core/history';
import type { Resource } from '@unikorn/core/kinds';
import { healthStatus, labels, provisioningStatus } from '@unikorn/core/resource';

import { endpoints } from '../handlers/endpoints.ts';
import { ImageRecord } from './image-objects.ts';
import {
  FileStorage,
  Identity,
  LoadBalancer,
  Network,
  regionHistoryStorage as storage,
  SecurityGroup,
  Server,
  SSHCertificateAuthority,
} from '../kinds/index.ts';

/** The fields of a spec that an update can change: stored name to API name. */
function changesOf(fields: Readonly<Record<string, string>>): NonNullable<HistorySubject['changes']> {
  return (before, after) => changedFields({ ...fields, tags: 'metadata.tags' }, before.spec, after.spec);
}

export const networkSubject: HistorySubject<typeof Network> = {
  kind: Network,
  resource: 'network',
  storage,
  param: 'networkID',
  endpoint: endpoints.networks,
  keptLabels: [labels.region],
  owners: [Identity],
  changes: changesOf({ dnsNameservers: 'spec.dnsNameservers', routes: 'spec.routes' }),
};

export const securityGroupSubject: HistorySubject<typeof SecurityGroup> = {
  kind: SecurityGroup,
  resource: 'security-group',
  storage,
  param: 'securityGroupID',
  endpoint: endpoints.securityGroups,
  keptLabels: [labels.region, labels.network],
  owners: [Network],
  changes: changesOf({ rules: 'spec.rules' }),
};

export const loadBalancerSubject: HistorySubject<typeof LoadBalancer> = {
  kind: LoadBalancer,
  resource: 'load-balancer',
  storage,
  param: 'loadBalancerID',
  endpoint: endpoints.loadBalancers,
  keptLabels: [labels.region, labels.network],
  owners: [Network],
  changes: changesOf({ publicIP: 'spec.publicIP', listeners: 'spec.listeners' }),
};

export const fileStorageSubject: HistorySubject<typeof FileStorage> = {
  kind: FileStorage,
  resource: 'file-storage',
  storage,
  param: 'filestorageID',
  endpoint: endpoints.fileStorage,
  keptLabels: [labels.region],
  changes: changesOf({
    size: 'spec.sizeGiB',
    attachments: 'spec.attachments',
    defaultSnapshotProtectionEnabled: 'spec.defaultSnapshotProtectionEnabled',
    snapshotPolicies: 'spec.snapshotPolicies',
    nfs: 'spec.storageType',
  }),
};

/** An authority never changes: it is created and deleted. */
export const sshCertificateAuthoritySubject: HistorySubject<typeof SSHCertificateAuthority> = {
  kind: SSHCertificateAuthority,
  resource: 'ssh-certificate-authority',
  storage,
  param: 'sshCertificateAuthorityID',
  endpoint: endpoints.sshCertificateAuthorities,
};

/** The cloud keeps images. An image belongs to an organization, and to no project. */
export const imageSubject: HistorySubject<typeof ImageRecord> = {
  kind: ImageRecord,
  resource: 'image',
  storage,
  param: 'imageID',
  endpoint: endpoints.images,
  isStored: false,
  places: { regionID: labels.region },
};

/**
 * Compute creates servers, and records its calls in the history of the instance. Recording them here as well would
 * double the writes of every instance. So a server only has a stored history if an operator changed it, or if there was
 * a failure.
 */
export const serverSubject: HistorySubject<typeof Server> = {
  kind: Server,
  resource: 'server',
  storage,
  param: 'serverID',
  endpoint: endpoints.servers,
  keptLabels: [labels.region, labels.network],
  uneventful: 'left out',
  leavesOut: ({ accountType }) => accountType === 'system',
  transitions: (before, after) => commonTransitions(before, after).filter((one) => isUnusual(one, before, after)),
};

/** A failure, or the end of one. A stopped machine is degraded, which is not a failure. */
function isUnusual({ action }: Transition, ...states: readonly Resource[]): boolean {
  switch (action) {
    case 'provisioning':
      return states.some((state) => provisioningStatus(state, 'controlled') === 'error');
    case 'health':
      return states.some((state) => healthStatus(state, 'controlled') === 'error');
    default:
      return false;
  }
}
