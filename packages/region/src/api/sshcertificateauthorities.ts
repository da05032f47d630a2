import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { BodyId } from './common.ts';

const PublicKey = Type.String({
  maxLength: fieldLimits.publicKey,
  description: 'one OpenSSH public key of type ed25519, rsa or ecdsa, without options',
});

const SshCertificateAuthoritySpec = Type.Object({ publicKey: PublicKey }, { $id: 'sshCertificateAuthorityV2Spec' });
const SshCertificateAuthorityCreateSpec = Type.Object(
  { publicKey: PublicKey, organizationId: BodyId, projectId: BodyId },
  { $id: 'sshCertificateAuthorityV2CreateSpec' },
);

export const SshCertificateAuthorityCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: SshCertificateAuthorityCreateSpec },
  { $id: 'sshCertificateAuthorityV2Create' },
);
export const SshCertificateAuthorityRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: SshCertificateAuthoritySpec },
  { $id: 'sshCertificateAuthorityV2Read' },
);
export const SshCertificateAuthoritiesRead = Type.Array(SshCertificateAuthorityRead, {
  $id: 'sshCertificateAuthoritiesV2Read',
});
