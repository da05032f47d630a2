import { expect, it } from 'vitest';

import { startCompute } from './testing/index.ts';

/** The collections of resources that have a history. */
const collections = [
  'identity /api/v1/organizations/{organizationID}/projects',
  'region /api/v2/networks',
  'region /api/v2/securitygroups',
  'region /api/v2/loadbalancers',
  'region /api/v2/filestorage',
  'region /api/v2/sshcertificateauthorities',
  'region /api/v2/servers',
  'region /api/v1/organizations/{organizationID}/regions/{regionID}/images',
  'compute /api/v2/instances',
];

/** Paths below a project that are about other resources, such as allocations. */
const others = ['/allocations'];

it('every route that changes a resource with a history declares what it records, and the history can be read', async () => {
  const running = await startCompute();
  const { identity, region, compute } = running;
  const routes = [identity, region, compute].flatMap(({ service }) =>
    service.routes.map((route) => ({ ...route, at: `${service.name} ${route.path}` })),
  );
  for (const collection of collections) {
    const own = routes.filter(
      ({ at }) => (at === collection || at.startsWith(`${collection}/`)) && !others.some((other) => at.includes(other)),
    );
    const silent = own.filter(({ method, records }) => method !== 'GET' && records === undefined);
    expect(silent.map(({ method, at }) => `${method} ${at}`)).toEqual([]);
    expect(own.filter(({ method, records }) => method === 'POST' && records === 'create')).toHaveLength(1);
    expect(own.filter(({ path }) => path.endsWith('/history'))).toHaveLength(1);
  }
  await running.stop();
});
