import { Type } from 'typebox';

import { IdFilter, SearchFilter } from '@unikorn/core/http';
import { fieldLimits } from '@unikorn/core/limits';
import { WireStaticMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

/** A word or two. Longer text is refused. */
const Words = { minLength: 1, maxLength: fieldLimits.words } as const;

export const GpuVendor = oneOf(['NVIDIA', 'AMD'], 'gpuVendor');
export const Architecture = oneOf(['x86_64', 'aarch64'], 'architecture');
export const ImageState = oneOf(['pending', 'creating', 'ready', 'failed'], 'imageState');

const Semver = Type.String({
  pattern: '^v\\d+\\.\\d+\\.\\d+$',
  maxLength: fieldLimits.words,
  description: 'a version such as v1.31.0',
  $id: 'semver',
});
/** In the form of the contract. TypeBox would express it as a pattern for names. */
const SoftwareVersions = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Semver,
  maxProperties: fieldLimits.softwareVersions,
  propertyNames: { maxLength: fieldLimits.words },
  $id: 'softwareVersions',
});
const GpuModels = Type.Array(Type.String({ ...Words, $id: 'gpuModel' }), {
  maxItems: fieldLimits.gpuModels,
  $id: 'gpuModelList',
});
const ImageGpu = Type.Object(
  { vendor: GpuVendor, driver: Type.String(Words), models: Type.Optional(GpuModels) },
  { $id: 'imageGpu' },
);

const ImageOS = Type.Object(
  {
    kernel: oneOf(['linux'], 'osKernel'),
    family: Type.String({ ...Words, $id: 'osFamily' }),
    distro: Type.String({ ...Words, $id: 'osDistro' }),
    version: Type.String(Words),
    variant: Type.Optional(Type.String(Words)),
    codename: Type.Optional(Type.String(Words)),
  },
  { $id: 'imageOS' },
);

/** The fields of an image that requests and responses have in common. */
const description = {
  architecture: Architecture,
  virtualization: oneOf(['virtualized', 'baremetal', 'any'], 'imageVirtualization'),
  os: ImageOS,
  softwareVersions: Type.Optional(SoftwareVersions),
  gpu: Type.Optional(ImageGpu),
};

const ImageSpec = Type.Object(
  { ...description, sizeGiB: Type.Integer({ description: 'minimum disk size of a server, in GiB' }) },
  { $id: 'imageSpec' },
);
const ImageStatus = Type.Object({ state: ImageState }, { $id: 'imageStatus' });

export const ImageRead = Type.Object(
  { metadata: WireStaticMetadata, spec: ImageSpec, status: ImageStatus },
  { $id: 'image' },
);
export const Images = Type.Array(ImageRead, { $id: 'images' });

const ImageCreateSpec = Type.Object(
  {
    ...description,
    uri: Type.String({
      format: 'uri',
      maxLength: fieldLimits.url,
      description: 'http or https URL of the raw disk image',
    }),
  },
  { $id: 'imageCreateSpec' },
);

export const ImageCreate = Type.Object({ metadata: WireWriteMetadata, spec: ImageCreateSpec }, { $id: 'imageCreate' });

export const ImageQuery = Type.Object({
  organizationID: IdFilter,
  scope: Type.Optional(oneOf(['owned', 'available'], 'imageScope')),
  status: Type.Optional(Type.Array(ImageState, { maxItems: fieldLimits.filterValues })),
  search: SearchFilter,
});
