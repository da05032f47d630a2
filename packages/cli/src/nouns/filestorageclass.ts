import type { FileStorageClass } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const filestorageclass: Noun<FileStorageClass> = {
  name: 'filestorageclass',
  plural: 'filestorageclasses',
  aliases: ['fsc'],
  description: 'a sort of file storage that a region offers',
  service: 'region',
  path: '/api/v2/filestorageclasses',
  idParameter: 'fileStorageClassID',
  verbs: [],
  scope: ['region'],
  columns: [
    { header: 'REGION', value: ({ spec }) => spec.regionId, noun: 'region' },
    { header: 'PROTOCOLS', value: ({ spec }) => spec.protocols },
    { header: 'PARALLELISM', value: ({ spec }) => spec.parallelism, wide: true },
  ],
  fields: [],
  examples: { name: 'files-north', list: 'list --region north' },
};
