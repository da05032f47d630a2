import type { DeletedInstance } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

/** Deleted instances. They are not a noun: `instance list --deleted` shows them. */
export const deletedInstance: Noun<DeletedInstance> = {
  name: 'deleted instance',
  plural: 'deleted instances',
  description: 'a deleted instance',
  service: 'compute',
  path: '/api/v2/deletedinstances',
  idParameter: 'instanceID',
  verbs: [],
  scope: ['organization', 'project', 'region'],
  columns: [
    { header: 'ID', value: ({ metadata }) => metadata.id },
    { header: 'DELETED', value: ({ metadata }) => metadata.deletionTime },
    { header: 'FLAVOR', value: ({ spec }) => spec.flavorId, noun: 'flavor' },
    { header: 'IMAGE', value: ({ spec }) => spec.imageId, noun: 'image' },
    { header: 'NETWORK', value: ({ status }) => status.networkId, noun: 'network' },
    { header: 'REGION', value: ({ status }) => status.regionId, noun: 'region', wide: true },
  ],
  fields: [],
};
