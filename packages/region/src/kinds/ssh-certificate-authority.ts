import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { common, groupVersion, labelPointer } from './common.ts';

/** A key whose certificates give access to servers. It is complete once it is stored, and never changes. */
export const SSHCertificateAuthority = defineKind({
  ...groupVersion,
  kind: 'SSHCertificateAuthority',
  plural: 'sshcertificateauthorities',
  realisation: 'static',
  spec: Type.Object({ tags: common.tags, publicKey: Type.String({ minLength: 1 }) }),
  status: {},
  indexedLabels: [labels.project, labels.organization],
  immutable: ['/spec', ...[labels.organization, labels.project].map(labelPointer)],
});

export type SSHCertificateAuthority = Resource<typeof SSHCertificateAuthority>;
