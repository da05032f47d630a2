import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { roleIdOf } from '@unikorn/identity';
import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import { inLanes } from '../workspace.ts';
import { Client, granted } from './client.ts';

const [{ id: flavorId } = { id: '' }] = defaultCatalogue.flavors;
const [{ id: imageId } = { id: '' }] = defaultCatalogue.images;

/** A tenant with a project, a network and a token. */
export interface Tenant {
  readonly token: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly networkId: string;
  readonly flavorId: string;
  readonly imageId: string;
}

/** The token that the demo stores for scripts. */
async function administrator(state: string): Promise<string> {
  const { adminToken } = JSON.parse(await readFile(join(state, 'credentials.json'), 'utf8')) as {
    readonly adminToken: string;
  };
  return adminToken;
}

/** A simulated region without delays, and this many tenants in it, each with its own organization. */
export async function prepareStage(base: string, state: string, names: readonly string[]): Promise<readonly Tenant[]> {
  const operator = new Client(base, await administrator(state));
  try {
    const region = await granted(operator, 'POST', '/region/api/v2/regions', {
      metadata: { name: 'soak' },
      spec: { type: 'simulated' },
    });
    const regionId = region.metadata.id;
    const instantly = {
      call_ms: 0,
      build_ms: 0,
      power_ms: 0,
      delete_ms: 0,
      image_ms: 0,
      loadBalancer_ms: 0,
      fileStorage_ms: 0,
      serversPerIdentity: 1_000_000,
      places: { [flavorId]: 1_000_000 },
    };
    await granted(operator, 'PUT', `/region/api/v2/regions/${regionId}/simulation`, instantly);
    const tenants: Tenant[] = [];
    for (const name of names) tenants.push(await settle(operator, name, regionId));
    return tenants;
  } finally {
    operator.close();
  }
}

async function settle(operator: Client, name: string, regionId: string): Promise<Tenant> {
  const make = async (path: string, body: object) => granted(operator, 'POST', path, body);
  const organizationId = (
    await make('/identity/api/v1/organizations', { metadata: { name }, spec: { organizationType: 'adhoc' } })
  ).metadata.id;
  const at = `/identity/api/v1/organizations/${organizationId}`;
  const group = (
    await make(`${at}/groups`, {
      metadata: { name: 'users' },
      spec: { serviceAccountIDs: [], roleIDs: [roleIdOf('user'), roleIdOf('administrator')] },
    })
  ).metadata.id;
  const projectId = (await make(`${at}/projects`, { metadata: { name: 'project' }, spec: { groupIDs: [group] } }))
    .metadata.id;
  const quotas = ['networks', 'servers'].map((kind) => ({ kind, quantity: 1_000_000 }));
  await granted(operator, 'PUT', `${at}/quotas`, { quotas });
  const { status } = await make(`${at}/serviceaccounts`, { metadata: { name: 'robot' }, spec: { groupIDs: [group] } });
  const scope = { organizationId, projectId };
  const network = await make('/region/api/v2/networks', {
    metadata: { name: 'network' },
    spec: { ...scope, regionId, prefix: '10.0.0.0/8', dnsNameservers: [] },
  });
  return { token: status?.accessToken ?? '', ...scope, networkId: network.metadata.id, flavorId, imageId };
}

/** Creates instances for the callers that list everything. */
export async function fillTenant(base: string, tenant: Tenant, count: number): Promise<void> {
  const client = new Client(base, tenant.token);
  const { organizationId, projectId, networkId } = tenant;
  await inLanes(16, count, (number) =>
    granted(client, 'POST', '/compute/api/v2/instances', {
      metadata: { name: `kept-${number}` },
      spec: { organizationId, projectId, networkId, flavorId, imageId },
    }),
  );
  client.close();
}
