import { ComputeInstance } from '../kinds/index.ts';

/** Instances as they were stored before their labels were required, and as an old backup restores them. */
export const LegacyInstance: typeof ComputeInstance = { ...ComputeInstance, requiredLabels: [] };
