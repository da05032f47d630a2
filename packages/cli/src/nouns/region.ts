import type { RegionRead } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const region: Noun<RegionRead> = {
  name: 'region',
  plural: 'regions',
  description: 'where things are: a cloud of its own',
  service: 'region',
  path: '/api/v2/regions',
  idParameter: 'regionID',
  verbs: ['get', 'watch'],
  scope: [],
  columns: [{ header: 'TYPE', value: ({ spec }) => spec.type }],
  fields: [],
  examples: { name: 'north' },
};
