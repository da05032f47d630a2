/** Labels: objects can be selected by them. */
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

/** Annotations: objects cannot be selected by them. */
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
  /** The saga run that wrote the object last. Only that run may undo the write. */
  sagaId: 'unikorn-cloud.org/saga-id',
  /** Who deletes the object, and why. With this mark, no other object may start to use it. */
  deletion: 'unikorn-cloud.org/deletion',
  /** Carries a request's trace to the controller that reconciles the object. */
  traceparent: 'unikorn-cloud.org/traceparent',
} as const;

export const finalizers = {
  /** Set by the framework until everything that was provisioned for an object is removed. */
  framework: 'unikorn',
  /** Set by the store until an object's dependents are deleted. */
  foreground: 'foregroundDeletion',
} as const;
