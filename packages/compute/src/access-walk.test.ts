import { accessConfiguration } from '@unikorn/identity/testing';
import { describeAccess, WriteGuard } from '@unikorn/identity/testing/access';

import { computeTenants, startCompute } from './testing/index.ts';

describeAccess('compute', {
  table: 'access-table.txt',
  async start() {
    const guard = new WriteGuard();
    const running = await startCompute({ identityConfiguration: accessConfiguration, around: guard.around });
    const tenants = await computeTenants(running);
    await running.world.settle();
    return {
      ...tenants,
      server: running.server,
      services: [running.compute.service],
      guard,
      stop: () => running.stop(),
    };
  },
});
