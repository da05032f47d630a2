import { accessConfiguration, accessTenants, startIdentity } from './testing/index.ts';
import { describeAccess, WriteGuard } from './testing/access.ts';

describeAccess('identity', {
  table: 'access-table.txt',
  async start() {
    const guard = new WriteGuard();
    const running = await startIdentity({ configuration: accessConfiguration, around: guard.around });
    const { store, world, server, identity } = running;
    const tenants = await accessTenants({ store, world, client: identity.client('unikorn-region') });
    await world.settle();
    return { ...tenants, server, services: [identity.service], guard, stop: () => running.stop() };
  },
});
