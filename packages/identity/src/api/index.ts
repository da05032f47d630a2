export { AclRead, RoleRead, Roles } from './access.ts';
export { GroupPath, OrganizationPath, ProjectPath, SearchQuery, ServiceAccountPath, UserPath } from './common.ts';
export { GroupRead, Groups, GroupWrite } from './groups.ts';
export {
  DomainVerificationRead,
  OrganizationQuery,
  OrganizationRead,
  Organizations,
  OrganizationWrite,
} from './organizations.ts';
export { ProjectHistoryRead, ProjectRead, Projects, ProjectWrite } from './projects.ts';
export { ServiceAccountCreate, ServiceAccountRead, ServiceAccounts, ServiceAccountWrite } from './serviceaccounts.ts';
export { UserInvitationRead, UserRead, Users, UserWrite } from './users.ts';
