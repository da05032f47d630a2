import type { Image } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const image: Noun<Image> = {
  name: 'image',
  plural: 'images',
  description: 'the source of the disk of an instance',
  service: 'region',
  path: '/api/v2/regions/{regionID}/images',
  writePath: '/api/v1/organizations/{organizationID}/regions/{regionID}/images',
  idParameter: 'imageID',
  verbs: ['explain', 'create', 'delete'],
  history: true,
  scope: ['organization', 'region'],
  owner: [],
  columns: [
    { header: 'OS', value: ({ spec }) => `${spec.os.distro} ${spec.os.version}` },
    { header: 'ARCHITECTURE', value: ({ spec }) => spec.architecture },
    { header: 'SIZE', value: ({ spec }) => `${spec.sizeGiB} GiB` },
    { header: 'GPU', value: ({ spec }) => spec.gpu?.models ?? spec.gpu?.vendor, wide: true },
    { header: 'VIRTUALIZATION', value: ({ spec }) => spec.virtualization, wide: true },
    {
      header: 'SOFTWARE',
      value: ({ spec }) => Object.entries(spec.softwareVersions ?? {}).map(([name, version]) => `${name} ${version}`),
      wide: true,
    },
  ],
  status: ({ status }) => status.state,
  fields: [
    {
      flag: 'from',
      path: 'spec.uri',
      type: 'text',
      required: true,
      description: 'address that the region downloads it from',
    },
    {
      flag: 'architecture',
      path: 'spec.architecture',
      type: 'text',
      choices: ['x86_64', 'aarch64'],
      fallback: 'x86_64',
      description: 'processor architecture; x86_64 by default',
    },
    {
      flag: 'virtualization',
      path: 'spec.virtualization',
      type: 'text',
      choices: ['virtualized', 'baremetal', 'any'],
      fallback: 'virtualized',
      description: 'type of machine; virtualized by default',
    },
    {
      flag: 'os-kernel',
      path: 'spec.os.kernel',
      type: 'text',
      choices: ['linux'],
      fallback: 'linux',
      description: 'kernel; linux by default',
    },
    {
      flag: 'os-family',
      path: 'spec.os.family',
      type: 'text',
      required: true,
      description: 'family of the operating system, such as debian or redhat',
    },
    {
      flag: 'os-distro',
      path: 'spec.os.distro',
      type: 'text',
      required: true,
      description: 'distribution, such as ubuntu',
    },
    {
      flag: 'os-version',
      path: 'spec.os.version',
      type: 'text',
      required: true,
      description: 'version of the distribution, such as 24.04',
    },
    {
      flag: 'os-variant',
      path: 'spec.os.variant',
      type: 'text',
      description: 'variant of the distribution, such as server',
    },
    {
      flag: 'os-codename',
      path: 'spec.os.codename',
      type: 'text',
      description: 'code name of the version, such as noble',
    },
    {
      flag: 'gpu',
      path: 'spec.gpu',
      type: 'json',
      description: 'GPUs it has drivers for, such as {"vendor":"NVIDIA","driver":"550.54.15","models":["L4"]}',
    },
    {
      flag: 'software',
      path: 'spec.softwareVersions',
      type: 'json',
      description: 'software in it, such as {"kubernetes":"v1.31.0"}',
    },
  ],
  examples: {
    create:
      'create noble --from https://example.com/noble.raw --os-family debian --os-distro ubuntu --os-version 24.04',
    list: 'list --region north -o wide',
  },
};
