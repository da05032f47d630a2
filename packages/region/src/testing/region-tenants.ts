import { absentId, accessTenants } from '@unikorn/identity/testing';
import type { AccessStage, Situation } from '@unikorn/identity/testing/access';

import { labels } from '@unikorn/core/resource';

import { FileStorageClass } from '../kinds/index.ts';
import { furnishRegion, regionBody, type Estate } from './estate.ts';
import type { RunningRegion } from './start-region.ts';

/** The part of the test environment that it needs. */
export type RegionStage = Pick<
  RunningRegion,
  'store' | 'world' | 'server' | 'identity' | 'regionId' | 'openRegion' | 'call' | 'eventually' | 'operatorToken'
>;

/** Two organizations with one resource of every type in region, and one user for every role in one of them. */
export async function regionTenants(
  running: RegionStage,
): Promise<Pick<AccessStage, 'callers' | 'tenants' | 'secrets' | 'variable' | 'body'>> {
  const { store, world, identity, openRegion, regionId } = running;
  const tenants = await accessTenants({ store, world, client: identity.client('unikorn-region') });
  const [rivalName = ''] = tenants.secrets;
  const {
    'own project': own = {},
    'sibling project': sibling = {},
    'other organization': other = {},
  } = tenants.estates;
  for (const { organizationID = '' } of [own, other])
    await allowNetworks(running, organizationID, tenants.callers['platform-administrator'] ?? {});
  const rivalRegion = await openRegion({ security: { organizations: [{ id: other['organizationID'] ?? '' }] } });
  const estates: Readonly<Record<string, Estate>> = {
    'own project': await furnish(running, own, regionId, 'walked'),
    'sibling project': await furnish(running, sibling, regionId, 'walked'),
    'other organization': await furnish(running, other, rivalRegion, rivalName),
  };
  const value = (name: string, situation: Situation) =>
    name === 'reference' || situation.startsWith('absent')
      ? tenants.variable(name, situation)
      : (estates[situation]?.[name] ?? tenants.variable(name, situation));
  return {
    ...tenants,
    variable: value,
    body: (operationId, situation) =>
      regionBody(operationId, (name) => (situation.startsWith('absent') ? absentId : value(name, situation))),
  };
}

/** A higher quota than the default, so that a test does not reach a limit. */
async function allowNetworks(
  { server }: RegionStage,
  organizationId: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { statusCode, body } = await server.inject({
    method: 'PUT',
    url: `/identity/api/v1/organizations/${organizationId}/quotas`,
    headers,
    payload: { quotas: [{ kind: 'networks', quantity: 100 }] },
  });
  if (statusCode !== 200) throw new Error(`the quota could not be raised: ${statusCode} ${body}`);
}

/** The resources of one project, with storage classes of its own organization. */
function furnish(running: RegionStage, tenancy: Estate, regionID: string, name: string): Promise<Estate> {
  const { store, world } = running;
  return furnishRegion(running, { ...tenancy, regionID }, name, async () => {
    const id = world.uuid();
    const owned = {
      [labels.name]: name,
      [labels.region]: regionID,
      [labels.organization]: tenancy['organizationID'] ?? '',
    };
    await store.create(FileStorageClass, {
      metadata: { name: id, labels: owned },
      spec: { provisioner: 'simulated', protocols: ['nfsv4'] },
    });
    return id;
  });
}
