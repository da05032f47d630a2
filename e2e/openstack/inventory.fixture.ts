import { identityName } from '../../packages/region/src/providers/openstack/identities.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { removeProject } from './sweep.fixture.ts';

/** Everything that a project has in the cloud, as an administrator sees it: one line for each thing. */
export async function inventoryOf(call: Caller, projectId: string): Promise<readonly string[]> {
  const owned = async (service: string, path: string, kind: string): Promise<readonly Json[]> =>
    (await call(service, 'GET', `${path}?project_id=${projectId}`))[kind];
  const balancing = (path: string, kind: string) => owned('load-balancer', `/v2/lbaas/${path}`, kind);
  const [networks, subnets, routers, ports, groups, addresses, servers, images, balancers, listeners, pools, monitors] =
    await Promise.all([
      owned('network', '/v2.0/networks', 'networks'),
      owned('network', '/v2.0/subnets', 'subnets'),
      owned('network', '/v2.0/routers', 'routers'),
      owned('network', '/v2.0/ports', 'ports'),
      owned('network', '/v2.0/security-groups', 'security_groups'),
      owned('network', '/v2.0/floatingips', 'floatingips'),
      call('compute', 'GET', `/servers?all_tenants=1&project_id=${projectId}`).then((body) => body.servers),
      call('image', 'GET', `/v2/images?owner=${projectId}&visibility=all`).then((body) => body.images),
      balancing('loadbalancers', 'loadbalancers'),
      balancing('listeners', 'listeners'),
      balancing('pools', 'pools'),
      balancing('healthmonitors', 'healthmonitors'),
    ]);
  const named = (kind: string, things: readonly Json[]) => things.map(({ name }) => `${kind} ${name}`);
  return [
    ...named('network', networks),
    ...named('subnet', subnets),
    ...named('router', routers),
    ...ports.flatMap(portLine),
    ...groups.filter(({ name }) => name !== 'default').map(groupLine),
    ...addresses.map(({ port_id: id }) => `public address of ${holderOf(ports.find((port) => port.id === id))}`),
    ...named('server', servers),
    ...named('image', images),
    ...named('load balancer', balancers),
    ...named('listener', listeners),
    ...(await Promise.all(pools.map((pool) => poolLine(call, pool)))),
    ...named('monitor', monitors),
  ].toSorted();
}

/** The ports that DHCP and load balancers have for themselves are left out: they come and go with their owner. */
function portLine({ name, device_owner: owner }: Json): readonly string[] {
  if (owner === 'network:router_interface') return ['port of a router'];
  return owner.startsWith('network:') || isOfBalancer(`${owner} ${name}`) ? [] : [`port ${name}`];
}

function holderOf(port: Json): string {
  if (port === undefined) return 'nothing';
  return isOfBalancer(port.name) ? 'a load balancer' : port.name;
}

/** The drivers of Octavia name the port of a load balancer in their own ways. */
function isOfBalancer(words: string): boolean {
  return /octavia|ovn-lb-/i.test(words);
}

function groupLine({ name, security_group_rules: rules }: Json): string {
  const shown = rules.map((rule: Json) =>
    [rule.direction, rule.ethertype, rule.protocol ?? 'any', rule.port_range_min ?? '*'].join(' '),
  );
  return `security group ${name}: ${shown.toSorted().join(', ')}`;
}

async function poolLine(call: Caller, { id, name }: Json): Promise<string> {
  const { members } = await call('load-balancer', 'GET', `/v2/lbaas/pools/${id}/members`);
  return `pool ${name}: ${members
    .map(({ address }: Json) => address)
    .toSorted()
    .join(', ')}`;
}

/** What there is of an identity. Things that outlive their project or user are found by name. */
export async function inventoryOfIdentity(call: Caller, id: string): Promise<readonly string[]> {
  const name = identityName(id);
  const projects: readonly Json[] = (await call('identity', 'GET', `/projects?name=${name}`)).projects;
  const users: readonly Json[] = (await call('identity', 'GET', `/users?name=${name}`)).users;
  const lines: string[] = [];
  for (const { id: projectId, tags } of projects) {
    lines.push(`project ${tags.toSorted().join(' ')}`);
    const query = `scope.project.id=${projectId}&include_names=true`;
    const { role_assignments: granted } = await call('identity', 'GET', `/role_assignments?${query}`);
    for (const { role, user } of granted)
      lines.push(`role ${role.name} of ${user.name === name ? 'its user' : user.name}`);
  }
  for (const { id: userId } of users) {
    lines.push('user');
    const headers = { 'openstack-api-version': 'compute 2.90' };
    for (const { keypair } of (await call('compute', 'GET', `/os-keypairs?user_id=${userId}`, { headers })).keypairs)
      lines.push(`key ${keypair.name}`);
  }
  const groups = (await serverGroups(call, name)).map(() => 'server group');
  return [...lines, ...groups].toSorted();
}

async function serverGroups(call: Caller, name: string): Promise<readonly Json[]> {
  const { server_groups: groups } = await call('compute', 'GET', '/os-server-groups?all_projects=true');
  return groups.filter((group: Json) => group.name === name);
}

/** Removes everything of an identity, whatever state a test left it in. */
export async function removeIdentity(call: Caller, id: string): Promise<void> {
  const name = identityName(id);
  for (const { id: projectId } of (await call('identity', 'GET', `/projects?name=${name}`)).projects)
    await removeProject(call, projectId);
  for (const { id: userId } of (await call('identity', 'GET', `/users?name=${name}`)).users)
    await call('identity', 'DELETE', `/users/${userId}`, { tolerate: [404] });
  for (const { id: groupId } of await serverGroups(call, name))
    await call('compute', 'DELETE', `/os-server-groups/${groupId}`, { tolerate: [404] });
}
