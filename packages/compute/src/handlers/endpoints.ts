/** The names of permissions. */
export const endpoints = {
  regions: 'compute:regions',
  flavors: 'compute:flavors',
  images: 'compute:images',
  instances: 'compute:instances',
  power: 'compute:instances/power',
  console: 'compute:instances/console',
  key: 'compute:instances/sshkey',
  snapshot: 'compute:instances/snapshot',
  /** A snapshot is an image, which belongs to region. */
  snapshotImages: 'region:images',
} as const;
