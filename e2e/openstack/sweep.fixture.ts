import { systemWorld } from '@unikorn/core/world';

import type { Caller, Json } from './cloud/caller.ts';

/** Removes a project and everything in it, whatever state tests left it in. */
export async function removeProject(call: Caller, projectId: string): Promise<void> {
  await removeLoadBalancers(call, projectId);
  await removeServers(call, projectId);
  await removeNetworks(call, projectId);
  for (const { id } of (await call('image', 'GET', `/v2/images?owner=${projectId}`)).images)
    await call('image', 'DELETE', `/v2/images/${id}`, { tolerate: [404] });
  const { role_assignments: assignments } = await call(
    'identity',
    'GET',
    `/role_assignments?scope.project.id=${projectId}`,
  );
  const { name } = (await call('identity', 'GET', `/projects/${projectId}`)).project;
  for (const { user } of assignments) {
    const found = (await call('identity', 'GET', `/users/${user.id}`, { tolerate: [404] })).user;
    // The user of an identity has the name of its project. The region's user stays.
    if (found?.name === name) await call('identity', 'DELETE', `/users/${user.id}`, { tolerate: [404] });
  }
  await call('identity', 'DELETE', `/projects/${projectId}`);
}

async function removeLoadBalancers(call: Caller, projectId: string): Promise<void> {
  const path = '/v2/lbaas/loadbalancers';
  await untilNone(
    async () => (await call('load-balancer', 'GET', `${path}?project_id=${projectId}`)).loadbalancers,
    ({ id }) => call('load-balancer', 'DELETE', `${path}/${id}?cascade=true`, { tolerate: [404, 409] }),
  );
}

async function removeServers(call: Caller, projectId: string): Promise<void> {
  await untilNone(
    async () => (await call('compute', 'GET', `/servers?all_tenants=1&project_id=${projectId}`)).servers,
    ({ id }) => call('compute', 'DELETE', `/servers/${id}`, { tolerate: [404, 409] }),
  );
}

async function untilNone(list: () => Promise<readonly Json[]>, remove: (one: Json) => Promise<unknown>): Promise<void> {
  for (let found = await list(); found.length > 0; found = await list()) {
    for (const one of found) await remove(one);
    await systemWorld.sleep(1000);
  }
}

async function removeNetworks(call: Caller, projectId: string): Promise<void> {
  const list = async (kind: string): Promise<readonly Json[]> =>
    (await call('network', 'GET', `/v2.0/${kind.replaceAll('_', '-')}?project_id=${projectId}`))[kind];
  for (const { id } of await list('floatingips')) await call('network', 'DELETE', `/v2.0/floatingips/${id}`);
  for (const { id } of await list('routers')) {
    for (const port of (await call('network', 'GET', `/v2.0/ports?device_id=${id}`)).ports)
      if (port.device_owner === 'network:router_interface')
        await call('network', 'PUT', `/v2.0/routers/${id}/remove_router_interface`, { body: { port_id: port.id } });
    await call('network', 'DELETE', `/v2.0/routers/${id}`);
  }
  for (const { id, device_owner: owner } of await list('ports'))
    if (!owner.startsWith('network:')) await call('network', 'DELETE', `/v2.0/ports/${id}`);
  for (const { id } of await list('networks')) await call('network', 'DELETE', `/v2.0/networks/${id}`);
  for (const { id } of await list('security_groups'))
    await call('network', 'DELETE', `/v2.0/security-groups/${id}`, { tolerate: [404, 409] });
}

/** Removes a domain with all its projects and users. Nothing happens where there is none of this name. */
export async function removeDomain(call: Caller, name: string): Promise<void> {
  for (const { id } of (await call('identity', 'GET', `/domains?name=${name}`)).domains) {
    for (const project of (await call('identity', 'GET', `/projects?domain_id=${id}`)).projects)
      await removeProject(call, project.id);
    await call('identity', 'PATCH', `/domains/${id}`, { body: { domain: { enabled: false } } });
    await call('identity', 'DELETE', `/domains/${id}`);
  }
}
