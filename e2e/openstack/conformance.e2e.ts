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
  sharesIdentities: true,
  cannot: { 'file storages': 'OpenStack regions have no backend for file storage' },
});
