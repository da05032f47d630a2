import type { AdmissionRule } from '@unikorn/core/kinds';

export const serverRules: readonly AdmissionRule[] = [
  {
    rule: '!has(self.spec.sshInjection) || (self.spec.sshInjection == "ca") == has(self.spec.sshCertificateAuthorityID)',
    message: 'a certificate authority must be set for the SSH injection ca, and only for it',
  },
  {
    // The platform cannot install the key of the principal on such a host.
    rule: '!has(self.spec.infrastructureRef) || has(self.spec.sshCertificateAuthorityID) || (has(self.spec.sshInjection) && self.spec.sshInjection == "none")',
    message: 'a server pinned to a host must use the SSH injection ca or none',
  },
  {
    rule: '!has(self.spec.securityGroups) || self.spec.securityGroups.all(one, self.spec.securityGroups.exists_one(other, other.id == one.id))',
    message: 'a security group can be named only once',
  },
  {
    rule: '!has(self.spec.volumes) || self.spec.volumes.all(one, self.spec.volumes.exists_one(other, other.id == one.id))',
    message: 'a volume can be named only once',
  },
  {
    rule: '!has(oldSelf.status) || !has(oldSelf.status.provisionedAt) || (has(self.status) && has(self.status.provisionedAt) && self.status.provisionedAt == oldSelf.status.provisionedAt)',
    message: 'provisionedAt must not change once it is set',
  },
];
