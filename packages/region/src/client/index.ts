export { Flavors } from '../api/flavors.ts';
export { ImageRead as Image, Images } from '../api/images.ts';
export { Regions } from '../api/regions.ts';
export {
  ConsoleOutput,
  ConsoleOutputQuery,
  ConsoleSession,
  Phase,
  phases,
  SshKey,
  UserDataText,
} from '../api/servers.ts';
export { formatPrefix, parsePrefix } from '../network/index.ts';
export type { PowerVerb } from '../provider/index.ts';
export { isImplausibleLoss } from '../regions/implausible-loss.ts';
export { imageFits, machineActions } from '../servers/index.ts';
export { checkFirstBoot, isOtherData } from '../userdata/index.ts';
export {
  regionClient,
  type ActionRead,
  type FlavorRead,
  type Held,
  type ImageRead,
  type NetworkFilter,
  type NetworkRead,
  type RegionClient,
  type RegionExplanation,
  type RegionRead,
  type RegionReference,
  type SecurityGroupRead,
  type ServerFilter,
  type ServerRead,
  type SshCertificateAuthorityRead,
} from './region-client.ts';
