import { isDeepStrictEqual } from 'node:util';

import { timestamp } from '@unikorn/core/world';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { ProviderFailure, WantedFileStorage, type Ensured, type ObservedFileStorage } from '../../provider/index.ts';
import type { Cloud } from './cloud.ts';
import type { Knobs } from './knobs.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';
import { snapshotsOf } from './snapshots.ts';

const StorageBody = Type.Object({
  wanted: WantedFileStorage,
  providerId: Type.String(),
  createdAt: Type.Integer(),
  busyUntil: Type.Integer(),
  /** When each plan became active, by the name of the plan. */
  plannedSince: Type.Record(Type.String(), Type.Integer()),
});
type StorageBody = Static<typeof StorageBody>;

const storageBody = Compile(StorageBody);

const gib = 2 ** 30;
/** Simulated usage grows at this rate, and stops well before the storage is full. */
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

  async make(site: Site, wanted: WantedFileStorage): Promise<StorageBody> {
    await this.#takeRoom(site, wanted);
    const { now, knobs } = site;
    return storageBody.Parse({
      wanted,
      providerId: this.#cloud.world.uuid(),
      createdAt: now,
      busyUntil: now + knobs.fileStorage_ms,
      plannedSince: plannedSince(wanted, now),
    });
  }

  async converge(
    site: Site,
    body: StorageBody,
    wanted: WantedFileStorage,
  ): Promise<(current: StorageBody) => StorageBody> {
    const { now } = site;
    if (wanted.size_gib * gib < used_bytes(body, now))
      throw new ProviderFailure('invalid', 'the file storage holds more than its new size');
    await this.#takeRoom(site, wanted);
    return (current) => storageBody.Parse({ ...current, wanted, plannedSince: plannedSince(wanted, now, current) });
  }

  observe({ body, goneAt }: Stored<StorageBody>): Ensured<ObservedFileStorage> {
    const now = this.#cloud.world.now();
    const { wanted, providerId, plannedSince } = body;
    const observed = {
      providerId,
      size_gib: wanted.size_gib,
      used_bytes: used_bytes(body, now),
      usedAt: timestamp(now),
      mountPath: `/exports/${wanted.id}`,
      attachedNetworkIds: wanted.attachments.map(({ networkId }) => networkId),
      snapshots: wanted.snapshotPlans.map((plan) => snapshotsOf(plan, plannedSince[plan.name] ?? now, now)),
    };
    if (goneAt !== undefined) return { state: 'pending', reason: 'the file storage is being deleted', observed };
    return now < body.busyUntil
      ? { state: 'pending', reason: 'the file storage is being created', observed }
      : { state: 'present', observed };
  }

  /** Reserved capacity is kept until the storage is deleted. */
  async #takeRoom({ holdings, knobs }: Site, { size_gib }: WantedFileStorage): Promise<void> {
    if (!(await holdings.hold(`${this.#cloud.region}/file storage`, size_gib, knobs.fileStorage_gib)))
      throw new ProviderFailure('capacity', `the cloud has no capacity for file storage of ${size_gib} GiB`);
  }
}

/** A changed plan starts again. */
function plannedSince({ snapshotPlans }: WantedFileStorage, now: number, before?: StorageBody): Record<string, number> {
  const isKnown = (plan: WantedFileStorage['snapshotPlans'][number]) =>
    before?.wanted.snapshotPlans.some((other) => isDeepStrictEqual(other, plan)) ?? false;
  return Object.fromEntries(
    snapshotPlans.map((plan) => [plan.name, isKnown(plan) ? (before?.plannedSince[plan.name] ?? now) : now]),
  );
}

function used_bytes({ wanted, createdAt }: StorageBody, now: number): number {
  const hours = (now - createdAt) / 3600_000;
  return Math.floor(Math.min(hours * filled_gib_per_hour, wanted.size_gib * fullest) * gib);
}
