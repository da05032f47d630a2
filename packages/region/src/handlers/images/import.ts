import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { Tag } from '@unikorn/core/resource';

import type { ImageCreate } from '../../api/images.ts';
import { limits } from '../../limits.ts';
import type { ImageDescription } from '../../provider/index.ts';
import { type Head } from './probe.ts';

/** Tags that record the source and the organization of an image. */
export function imageTags(source: 'import' | 'snapshot', organizationId: string): readonly Tag[] {
  return [
    { name: 'images.unikorn-cloud.org:source', value: source },
    { name: 'images.unikorn-cloud.org:organization-id', value: organizationId },
  ];
}

/** The description of an imported image for the provider. */
export function importedImage(
  id: string,
  organizationId: string,
  tags: readonly Tag[],
  { metadata, spec }: DeepReadonly<Static<typeof ImageCreate>>,
): ImageDescription {
  const { architecture, virtualization, os, softwareVersions = {}, gpu } = spec;
  const ours = imageTags('import', organizationId);
  return {
    id,
    name: metadata.name,
    ...defined({ description: metadata.description }),
    organizationId,
    tags: [...tags.filter(({ name }) => !ours.some((own) => own.name === name)), ...ours],
    architecture,
    virtualization,
    os,
    softwareVersions,
    ...(gpu ? { gpu: { vendor: gpu.vendor, driver: gpu.driver, models: gpu.models ?? [] } } : {}),
  };
}

/**
 * Refuses a URL that is not a disk image, or that must not be fetched. A URL that cannot be reached from here is left
 * to the provider, which may be in another network: the state of the image then shows the result.
 */
export function checkHead(head: Head): void {
  switch (head.type) {
    case 'unreachable':
      return;
    case 'internal':
      throw refusal('must resolve to a public address');
    case 'answered':
      if (head.status < 200 || head.status >= 300)
        throw refusal(`answered with status ${head.status}: the image must be available without a login`);
      if (!isBootable(head.bytes))
        throw refusal('is not a raw disk image: its first sector must end with the boot signature 0x55 0xAA');
  }
}

function refusal(rule: string): Problem {
  return new Problem('unprocessable_content', `spec.uri: ${rule}`);
}

function isBootable(bytes: Uint8Array): boolean {
  return (
    bytes.length >= limits.imageHeadBytes &&
    bytes[limits.imageHeadBytes - 2] === 0x55 &&
    bytes[limits.imageHeadBytes - 1] === 0xaa
  );
}
