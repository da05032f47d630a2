import type { FlavorRead, ImageRead, RegionRead } from '@unikorn/region/client';

/** A cluster has no machines to give away. */
export function isForInstances({ spec }: RegionRead): boolean {
  return spec.type !== 'kubernetes';
}

/** An instance cannot name the host it runs on, which some flavors demand. */
export function isOffered({ spec }: FlavorRead): boolean {
  return spec.pinnedOnly !== true;
}

/**
 * Images with software of their own are made for other services; whoever knows one by its id may use it all the same.
 */
export function isOnOffer({ spec, status }: ImageRead): boolean {
  return status.state === 'ready' && Object.keys(spec.softwareVersions ?? {}).length === 0;
}
