export { certificateHeaders } from './certificates.ts';
export { absentId, accessConfiguration, accessTenants, identityBody, type TenantsOptions } from './access-tenants.ts';
export { drive, type DriveOptions } from './drive.ts';
export { Founder } from './founder.ts';
export { identityOn } from './identity-on-store.ts';
export { signIn, signInVouched, testEncryptionKey } from './sign-in.ts';
export {
  startIdentity,
  type Answer,
  type Call,
  type Method,
  type RunningIdentity,
  type StartOptions,
} from './start-identity.ts';
