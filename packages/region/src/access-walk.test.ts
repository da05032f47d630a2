import { accessConfiguration } from '@unikorn/identity/testing';
import { describeAccess, WriteGuard } from '@unikorn/identity/testing/access';

import { regionTenants, startRegion } from './testing/index.ts';

describeAccess('region', {
  table: 'access-table.txt',
  async start() {
    const guard = new WriteGuard();
    const running = await startRegion({ identityConfiguration: accessConfiguration, around: guard.around });
    const tenants = await regionTenants(running);
    await running.world.settle();
    return {
      ...tenants,
      server: running.server,
      services: [running.region.service],
      guard,
      stop: () => running.stop(),
    };
  },
});
