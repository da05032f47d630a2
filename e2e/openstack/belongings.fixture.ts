import type { Caller, Json } from './cloud/caller.ts';

/** The projects in the cloud that belong to an organization of the platform. */
export async function projectsOf(cloud: Caller, organizationId: string): Promise<readonly string[]> {
  const { projects } = await cloud('identity', 'GET', `/projects?tags=organization=${organizationId}`);
  return projects.map(({ id }: Json) => id);
}

/** The name of everything that a project has in the cloud, by its kind, as an administrator sees it. */
export async function belongingsOf(
  cloud: Caller,
  projectId: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const list = async (service: string, path: string, field: string): Promise<readonly Json[]> =>
    (await cloud(service, 'GET', `${path}project_id=${projectId}`))[field];
  const { images } = await cloud('image', 'GET', `/v2/images?owner=${projectId}`);
  const kinds = {
    servers: await list('compute', '/servers?all_tenants=1&', 'servers'),
    loadBalancers: await list('load-balancer', '/v2/lbaas/loadbalancers?', 'loadbalancers'),
    floatingIPs: await list('network', '/v2.0/floatingips?', 'floatingips'),
    routers: await list('network', '/v2.0/routers?', 'routers'),
    ports: await list('network', '/v2.0/ports?', 'ports'),
    subnets: await list('network', '/v2.0/subnets?', 'subnets'),
    networks: await list('network', '/v2.0/networks?', 'networks'),
    securityGroups: await list('network', '/v2.0/security-groups?', 'security_groups'),
    images: images as readonly Json[],
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, things]) => [kind, things.map(nameOf).filter((name) => name !== 'default')]),
  );
}

/** Addresses have no name. The group `default` is made by Neutron, which keeps it after the end of its project. */
function nameOf({ name, floating_ip_address: address, id }: Json): string {
  return name || address || id;
}
