import { roleIdOf } from '@unikorn/identity';

import type { Api, Named } from './api.ts';
import type { Credentials } from './credentials.ts';
import { seedRegions } from './demo-regions.ts';

type DemoCredentials = Required<
  Pick<
    Credentials,
    | 'token'
    | 'organizationId'
    | 'projectId'
    | 'secondaryProjectId'
    | 'regionId'
    | 'secondaryRegionId'
    | 'networkId'
    | 'flavorId'
    | 'imageId'
  >
>;

/**
 * Creates the demo data through the API, as users would: an organization with two projects and users with different
 * roles, two simulated regions, and resources in them. If the first start is interrupted, the next one completes it.
 */
export async function seedDemo(api: Api): Promise<DemoCredentials> {
  const { metadata: organization } = await api.ensure('/identity/api/v1/organizations', {
    metadata: { name: 'demo' },
    spec: { organizationType: 'adhoc' },
  });
  const at = `/identity/api/v1/organizations/${organization.id}`;
  const group = (name: string, roles: readonly string[]) =>
    api.ensure(`${at}/groups`, { metadata: { name }, spec: { serviceAccountIDs: [], roleIDs: roles.map(roleIdOf) } });
  const [administrators, developers, readers] = [
    await group('administrators', ['administrator']),
    await group('developers', ['user']),
    await group('readers', ['reader']),
  ];
  const project = (name: string, groups: readonly Named[]) =>
    api.ensure(`${at}/projects`, { metadata: { name }, spec: { groupIDs: groups.map(({ metadata }) => metadata.id) } });
  const [website, research] = [
    await project('website', [developers, readers]),
    await project('research', [developers]),
  ];
  for (const [name, in_] of [
    ['alice', administrators],
    ['bob', developers],
    ['carol', readers],
  ] as const) {
    await api.post(`${at}/users`, {
      metadata: { name },
      spec: { subject: `${name}@example.com`, state: 'active', groupIDs: [in_.metadata.id] },
    });
  }
  const token = await demoToken(api, at, administrators.metadata.id);
  const projects = {
    organizationId: organization.id,
    projectId: website.metadata.id,
    secondaryProjectId: research.metadata.id,
  };
  return { token, ...projects, ...(await seedRegions(api, api.as(token), projects)) };
}

interface WithToken {
  readonly status: { readonly accessToken: string };
}

async function demoToken(api: Api, at: string, groupId: string): Promise<string> {
  const accounts = await api.list(`${at}/serviceaccounts`);
  const account = accounts.find(({ metadata }) => metadata.name === 'demo');
  const made = account
    ? await api.post<WithToken>(`${at}/serviceaccounts/${account.metadata.id}/rotate`)
    : await api.post<WithToken>(`${at}/serviceaccounts`, { metadata: { name: 'demo' }, spec: { groupIDs: [groupId] } });
  return made.status.accessToken;
}
