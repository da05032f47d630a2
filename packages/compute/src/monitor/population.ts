import { labels, provisioningStatus } from '@unikorn/core/resource';
import type { Telemetry } from '@unikorn/core/telemetry';

import { ComputeInstance } from '../kinds/index.ts';
import { monitorMetrics } from './metrics.ts';

/** The power state once an instance is provisioned; before that, and while it is deleted, how far it is. */
function stateOf(instance: ComputeInstance): string {
  const provisioning = provisioningStatus(instance, ComputeInstance.realisation);
  return provisioning === 'provisioned' ? (instance.status?.powerState ?? 'unknown').toLowerCase() : provisioning;
}

/** Counts instances by region and state, for metrics. */
export function measurePopulation(
  { registry }: Pick<Telemetry, 'registry'>,
  instances: Iterable<ComputeInstance>,
): void {
  const { instances: gauge } = monitorMetrics(registry);
  // States and regions without instances must not stay at their last value.
  gauge.reset();
  for (const instance of instances)
    gauge.inc({ region_id: instance.metadata.labels?.[labels.region] ?? '', state: stateOf(instance) });
}
