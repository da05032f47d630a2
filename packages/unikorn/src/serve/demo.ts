import { roleIdOf } from '@unikorn/identity';

import type { Api, Named } from './api.ts';
import type { Credentials } from './credentials.ts';

type DemoCredentials = Required<Pick<Credentials, 'token' | 'organizationId' | 'projectId' | 'secondaryProjectId' | 'lotId'>>;

/**
 * Creates the demo data through the API, as a user would: an organization with two projects, people of different roles and
 * a car park. A first start that was cut short is completed by the next.
 */
export async function seedDemo(api: Api): Promise<DemoCredentials> {
  const { metadata: organization } = await api.ensure('/identity/api/v1/organizations', { metadata: { name: 'demo' }, spec: { organizationType: 'adhoc' } });
  const at = `/identity/api/v1/organizations/${organization.id}`;
  const group = (name: string, roles: readonly string[]) => api.ensure(`${at}/groups`, { metadata: { name }, spec: { serviceAccountIDs: [], roleIDs: roles.map(roleIdOf) } });
  const [administrators, developers, readers] = [await group('administrators', ['administrator', 'parking']), await group('developers', ['user']), await group('readers', ['reader'])];
  const project = (name: string, groups: readonly Named[]) => api.ensure(`${at}/projects`, { metadata: { name }, spec: { groupIDs: groups.map(({ metadata }) => metadata.id) } });
  const first = await project('website', [developers, readers]);
  const second = await project('research', [developers]);
  for (const [name, in_] of [['alice', administrators], ['bob', developers], ['carol', readers]] as const) {
    await api.post(`${at}/users`, { metadata: { name }, spec: { subject: `${name}@example.com`, state: 'active', groupIDs: [in_.metadata.id] } });
  }
  const token = await demoToken(api, at, administrators.metadata.id);
  return { token, organizationId: organization.id, projectId: first.metadata.id, secondaryProjectId: second.metadata.id, lotId: await seedParking(api.as(token), organization.id) };
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

async function seedParking(api: Api, organizationId: string): Promise<string> {
  const lot = await api.ensure('/parking/api/v1/lots', { metadata: { name: 'north' }, spec: { organizationId, spaces: 3 } });
  const lotId = lot.metadata.id;
  for (const plate of ['UNI-1', 'UNI-2']) await api.ensure('/parking/api/v1/permits', { metadata: { name: plate.toLowerCase() }, spec: { lotId, plate } });
  return lotId;
}
