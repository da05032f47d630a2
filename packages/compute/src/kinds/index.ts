import { Lease } from '@unikorn/core/controller';
import { IdempotencyRecord } from '@unikorn/core/http';
import { MigrationRecord } from '@unikorn/core/migration';
import { Saga } from '@unikorn/core/saga';

import { GoneInstance, InstanceHistory } from './history.ts';
import { ComputeInstance } from './instance.ts';

export { GoneInstance, historyLabels, InstanceHistory, instanceHistoryStorage } from './history.ts';
export { Cidr, ComputeInstance, placingLabels } from './instance.ts';
export { instanceStatus } from './instance-status.ts';

/** All kinds that the service stores, including those of core that it uses. */
export const computeKinds = [
  ComputeInstance,
  InstanceHistory,
  GoneInstance,
  Saga,
  Lease,
  IdempotencyRecord,
  MigrationRecord,
] as const;
