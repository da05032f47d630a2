import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemWorld } from '@unikorn/core/world';
import { inject } from 'vitest';

import { administrator, type Access } from './cloud/access.ts';
import { logIn, type Caller } from './cloud/caller.ts';
import { removeProject } from './sweep.fixture.ts';

/** How to reach the cloud under test. */
export const access = JSON.parse(readFileSync(join(inject('cloudFolder'), 'cloud.json'), 'utf8')) as Access;

/** The cloud with the eyes of its administrator, by plain calls without the provider's code. */
export function asAdministrator(): Promise<Caller> {
  return logIn(access, administrator);
}

/** A project of the domain of the region, made by plain calls, in which the region's user is the manager. */
export async function makeProject(): Promise<{ readonly projectId: string; readonly removeAll: () => Promise<void> }> {
  const call = await asAdministrator();
  const { user, domain } = access.regionUser;
  const [{ id: domainId }] = (await call('identity', 'GET', `/domains?name=${domain}`)).domains;
  const [{ id: userId }] = (await call('identity', 'GET', `/users?name=${user}&domain_id=${domainId}`)).users;
  const [{ id: roleId }] = (await call('identity', 'GET', '/roles?name=manager')).roles;
  const body = { project: { name: `test-${systemWorld.uuid()}`, domain_id: domainId } };
  const { id: projectId } = (await call('identity', 'POST', '/projects', { body })).project;
  await call('identity', 'PUT', `/projects/${projectId}/users/${userId}/roles/${roleId}`);
  return {
    projectId,
    removeAll: () => removeProject(call, projectId),
  };
}
