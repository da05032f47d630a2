import { timestamp } from '@unikorn/core/world';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { ProviderFailure, WantedFileStorage, type Ensured, type ObservedFileStorage } from '../../provider/index.ts';
import type { Cloud } from './cloud.ts';
import type { Knobs } from './knobs.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';

const StorageBody = Type.Object({ wanted: WantedFileStorage, providerId: Type.String(), createdAt: Type.Integer(), busyUntil: Type.Integer() });
type StorageBody = Static<typeof StorageBody>;

const storageBody = Compile(StorageBody);

const gib = 2 ** 30;
/** People fill what they have at this pace, and stop well before it is full. */
const filled_gib_per_hour = 1;
const fullest = 0.8;

export class FileStorageSort implements Sort<WantedFileStorage, StorageBody, ObservedFileStorage> {
  readonly records: Records<StorageBody>;
  readonly delete_ms = (knobs: Knobs) => knobs.fileStorage_ms;
  readonly #cloud: Cloud;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.records = new Records({ ...cloud, sort: 'file storage', parse: (body) => storageBody.Parse(body) });
  }

  make({ now, knobs }: Site, wanted: WantedFileStorage): Promise<StorageBody> {
    return Promise.resolve(storageBody.Parse({ wanted, providerId: this.#cloud.world.uuid(), createdAt: now, busyUntil: now + knobs.fileStorage_ms }));
  }

  converge({ now }: Site, body: StorageBody, wanted: WantedFileStorage): Promise<(current: StorageBody) => StorageBody> {
    if (wanted.size_gib * gib < used_bytes(body, now)) throw new ProviderFailure('invalid', 'the file storage holds more than its new size');
    return Promise.resolve((current) => storageBody.Parse({ ...current, wanted }));
  }

  observe({ body, goneAt }: Stored<StorageBody>): Ensured<ObservedFileStorage> {
    const now = this.#cloud.world.now();
    const { wanted, providerId } = body;
    const observed = {
      providerId,
      size_gib: wanted.size_gib,
      used_bytes: used_bytes(body, now),
      usedAt: timestamp(now),
      mountPath: `/exports/${wanted.id}`,
      attachedNetworkIds: wanted.attachments.map(({ networkId }) => networkId),
    };
    if (goneAt !== undefined) return { state: 'pending', reason: 'the file storage is being deleted', observed };
    return now < body.busyUntil ? { state: 'pending', reason: 'the file storage is being made', observed } : { state: 'present', observed };
  }
}

function used_bytes({ wanted, createdAt }: StorageBody, now: number): number {
  const hours = (now - createdAt) / 3600_000;
  return Math.floor(Math.min(hours * filled_gib_per_hour, wanted.size_gib * fullest) * gib);
}
