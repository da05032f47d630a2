import type { components as ComputeComponents } from './generated/compute.ts';
import type { components as IdentityComponents } from './generated/identity.ts';
import type { components as RegionComponents } from './generated/region.ts';

type Compute = ComputeComponents['schemas'];
type Identity = IdentityComponents['schemas'];
type Region = RegionComponents['schemas'];

/** The body of a refusal. */
export type ErrorBody = Compute['error'];
export type Metadata = Compute['resourceReadMetadata'];
export type Tag = Compute['tag'];

export type Instance = Compute['instanceRead'];
export type InstanceCreate = Compute['instanceCreate'];
export type InstanceUpdate = Compute['instanceUpdate'];
export type InstancePlan = Compute['instancePlanRead'];
export type InstanceExplanation = Compute['instanceExplanationRead'];
/** The explanation of a resource of any service. */
export type Explanation = InstanceExplanation | Region['explanationRead'] | Identity['explanationRead'];
export type DeletedInstance = Compute['deletedInstanceRead'];
export type InstanceHistory = Compute['instanceHistoryRead'];
/** The history of a resource; all resources have the same entries. */
export type History = InstanceHistory;
/** The requests of callers that changed resources of a service. */
export type Activity = Compute['activityRead'];
/** An unfinished change of several steps, of any service. */
export type Saga = Compute['sagaRead'];
/** The controllers of one process, and their work. */
export type Controllers = Compute['controllersRead'];
export type Flavor = Compute['flavor'];
export type Image = Compute['image'];

export type RegionRead = Region['regionRead'];
export type RegionChecks = Region['regionChecks'];
/** The settings of a simulated region. */
export type Simulation = Region['simulationRead'];
export type Network = Region['networkV2Read'];
export type NetworkCreate = Region['networkV2Create'];
export type NetworkUpdate = Region['networkV2Update'];
export type SecurityGroup = Region['securityGroupV2Read'];
export type SecurityGroupCreate = Region['securityGroupV2Create'];
export type SecurityGroupUpdate = Region['securityGroupV2Update'];
export type LoadBalancer = Region['loadBalancerV2Read'];
export type LoadBalancerCreate = Region['loadBalancerV2Create'];
export type LoadBalancerUpdate = Region['loadBalancerV2Update'];
export type SshCertificateAuthority = Region['sshCertificateAuthorityV2Read'];
export type SshCertificateAuthorityCreate = Region['sshCertificateAuthorityV2Create'];
export type FileStorage = Region['storageV2Read'];
export type FileStorageCreate = Region['storageV2Create'];
export type FileStorageUpdate = Region['storageV2Update'];
export type FileStorageClass = Region['storageClassV2Read'];

export type Organization = Identity['organizationRead'];
export type OrganizationWrite = Identity['organizationWrite'];
export type Project = Identity['projectRead'];
export type ProjectWrite = Identity['projectWrite'];
export type Group = Identity['groupRead'];
export type GroupWrite = Identity['groupWrite'];
export type User = Identity['userRead'];
export type UserWrite = Identity['userWrite'];
export type ServiceAccount = Identity['serviceAccountRead'];
export type ServiceAccountWrite = Identity['serviceAccountWrite'];
export type OAuth2Client = Identity['oauth2ClientRead'];
export type OAuth2ClientWrite = Identity['oauth2ClientWrite'];
export type OAuth2Provider = Identity['oauth2ProviderRead'];
export type OAuth2ProviderWrite = Identity['oauth2ProviderWrite'];
export type DomainVerification = Identity['domainVerificationRead'];
export type Role = Identity['roleRead'];
export type Acl = Identity['acl'];
export type Quotas = Identity['quotasRead'];
export type QuotasWrite = Identity['quotasWrite'];
