import type { Runnable } from '@unikorn/core/controller';

import { InstanceMonitor, type MonitorConfiguration, type MonitorContext } from './monitor.ts';

/** What keeps looking for instances that are not as they should be. */
export function computeMonitors(context: MonitorContext, configuration: MonitorConfiguration): readonly Runnable[] {
  return [new InstanceMonitor(context, configuration)];
}
