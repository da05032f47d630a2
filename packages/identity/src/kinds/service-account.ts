import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/** The first 31 bytes of the digest in hex, which is the maximum of a label value. A presented token is found by it. */
export const tokenDigestLabel = 'identity.unikorn-cloud.org/token-digest';

/** An account for a program in one organization. Only a digest of its token is stored. */
export const ServiceAccount = defineKind({
  ...groupVersion,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    /** SHA-256 of the token in hex. */
    tokenDigest: Type.String(),
    expiry: Type.String({ format: 'date-time' }),
  }),
  status: {},
  indexedLabels: [tokenDigestLabel, labels.organization],
});

export type ServiceAccount = Resource<typeof ServiceAccount>;
