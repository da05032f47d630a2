import type { FileStorage } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const filestorage: Noun<FileStorage> = {
  name: 'filestorage',
  plural: 'filestorages',
  aliases: ['fs'],
  description: 'a file system that instances of several networks can share',
  service: 'region',
  path: '/api/v2/filestorage',
  idParameter: 'filestorageID',
  verbs: ['get', 'watch', 'explain', 'create', 'update', 'delete'],
  scope: ['organization', 'project', 'region'],
  history: true,
  columns: [
    { header: 'SIZE', value: ({ spec }) => `${spec.sizeGiB} GiB` },
    { header: 'CLASS', value: ({ status }) => status.storageClassId, noun: 'filestorageclass' },
    { header: 'REGION', value: ({ status }) => status.regionId, noun: 'region' },
    { header: 'NETWORKS', value: ({ spec }) => spec.attachments?.networkIds, noun: 'network', wide: true },
    {
      header: 'MOUNT',
      value: ({ status }) =>
        status.attachments?.flatMap(({ mountSource }) => (mountSource === undefined ? [] : [mountSource])),
      wide: true,
    },
    {
      header: 'SNAPSHOTS',
      value: ({ spec }) =>
        spec.snapshotPolicies?.map(
          ({ name, schedule, retention }) => `${name} (${schedule.interval}, keeps ${retention.keep})`,
        ),
      wide: true,
    },
  ],
  fields: [
    {
      flag: 'size',
      path: 'spec.sizeGiB',
      type: 'gibibytes',
      required: true,
      description: 'size, such as 100GiB or 2TiB; a number alone is in GiB',
    },
    {
      flag: 'class',
      path: 'spec.storageClassId',
      type: 'text',
      noun: 'filestorageclass',
      on: 'create',
      required: true,
      description: 'storage class; unikorn filestorageclass list shows them',
    },
    {
      flag: 'network',
      path: 'spec.attachments.networkIds',
      type: 'list',
      noun: 'network',
      description: 'network that can mount it',
    },
    {
      flag: 'root-squash',
      path: 'spec.storageType.NFS.rootSquash',
      type: 'switch',
      fallback: true,
      description: 'map the root user of an instance to the user nobody',
    },
    {
      flag: 'snapshot-policies',
      path: 'spec.snapshotPolicies',
      type: 'json',
      description:
        'such as [{"name":"nightly","schedule":{"interval":"daily","timeOfDay":"03:00Z"},"retention":{"keep":7}}]',
    },
    {
      flag: 'default-snapshot-protection',
      path: 'spec.defaultSnapshotProtectionEnabled',
      type: 'switch',
      description: 'take the snapshots that the platform recommends',
    },
  ],
  loss: 'all data on it',
  examples: {
    create: 'create shared --size 100GiB --class files-north --network web',
    update: 'update shared --size 200GiB',
  },
};
