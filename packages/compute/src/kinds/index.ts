import { GoneInstance, InstanceHistory } from './history.ts';
import { ComputeInstance } from './instance.ts';

export { GoneInstance, historyLabels, InstanceHistory, instanceHistoryStorage } from './history.ts';
export { Cidr, ComputeInstance, placingLabels } from './instance.ts';
export { instanceStatus } from './instance-status.ts';

/** All kinds of compute. */
export const computeKinds = [ComputeInstance, InstanceHistory, GoneInstance] as const;
