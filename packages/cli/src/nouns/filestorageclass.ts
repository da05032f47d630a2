import type { FileStorageClass } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const filestorageclass: Noun<FileStorageClass> = {
  name: 'filestorageclass',
  plural: 'filestorageclasses',
  aliases: ['fsc'],
  description: 'a type of file storage that a region offers',
  service: 'region',
  path: '/api/v2/filestorageclasses',
  idParameter: 'fileStorageClassID',
  verbs: ['create', 'delete'],
  isShort: true,
  scope: ['region'],
  columns: [
    { header: 'REGION', value: ({ spec }) => spec.regionId, noun: 'region' },
    { header: 'PROTOCOLS', value: ({ spec }) => spec.protocols },
    { header: 'PARALLELISM', value: ({ spec }) => spec.parallelism, wide: true },
  ],
  fields: [
    {
      flag: 'provisioner',
      path: 'spec.provisioner',
      type: 'text',
      required: true,
      description: 'system that provides it in the region',
    },
    {
      flag: 'protocol',
      path: 'spec.protocols',
      type: 'list',
      required: true,
      choices: ['nfsv3', 'nfsv4'],
      description: 'protocol for mounting it',
    },
    { flag: 'parallelism', path: 'spec.parallelism', type: 'integer', description: 'number of connections of a mount' },
  ],
  examples: {
    name: 'files-north',
    list: 'list --region north',
    create: 'create fast --region north --provisioner simulated --protocol nfsv3',
  },
};
