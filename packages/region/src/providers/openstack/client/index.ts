export {
  interfaces,
  type CloudAccess,
  type Credential,
  type Domain,
  type Interface,
  type Principal,
  type Project,
  type Scope,
  type User,
} from './access.ts';
export { readCloudsYaml, type CloudEntry, type ReadOptions } from './clouds-yaml.ts';
export { CloudError } from './failures.ts';
export { keepOne, makeOnce, named, onlyOne } from './names.ts';
export type { CallRecord } from './recorder.ts';
export { serviceNames, type ServiceName } from './services.ts';
export { openCloud, type CloudOptions, type OpenstackCloud, type Session } from './session.ts';
export type { Holder } from './tokens.ts';
export * as cinder from './cinder.ts';
export * as glance from './glance.ts';
export * as ironic from './ironic.ts';
export * as keystone from './keystone.ts';
export * as neutron from './neutron.ts';
export * as nova from './nova.ts';
export * as octavia from './octavia.ts';
export * as placement from './placement.ts';
