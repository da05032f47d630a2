import { openstackMonitorFigures } from './openstack-monitor.ts';
import { openstackServerFigures } from './openstack-servers.ts';
import type { Suite } from './report.ts';

/** What a region in OpenStack costs: a pass of the monitor over all servers, and the life of one server. */
export const openstackSuite: Suite = {
  name: 'openstack',
  run: async (progress) => [...(await openstackMonitorFigures(progress)), ...(await openstackServerFigures(progress))],
};
