export { checkCloud } from './check.ts';
export { OpenstackIdentities } from './identities.ts';
export {
  OpenstackIdentity,
  openstackKinds,
  openstackSecrets,
  OpenstackSnapshot,
  OpenstackUpload,
  OpenstackVlan,
} from './kinds.ts';
export { openstackProvider } from './provider.ts';
export { OpenstackRegion, type OpenstackRegionOptions } from './region.ts';
export type { OpenstackSettings } from './settings.ts';
export { openCloud, readCloudsYaml } from './client/index.ts';
