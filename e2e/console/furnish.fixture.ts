import { randomUUID } from 'node:crypto';

import { connect, dataOf, type Unikorn as Api } from '@unikorn/sdk';

import type { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';

type Credentials = ReturnType<Unikorn['credentials']>;

/** Work in a simulated region takes this long, so that a test sees a state change, and does not wait for it. */
export const quick = {
  call_ms: 5,
  build_ms: 400,
  power_ms: 200,
  delete_ms: 200,
  image_ms: 400,
  loadBalancer_ms: 200,
  fileStorage_ms: 200,
} as const;

/** Makes the regions of the demo quick. */
export async function hurry(
  base: string,
  { adminToken, regionId = '', secondaryRegionId = '' }: Credentials,
): Promise<void> {
  const { region } = connect({ endpoints: base, token: adminToken });
  for (const regionID of [regionId, secondaryRegionId])
    await region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path: { regionID } }, body: quick });
}

/** An organization of a test file, with the same things as the demo. */
export interface Furnished {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly secondaryProjectId: string;
  readonly networkId: string;
  readonly groupIds: Readonly<Record<'administrators' | 'auditors' | 'developers' | 'readers', string>>;
}

const roles = { administrators: 'administrator', auditors: 'auditor', developers: 'user', readers: 'reader' } as const;

/** A new organization with groups, two projects, a network, a security group, and instances that run. */
export async function furnish(
  api: Api,
  { regionId = '', flavorId = '', imageId = '' }: Credentials,
): Promise<Furnished> {
  const { identity, region } = api;
  const organizationName = `journey-${randomUUID().slice(0, 8)}`;
  const { metadata: organization } = await dataOf(
    identity.POST('/api/v1/organizations', {
      body: { metadata: { name: organizationName }, spec: { organizationType: 'adhoc' } },
    }),
  );
  const path = { organizationID: organization.id };
  await setQuota(api, organization.id, { servers: 30 });
  const known = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/roles', { params: { path } }));
  const group = async (name: keyof typeof roles) => {
    const role = known.find(({ metadata }) => metadata.name === roles[name])?.metadata.id ?? '';
    const { metadata } = await dataOf(
      identity.POST('/api/v1/organizations/{organizationID}/groups', {
        params: { path },
        body: { metadata: { name }, spec: { serviceAccountIDs: [], roleIDs: [role] } },
      }),
    );
    return metadata.id;
  };
  const groupIds = {
    administrators: await group('administrators'),
    auditors: await group('auditors'),
    developers: await group('developers'),
    readers: await group('readers'),
  };
  const project = async (name: string, groupIDs: string[]) => {
    const { metadata } = await dataOf(
      identity.POST('/api/v1/organizations/{organizationID}/projects', {
        params: { path },
        body: { metadata: { name }, spec: { groupIDs } },
      }),
    );
    return metadata.id;
  };
  const projectId = await project('website', [groupIds.developers, groupIds.readers]);
  const secondaryProjectId = await project('research', [groupIds.developers]);
  const place = { organizationId: organization.id, projectId };
  const { metadata: network } = await dataOf(
    region.POST('/api/v2/networks', {
      body: { metadata: { name: 'frontend' }, spec: { ...place, regionId, prefix: '10.0.0.0/24', dnsNameservers: [] } },
    }),
  );
  const rule = (port: number) => ({ direction: 'ingress', protocol: 'tcp', port, prefix: '0.0.0.0/0' }) as const;
  const { metadata: web } = await dataOf(
    region.POST('/api/v2/securitygroups', {
      body: { metadata: { name: 'web' }, spec: { networkId: network.id, rules: [22, 80, 443].map(rule) } },
    }),
  );
  await createInstances(api, ['web-1', 'web-2'], {
    ...place,
    networkId: network.id,
    flavorId,
    imageId,
    networking: { publicIP: true, securityGroups: [web.id] },
  });
  return {
    organizationId: organization.id,
    organizationName,
    projectId,
    secondaryProjectId,
    networkId: network.id,
    groupIds,
  };
}

/** Creates instances with these names. They may still be starting when this returns. */
export async function createInstances(
  { compute }: Api,
  names: readonly string[],
  spec: {
    readonly organizationId: string;
    readonly projectId: string;
    readonly networkId: string;
    readonly flavorId: string;
    readonly imageId: string;
    readonly networking?: { publicIP?: boolean; securityGroups?: string[] };
    readonly deletionProtection?: boolean;
  },
): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      const { metadata } = await dataOf(compute.POST('/api/v2/instances', { body: { metadata: { name }, spec } }));
      return metadata.id;
    }),
  );
}

/** Changes some limits of an organization. */
export async function setQuota(
  { identity }: Api,
  organizationID: string,
  quantities: Readonly<Record<string, number>>,
): Promise<void> {
  const params = { path: { organizationID } };
  const { quotas } = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/quotas', { params }));
  await identity.PUT('/api/v1/organizations/{organizationID}/quotas', {
    params,
    body: { quotas: quotas.map(({ kind, quantity }) => ({ kind, quantity: quantities[kind] ?? quantity })) },
  });
}
