import type { Runnable } from '@unikorn/core/controller';

import { InstanceMonitor, type MonitorConfiguration, type MonitorContext } from './monitor.ts';

/** The monitors of compute. They look for instances with problems. */
export function computeMonitors(context: MonitorContext, configuration: MonitorConfiguration): readonly Runnable[] {
  return [new InstanceMonitor(context, configuration)];
}
