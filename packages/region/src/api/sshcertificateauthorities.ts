import { Type } from 'typebox';

import { WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { BodyId } from './common.ts';

/** The longest RSA key that OpenSSH makes takes 2,800 characters; the rest is for a comment. */
const PublicKey = Type.String({ maxLength: 8_192, description: 'one OpenSSH public key of type ed25519, rsa or ecdsa, without options' });

const SshCertificateAuthoritySpec = Type.Object({ publicKey: PublicKey }, { $id: 'sshCertificateAuthorityV2Spec' });
const SshCertificateAuthorityCreateSpec = Type.Object({ publicKey: PublicKey, organizationId: BodyId, projectId: BodyId }, { $id: 'sshCertificateAuthorityV2CreateSpec' });

export const SshCertificateAuthorityCreate = Type.Object({ metadata: WireWriteMetadata, spec: SshCertificateAuthorityCreateSpec }, { $id: 'sshCertificateAuthorityV2Create' });
export const SshCertificateAuthorityRead = Type.Object({ metadata: WireProjectScopedMetadata, spec: SshCertificateAuthoritySpec }, { $id: 'sshCertificateAuthorityV2Read' });
export const SshCertificateAuthoritiesRead = Type.Array(SshCertificateAuthorityRead, { $id: 'sshCertificateAuthoritiesV2Read' });
