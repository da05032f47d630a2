import type { FlavorRead, ImageRead, RegionRead } from '@unikorn/region/client';

/** Regions of type kubernetes have no machines for instances. */
export function isForInstances({ spec }: RegionRead): boolean {
  return spec.type !== 'kubernetes';
}

/** An instance cannot name its host, which some flavors require. */
export function isOffered({ spec }: FlavorRead): boolean {
  return spec.pinnedOnly !== true;
}

/** Images with preinstalled software are made for other services and are not listed. They can still be used by id. */
export function isOnOffer({ spec, status }: ImageRead): boolean {
  return status.state === 'ready' && Object.keys(spec.softwareVersions ?? {}).length === 0;
}
