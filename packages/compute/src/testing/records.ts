import { ComputeInstance } from '../kinds/index.ts';

/**
 * Instances as they were stored before anything was demanded of their labels, and as a backup from then brings them
 * back.
 */
export const LegacyInstance: typeof ComputeInstance = { ...ComputeInstance, requiredLabels: [] };
