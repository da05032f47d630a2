import { roleIdOf } from '@unikorn/identity';
import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import type { ServiceName } from '../../packages/unikorn/src/parts/table.ts';
import type { Place } from './load.fixture.ts';
import type { Client, Shown } from './traffic.fixture.ts';

/** An organization with a project, a robot that administers it, and a simulated region. */
export async function settle(client: Client, adminToken: string): Promise<Place> {
  const create = async (service: ServiceName, path: string, body: object): Promise<Shown> => {
    const result = await client.call(service, 'POST', path, { token: adminToken, body });
    if (result.status >= 300) throw new Error(`POST ${path} answered ${result.status} ${JSON.stringify(result.body)}`);
    return result.body as Shown;
  };
  const organization = await create('identity', '/api/v1/organizations', {
    metadata: { name: 'acme' },
    spec: { organizationType: 'adhoc' },
  });
  const organizationId = organization.metadata.id;
  const within = `/api/v1/organizations/${organizationId}`;
  const group = await create('identity', `${within}/groups`, {
    metadata: { name: 'administrators' },
    spec: { serviceAccountIDs: [], roleIDs: [roleIdOf('administrator')] },
  });
  const groupIDs = [group.metadata.id];
  const project = await create('identity', `${within}/projects`, { metadata: { name: 'web' }, spec: { groupIDs } });
  const robot = await create('identity', `${within}/serviceaccounts`, {
    metadata: { name: 'robot' },
    spec: { groupIDs },
  });
  const quotas = ['servers', 'networks'].map((kind) => ({ kind, quantity: 200 }));
  await client.call('identity', 'PUT', `${within}/quotas`, { token: adminToken, body: { quotas } });
  const region = await create('region', '/api/v2/regions', {
    metadata: { name: 'north' },
    spec: { type: 'simulated', simulated: {} },
  });
  const regionId = region.metadata.id;
  await client.call('region', 'PUT', `/api/v2/regions/${regionId}/simulation`, {
    token: adminToken,
    body: { call_ms: 5, build_ms: 1_000, power_ms: 500, delete_ms: 500 },
  });
  const named = <T extends { readonly name: string }>(list: readonly T[], name: string): T => {
    const found = list.find((each) => each.name === name);
    if (!found) throw new Error(`the catalogue has no ${name}`);
    return found;
  };
  return {
    token: robot.status.accessToken,
    organizationId,
    projectId: project.metadata.id,
    regionId,
    flavorId: named(defaultCatalogue.flavors, 'sim-standard-4').id,
    imageId: named(defaultCatalogue.images, 'debian-13-amd64').id,
  };
}
