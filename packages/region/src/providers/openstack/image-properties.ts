import { verify } from 'node:crypto';

import { defined } from '@unikorn/core/defined';
import { Compile } from 'typebox/compile';

import { ImageDescription, type Image } from '../../provider/index.ts';
import { glance } from './client/index.ts';

const gib = 2 ** 30;

/** The names of the properties by which Glance keeps what we know about an image. The original has the same. */
const names = {
  description: 'unikorn:description',
  organization: 'unikorn:organization:id',
  identity: 'unikorn:identity_id',
  digest: 'unikorn:digest',
  virtualization: 'unikorn:virtualization',
  kernel: 'unikorn:os:kernel',
  family: 'unikorn:os:family',
  distro: 'unikorn:os:distro',
  version: 'unikorn:os:version',
  variant: 'unikorn:os:variant',
  codename: 'unikorn:os:codename',
  gpuVendor: 'unikorn:gpu_vendor',
  gpuModels: 'unikorn:gpu_models',
  gpuDriver: 'unikorn:gpu_driver_version',
  architecture: 'architecture',
  formerKubernetes: 'unikorn:kubernetes_version',
  request: 'unikorn:image_id',
} as const;

const [packagePrefix, tagPrefix] = ['unikorn:package:', 'unikorn:tag:'];

export const organizationProperty = names.organization;
export const identityProperty = names.identity;
/** The id in the request, if the cloud chose another id for the image. */
export const requestProperty = names.request;

/** Software whose versions clients parse. */
const strictPackages = new Set(['kubernetes', 'slurmd']);
const strictVersion = /^v\d+\.\d+\.\d+$/;

const description = Compile(ImageDescription);

/** What an image is, or undefined where its properties do not describe it. Such an image is not offered. */
export function imageOf(image: glance.GlanceImage): Image | undefined {
  const organizationId = glance.propertyOf(image, names.organization);
  const described = {
    id: image.id,
    name: image.name ?? '',
    tags: Object.entries(glance.propertiesBelow(image, tagPrefix)).map(([name, value]) => ({
      name: fromGlance(name),
      value: fromGlance(value),
    })),
    architecture: glance.propertyOf(image, names.architecture) ?? 'x86_64',
    virtualization: glance.propertyOf(image, names.virtualization),
    os: {
      kernel: glance.propertyOf(image, names.kernel),
      family: glance.propertyOf(image, names.family),
      distro: glance.propertyOf(image, names.distro),
      version: glance.propertyOf(image, names.version),
      ...defined({
        variant: glance.propertyOf(image, names.variant),
        codename: glance.propertyOf(image, names.codename),
      }),
    },
    softwareVersions: softwareOf(image),
    ...defined({ description: descriptionOf(image), organizationId, gpu: gpuOf(image) }),
  };
  if (!description.Check(described) || !hasStrictVersions(described.softwareVersions)) return undefined;
  const identityId = glance.propertyOf(image, names.identity);
  return {
    ...described,
    size_gib: sizeOf(image),
    state: stateOf(image.status),
    createdAt: image.created_at,
    ...defined({ identityId }),
  };
}

/** An image without a description can have an empty one, see `propertiesOf`. */
function descriptionOf(image: glance.GlanceImage): string | undefined {
  const text = glance.propertyOf(image, names.description);
  return text ? fromGlance(text) : undefined;
}

/** Older images have the version of Kubernetes in a property of its own. */
function softwareOf(image: glance.GlanceImage): Readonly<Record<string, string>> {
  const kubernetes = glance.propertyOf(image, names.formerKubernetes);
  return { ...defined({ kubernetes }), ...glance.propertiesBelow(image, packagePrefix) };
}

function hasStrictVersions(versions: Readonly<Record<string, string>>): boolean {
  return Object.entries(versions).every(([name, version]) => !strictPackages.has(name) || strictVersion.test(version));
}

/** An incomplete description of the GPU makes the whole image invalid. */
function gpuOf(image: glance.GlanceImage): unknown {
  const vendor = glance.propertyOf(image, names.gpuVendor);
  if (vendor === undefined) return undefined;
  const models = glance.propertyOf(image, names.gpuModels);
  return {
    vendor,
    driver: glance.propertyOf(image, names.gpuDriver),
    models: models?.split(',').map((model) => model.trim()),
  };
}

/** The disk that a server needs at least. */
function sizeOf({ min_disk: least_gb, virtual_size: virtual_bytes }: glance.GlanceImage): number {
  return least_gb > 0 ? least_gb : Math.ceil((virtual_bytes ?? 0) / gib);
}

function stateOf(status: string): Image['state'] {
  switch (status) {
    case 'queued':
      return 'pending';
    case 'saving':
    case 'importing':
    case 'uploading':
      return 'creating';
    case 'active':
      return 'ready';
    default:
      return 'failed';
  }
}

/** Glance refuses characters of four bytes in properties. They are percent-encoded, and so is the percent sign. */
function forGlance(text: string): string {
  return text.toWellFormed().replaceAll(/[%\u{10000}-\u{10FFFF}]/gu, encodeURIComponent);
}

/** Reads exactly what `forGlance` writes, so that a percent sign in the text of an operator stays what it is. */
function fromGlance(text: string): string {
  return text.replaceAll(/%25|%F[0-4](?:%[89AB][0-9A-F]){3}/g, decodedOrSame);
}

function decodedOrSame(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * The properties that describe an image, for Glance. The description is always one of them: Nova copies the properties
 * of the image of a server to a snapshot, and would otherwise give the snapshot the description of that image.
 */
export function propertiesOf(image: Omit<ImageDescription, 'id' | 'name'>): Readonly<Record<string, string>> {
  const { organizationId, architecture, virtualization, os, gpu } = image;
  return {
    [names.architecture]: architecture,
    [names.virtualization]: virtualization,
    [names.kernel]: os.kernel,
    [names.family]: os.family,
    [names.distro]: os.distro,
    [names.version]: os.version,
    [names.description]: forGlance(image.description ?? ''),
    ...defined({
      [names.organization]: organizationId,
      [names.variant]: os.variant,
      [names.codename]: os.codename,
      [names.gpuVendor]: gpu?.vendor,
      [names.gpuModels]: gpu?.models.join(','),
      [names.gpuDriver]: gpu?.driver,
    }),
    ...Object.fromEntries(Object.entries(image.softwareVersions).map(([name, at]) => [packagePrefix + name, at])),
    ...Object.fromEntries(image.tags.map(({ name, value }) => [tagPrefix + forGlance(name), forGlance(value)])),
  };
}

/** The virtual hardware that our images are made for. */
export function hardwareFor({
  architecture,
}: Pick<ImageDescription, 'architecture'>): Readonly<Record<string, string>> {
  return {
    hw_disk_bus: 'scsi',
    hw_scsi_model: 'virtio-scsi',
    hw_firmware_type: 'uefi',
    hw_machine_type: architecture === 'x86_64' ? 'q35' : 'virt',
  };
}

/**
 * Whether an image may be offered in a region that has a signing key. Images of an organization were made through this
 * platform and have no signature. The signature of others is over their id, so it cannot be copied to another image.
 */
export function isTrusted(image: glance.GlanceImage, signingKey: string | undefined): boolean {
  if (signingKey === undefined || glance.propertyOf(image, names.organization) !== undefined) return true;
  const digest = glance.propertyOf(image, names.digest);
  if (digest === undefined) return false;
  try {
    return verify('sha256', Buffer.from(image.id), signingKey, Buffer.from(digest, 'base64'));
  } catch {
    return false;
  }
}
