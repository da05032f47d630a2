import type { Runnable } from '@unikorn/core/controller';

import { ServerMonitor, type MonitorConfiguration, type MonitorContext } from './servers.ts';

export type { MonitorConfiguration, MonitorContext } from './servers.ts';

/** The monitors of region: they check the real state of the clouds. */
export function regionMonitors(context: MonitorContext, configuration: MonitorConfiguration): readonly Runnable[] {
  return [new ServerMonitor(context, configuration)];
}
