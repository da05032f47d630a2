import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { findCondition, labels, projectScopedReadMetadata, provisioningStatus } from '@unikorn/core/resource';

import type { StorageRead } from '../../api/filestorage.ts';
import { FileStorage } from '../../kinds/index.ts';
import { labelOf } from '../../placement.ts';
import { gib } from '../../units.ts';
import { ownPolicies } from './policies.ts';

type Wire = DeepReadonly<Static<typeof StorageRead>>;
type Status = Wire['status'];

/** File storage in the API: sizes in whole GiB, without the platform's own policy. */
export function presentFileStorage(storage: FileStorage): Wire {
  const { metadata, spec } = storage;
  const { attachments = [], nfs } = spec;
  const policies = ownPolicies(spec.snapshotPolicies);
  return {
    metadata: projectScopedReadMetadata(FileStorage, storage, spec.tags),
    spec: {
      sizeGiB: Math.ceil(spec.size / gib),
      storageType: { NFS: { rootSquash: nfs.rootSquash } },
      attachments: { networkIds: attachments.map(({ networkID }) => networkID) },
      defaultSnapshotProtectionEnabled: spec.defaultSnapshotProtectionEnabled,
      snapshotPolicies: policies,
    },
    status: {
      storageClassId: spec.storageClassID,
      regionId: labelOf(metadata, labels.region),
      ...usage(storage),
      ...(attachments.length > 0
        ? { attachments: attachments.map(({ networkID }) => attachment(storage, networkID)) }
        : {}),
      snapshotPolicies: policies.map(({ name }) => policy(storage, name)),
    },
  };
}

function usage({ status }: FileStorage): Pick<Status, 'usage'> {
  if (status?.size === undefined) return {};
  const { size, usage: used, usageTimestamp } = status;
  return {
    usage: {
      capacityBytes: size,
      ...defined({ usedBytes: used, updatedAt: usageTimestamp }),
    },
  };
}

/** The mount source is shown when it exists; with several addresses, clients distribute their connections. */
function attachment({ status }: FileStorage, networkId: string): NonNullable<Status['attachments']>[number] {
  const observed = status?.attachments?.find(({ networkID }) => networkID === networkId);
  const { ipRange, provisioningStatus: standing = 'pending' } = observed ?? {};
  return {
    networkId,
    provisioningStatus: standing,
    ...(ipRange && status?.mountPath !== undefined ? { mountSource: `${ipRange.startIP}:${status.mountPath}` } : {}),
    ...(ipRange
      ? {
          mountOptions: {
            remoteports: ipRange.startIP === ipRange.endIP ? ipRange.startIP : `${ipRange.startIP}-${ipRange.endIP}`,
          },
        }
      : {}),
  };
}

function policy({ metadata, status }: FileStorage, name: string): Status['snapshotPolicies'][number] {
  const conditions = status?.snapshotPolicies?.find((observed) => observed.name === name)?.conditions;
  const available = findCondition(conditions, 'Available');
  return {
    name,
    provisioningStatus: provisioningStatus(
      { metadata, ...(conditions ? { status: { conditions } } : {}) },
      FileStorage.realisation,
    ),
    ...(available ? { message: available.message } : {}),
  };
}
