import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { common, groupVersion, labelPointer } from './common.ts';
import { Region } from './region.ts';

/** The service principal in the cloud that owns one network and everything in it. Users never see it. */
export const Identity = defineKind({
  ...groupVersion,
  kind: 'Identity',
  plural: 'identities',
  spec: Type.Object({ ...common, provider: Region.spec.properties.provider }),
  status: {},
  indexedLabels: [labels.project, labels.organization, labels.region],
  immutable: ['/spec/provider', ...[labels.region, labels.organization, labels.project].map(labelPointer)],
});

export type Identity = Resource<typeof Identity>;

/** Its display name. Users cannot choose it. */
export const identityName = 'networkv2-service-principal';
