const unlimited = -1;

function unlimitedOf(...names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, unlimited]));
}

export const computeQuota = unlimitedOf(
  'instances',
  'cores',
  'ram',
  'key_pairs',
  'metadata_items',
  'server_groups',
  'server_group_members',
);

/** Without trunks: clouds may lack the extension, and then refuse the whole. */
export const networkQuota = unlimitedOf(
  'security_group',
  'security_group_rule',
  'floatingip',
  'network',
  'port',
  'rbac_policy',
  'router',
  'subnet',
  'subnetpool',
);

export const volumeQuota = unlimitedOf(
  'volumes',
  'gigabytes',
  'snapshots',
  'backups',
  'backup_gigabytes',
  'per_volume_gigabytes',
  'groups',
);
