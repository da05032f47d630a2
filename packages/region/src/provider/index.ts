export type { ExternalNetwork, Flavor, VolumeClass } from './catalogue.ts';
export type { CloudChange } from './change.ts';
export { checkStates, type Check, type CheckState } from './check.ts';
export { failures, isProviderFailure, ProviderFailure, type FailureKind } from './failure.ts';
export {
  WantedFileStorage,
  type FileStorages,
  type ObservedFileStorage,
  type ObservedSnapshots,
  type ProjectReference,
  type SnapshotPlan,
} from './file-storage.ts';
export type { Identities, IdentityReference, ObservedIdentity } from './identity.ts';
export {
  Architecture,
  byName,
  GpuVendor,
  ImageDescription,
  isWanted,
  type Image,
  type ImageQuery,
  type Images,
} from './image.ts';
export {
  WantedLoadBalancer,
  type LoadBalancers,
  type ObservedLoadBalancer,
  type ObservedMember,
} from './load-balancer.ts';
export { WantedNetwork, type AddressRange, type Networks, type ObservedNetwork } from './network.ts';
export { openSshPrivateKey, openSshPublicKey } from './openssh-key.ts';
export {
  absent,
  type Absent,
  type Ensured,
  type Pending,
  type Presence,
  type Present,
  type Removed,
} from './presence.ts';
export type { CloudProvider, InventoryProvider } from './provider.ts';
export { bytesOf } from './quantity.ts';
export type { Found, Provision, ResourceReference } from './provision.ts';
export {
  SecurityRule,
  WantedSecurityGroup,
  type ObservedSecurityGroup,
  type SecurityGroups,
} from './security-group.ts';
export {
  powerVerbs,
  WantedServer,
  type ObservedServer,
  type PowerVerb,
  type ServerReference,
  type Servers,
} from './server.ts';
