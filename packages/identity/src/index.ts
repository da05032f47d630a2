export { builtInRoles, RoleCatalogue, roleIdOf, type ExtraRole, type Role } from './access/index.ts';
export { defaultServices, type IdentityConfiguration } from './configuration.ts';
export { identityKinds } from './kinds/index.ts';
export { identityMigrations } from './migrations.ts';
export { identityResealing } from './oauth2/resealing.ts';
export { createIdentity, type Identity, type IdentityOptions } from './service.ts';
export { hasStarted, markStarted, platformAccountId, platformToken } from './platform.ts';
