import { expect, it } from 'vitest';

import { seen, startServers } from './servers.fixture.ts';

it('a server that is switched on or off is followed until it is done, however rarely the monitor runs', async () => {
  const region = await startServers({ configuration: { monitorPeriod_ms: 3600_000 }, knobs: { power_ms: 30_000 } });
  const { id } = seen(await region.create()).metadata;
  await region.until(id, 'provisioned');
  const phase = async () => (await region.read(id)).status['powerState'];
  await region.servers('POST', `/${id}/stop`);
  await region.world.advance(20_000);
  expect(await phase()).toBe('Stopping');
  await region.eventually(phase, (shown) => shown === 'Stopped', 15_000);
  await region.servers('POST', `/${id}/start`);
  expect((await region.read(id)).metadata.provisioningStatus).toBe('provisioned');
  await region.eventually(phase, (shown) => shown === 'Running', 35_000);
  await region.stop();
});
