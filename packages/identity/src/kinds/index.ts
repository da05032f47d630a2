import { Lease } from '@unikorn/core/controller';
import { IdempotencyRecord } from '@unikorn/core/http';
import { MigrationRecord } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { Saga } from '@unikorn/core/saga';

import { GlobalRoleBinding } from './global-role-binding.ts';
import { Group } from './group.ts';
import { GoneResource, ResourceHistory } from './history.ts';
import { OrganizationUser } from './membership.ts';
import { OAuth2Artifact, OAuth2Client, OAuth2Provider, SigningKey, UserInvitation, UserPassword } from './oauth2.ts';
import { Organization } from './organization.ts';
import { Project } from './project.ts';
import { Allocation, QuotaLedger } from './quota.ts';
import { ServiceAccount } from './service-account.ts';
import { User } from './user.ts';

export { globalBindingIdOf, GlobalRoleBinding } from './global-role-binding.ts';
export { Group, localIssuer, Subject } from './group.ts';
export { GoneResource, identityHistoryStorage, ResourceHistory } from './history.ts';
export { Acceptance, acceptanceOf, membershipIdOf, OrganizationUser } from './membership.ts';
export { Organization } from './organization.ts';
export { Project } from './project.ts';
export { ServiceAccount, tokenDigestLabel } from './service-account.ts';
export { normaliseSubject, User, userIdOf, UserState } from './user.ts';
export * from './oauth2.ts';
export * from './quota.ts';

const tenancyKinds = [Organization, Project, User, OrganizationUser, Group, ServiceAccount, GlobalRoleBinding] as const;
const loginKinds = [UserPassword, UserInvitation, OAuth2Client, OAuth2Provider, OAuth2Artifact, SigningKey] as const;
const ledgerKinds = [QuotaLedger, Allocation] as const;
const historyKinds = [ResourceHistory, GoneResource] as const;

/** All kinds that the service stores, including those of core that it uses. */
export const identityKinds = [
  ...tenancyKinds,
  ...loginKinds,
  ...ledgerKinds,
  ...historyKinds,
  ReferenceRecord,
  Saga,
  Lease,
  IdempotencyRecord,
  MigrationRecord,
] as const;
