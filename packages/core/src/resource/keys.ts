/** Labels: what objects are found by. */
export const labels = {
  name: 'unikorn-cloud.org/name',
  organization: 'unikorn-cloud.org/organization',
  project: 'unikorn-cloud.org/project',
  principalOrganization: 'principal.unikorn-cloud.org/organization',
  principalProject: 'principal.unikorn-cloud.org/project',
  kind: 'unikorn-cloud.org/kind',
  user: 'unikorn-cloud.org/user',
  resourceKind: 'unikorn-cloud.org/resource-kind',
  resourceId: 'unikorn-cloud.org/resource-id',
  region: 'regions.unikorn-cloud.org/region-id',
  identity: 'regions.unikorn-cloud.org/identity-id',
  network: 'regions.unikorn-cloud.org/network-id',
  securityGroup: 'regions.unikorn-cloud.org/security-group-id',
  server: 'regions.unikorn-cloud.org/server-id',
  sshCertificateAuthority: 'regions.unikorn-cloud.org/ssh-certificate-authority-id',
  apiVersion: 'resource.unikorn-cloud.org/api-version',
} as const;

/** Annotations: what is carried along and never searched. */
export const annotations = {
  description: 'unikorn-cloud.org/description',
  creator: 'unikorn-cloud.org/creator',
  principalCreator: 'principal.unikorn-cloud.org/creator',
  modifier: 'unikorn-cloud.org/modifier',
  principalModifier: 'principal.unikorn-cloud.org/modifier',
  modifiedTimestamp: 'unikorn-cloud.org/modifiedTimestamp',
  identityId: 'unikorn-cloud.org/identity-id',
  allocationId: 'unikorn-cloud.org/allocation-id',
  configHash: 'unikorn-cloud.org/config-hash',
  /** Says which run of a saga wrote the object last, so that only that run takes it back. */
  sagaId: 'unikorn-cloud.org/saga-id',
  /** Who deletes the object, and why. Until it is deleted, nobody may begin to use it. */
  deletion: 'unikorn-cloud.org/deletion',
  /** Carries a request's trace to the controller that realises it. */
  traceparent: 'unikorn-cloud.org/traceparent',
} as const;

export const finalizers = {
  /** Held by the framework until an object's effects are undone. */
  framework: 'unikorn',
  /** Held by the store until an object's dependents are gone. */
  foreground: 'foregroundDeletion',
} as const;
