import { Lease } from '@unikorn/core/controller';
import { IdempotencyRecord } from '@unikorn/core/http';
import { MigrationRecord } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { Saga } from '@unikorn/core/saga';

import { FileStorageClass } from './file-storage-class.ts';
import { FileStorage } from './file-storage.ts';
import { GoneResource, ResourceHistory } from './history.ts';
import { Identity } from './identity.ts';
import { LoadBalancer } from './load-balancer.ts';
import { Network } from './network.ts';
import { Region } from './region.ts';
import { SecurityGroup } from './security-group.ts';
import { Server } from './server.ts';
import { SSHCertificateAuthority } from './ssh-certificate-authority.ts';
import { Volume } from './volume.ts';

export { defaultParallelism, FileStorageClass } from './file-storage-class.ts';
export { FileStorage } from './file-storage.ts';
export { GoneResource, regionHistoryStorage, ResourceHistory } from './history.ts';
export { Identity, identityName } from './identity.ts';
export { LoadBalancer } from './load-balancer.ts';
export { Network } from './network.ts';
export { Region } from './region.ts';
export { SecurityGroup } from './security-group.ts';
export { resolvedSshInjection, Server, SshInjection } from './server.ts';
export { phases, type Phase } from './server-status.ts';
export { defaultPolicyName, defaultSnapshotPolicy, SnapshotPolicy } from './snapshot-policy.ts';
export { SSHCertificateAuthority } from './ssh-certificate-authority.ts';
export { Volume } from './volume.ts';

/** Kinds that only operators write. */
export const catalogueKinds = [Region, FileStorageClass] as const;

/** Kinds that are deleted with their project. */
export const projectKinds = [
  Identity,
  Network,
  SecurityGroup,
  LoadBalancer,
  Server,
  Volume,
  SSHCertificateAuthority,
  FileStorage,
] as const;

/** Histories are kept after the project is deleted. */
const historyKinds = [ResourceHistory, GoneResource] as const;

/** Every kind the service stores, those it uses of core included. */
export const regionKinds = [
  ...catalogueKinds,
  ...projectKinds,
  ...historyKinds,
  ReferenceRecord,
  Saga,
  Lease,
  IdempotencyRecord,
  MigrationRecord,
] as const;
