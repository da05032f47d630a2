export { quotaCatalogue, quotaKinds, type Amount, type ProjectScope, type QuotaKind } from '../quota/index.ts';
export { demandCreation } from './creation.ts';
export {
  identityClient,
  type AllocationSummary,
  type IdentityClient,
  type ProjectReference,
  type ProjectSummary,
  type ResourceCharge,
} from './identity-client.ts';
export { remoteAuthenticator, type RemoteAuthenticatorOptions } from './remote-authenticator.ts';
export { serviceRights } from './service-rights.ts';
export { labelOf, placementOf, principalOf } from './placement.ts';
export { settleCharge, type Charge, type SettleDeps } from './settle-charge.ts';
