export { buildAcl, buildOrganizationAccess, withinOrganizations, type AclSubject, type AclView } from './acl.ts';
export { actingSubject, identityAuthenticator, type AuthenticatorOptions } from './authenticator.ts';
export { GlobalBindings, type Bound } from './bindings.ts';
export { userDirectory, type UserDirectory } from './directory.ts';
export { demandGrantable, knownRoles, mayGrant } from './grant.ts';
export { groupsByMember, holdsMember, localSubjects, withMember, withoutMember, type Member } from './members.ts';
export { builtInRoles, RoleCatalogue, roleIdOf, type ExtraRole, type Role, type RoleScopes } from './roles.ts';
export {
  digestLabels,
  eitherVerifier,
  issueToken,
  serviceAccountVerifier,
  type IssuedToken,
} from './service-account-tokens.ts';
export { Tenancy } from './tenancy.ts';
export type { TokenVerifier, VerifiedToken } from './verifier.ts';
