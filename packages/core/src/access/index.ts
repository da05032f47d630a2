export {
  Acl,
  allowsGlobal,
  allowsOrganization,
  allowsProject,
  demand,
  knowsOrganization,
  noAccess,
  operations,
  projectCreation,
  type Endpoint,
  type Operation,
  type OrganizationAccess,
} from './acl.ts';
export {
  anonymous,
  authorOf,
  enrichPrincipal,
  personOf,
  serviceCaller,
  tokenCaller,
  type Authenticator,
  type Caller,
  type TokenHolder,
} from './caller.ts';
export {
  clientCertificate,
  readCredentials,
  trustOf,
  type CertificateTrust,
  type ClientCertificate,
  type Credentials,
} from './credentials.ts';
export { intersectAccess } from './impersonation.ts';
export { encodePrincipal, parsePrincipal, Principal } from './principal.ts';
export { isVisible, scopeSelector, visibleScopes, type ScopeQuery, type Visibility } from './visibility.ts';
