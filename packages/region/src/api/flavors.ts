import { Type } from 'typebox';

import { WireStaticMetadata } from '@unikorn/core/resource';

import { Architecture, GpuVendor } from './images.ts';

const GpuSpec = Type.Object(
  {
    vendor: GpuVendor,
    model: Type.String(),
    memory: Type.Integer({ description: 'GiB of each logical GPU' }),
    physicalCount: Type.Integer(),
    logicalCount: Type.Integer(),
  },
  { $id: 'gpuSpec' },
);

const FlavorSpec = Type.Object(
  {
    architecture: Architecture,
    cpus: Type.Integer(),
    cpuFamily: Type.Optional(Type.String()),
    memory: Type.Integer({ description: 'GiB, rounded down' }),
    memoryMiB: Type.Optional(Type.Integer({ description: 'given if the memory is not a whole number of GiB' })),
    disk: Type.Integer({ description: 'GB' }),
    gpu: Type.Optional(GpuSpec),
    baremetal: Type.Optional(Type.Boolean()),
    pinnedOnly: Type.Optional(Type.Boolean({ description: 'only for servers that name their host' })),
  },
  { $id: 'flavorSpec' },
);

const FlavorRead = Type.Object({ metadata: WireStaticMetadata, spec: FlavorSpec }, { $id: 'flavor' });

export const Flavors = Type.Array(FlavorRead, { $id: 'flavors' });
