import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/** A tenant. All other objects of the tenant have its id as a label, and the organization has this label too. */
export const Organization = defineKind({
  ...groupVersion,
  kind: 'Organization',
  plural: 'organizations',
  changes: 'stored',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    pause: Type.Optional(Type.Boolean()),
    /** The mail domain whose users log in through the organization's provider. */
    domain: Type.Optional(Type.String()),
    /** The domain that the organization has verified. It does not verify another domain that is claimed later. */
    verifiedDomain: Type.Optional(Type.String()),
    providerScope: Type.Optional(Type.Union([Type.Literal('global'), Type.Literal('organization')])),
    providerId: Type.Optional(Type.String()),
    providerOptions: Type.Optional(
      Type.Object({ google: Type.Optional(Type.Object({ customerId: Type.Optional(Type.String()) })) }),
    ),
  }),
  status: {},
  indexedLabels: [labels.organization],
});

export type Organization = Resource<typeof Organization>;
