import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/** The first 31 bytes of the digest in hex: as many as a label value holds, and what a presented token is found by. */
export const tokenDigestLabel = 'identity.unikorn-cloud.org/token-digest';

/** A program that acts in one organization. Only a digest of its token is kept. */
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
