import type { Flavor } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const flavor: Noun<Flavor> = {
  name: 'flavor',
  plural: 'flavors',
  description: 'the size of an instance: processors, memory, disk, GPUs',
  service: 'region',
  path: '/api/v2/regions/{regionID}/flavors',
  idParameter: 'flavorID',
  verbs: [],
  isShort: true,
  scope: ['region'],
  columns: [
    { header: 'CPUS', value: ({ spec }) => spec.cpus },
    { header: 'MEMORY', value: ({ spec }) => memoryText(spec) },
    { header: 'DISK', value: ({ spec }) => `${spec.disk} GB` },
    {
      header: 'GPU',
      value: ({ spec }) => (spec.gpu ? `${spec.gpu.physicalCount} × ${spec.gpu.vendor} ${spec.gpu.model}` : undefined),
    },
    { header: 'ARCHITECTURE', value: ({ spec }) => spec.architecture },
    { header: 'CPU-FAMILY', value: ({ spec }) => spec.cpuFamily, wide: true },
    { header: 'BAREMETAL', value: ({ spec }) => spec.baremetal ?? false, wide: true },
  ],
  fields: [],
  examples: { name: 'sim-standard-4', list: 'list --region south' },
};

/** The API counts memory in GiB. It gives MiB, too, if that is not exact. */
function memoryText({ memory, memoryMiB }: Flavor['spec']): string {
  return memoryMiB === undefined ? `${memory} GiB` : `${memoryMiB} MiB`;
}
