import { afterAll, beforeAll } from 'vitest';

import { describeProvider } from '../../packages/region/src/provider/conformance/index.ts';
import { openRegion, underTest } from './provider.fixture.ts';

let region: Awaited<ReturnType<typeof openRegion>>;

beforeAll(async () => {
  region = await openRegion();
});

afterAll(async () => {
  await region.close();
});

describeProvider('openstack', {
  open: () => underTest(region),
  cannot: {
    servers: 'this part of the provider is not written yet',
    'load balancers': 'this part of the provider is not written yet',
    images: 'this part of the provider is not written yet',
    'file storages': 'OpenStack regions have no backend for file storage',
  },
});
