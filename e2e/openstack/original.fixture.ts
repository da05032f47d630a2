import { generateKeyPairSync } from 'node:crypto';

import { systemWorld } from '@unikorn/core/world';

import { access, asAdministrator } from './cloud.fixture.ts';
import { logIn, type Caller, type Json } from './cloud/caller.ts';
import { send } from './cloud/http.ts';

const world = systemWorld;

/** The version of Nova that the original asks for. */
const nova = { headers: { 'x-openstack-nova-api-version': '2.90' } };

/** The names that the original gives to what it makes, and the secrets that it keeps in its record. */
export interface OriginalIdentity {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** The fields of its `OpenstackIdentity`. */
  readonly record: {
    readonly projectID: string;
    readonly userID: string;
    readonly password: string;
    readonly serverGroupID: string;
    readonly sshKeyName: string;
    readonly sshPrivateKey: string;
    readonly applicationCredentialID: string;
    readonly applicationCredentialSecret: string;
    readonly cloud: string;
    readonly cloudConfig: string;
  };
  /** The user of the identity. */
  readonly asUser: Caller;
  /** The user of the region, in the project of the identity. */
  readonly asManager: Caller;
}

/** Project, user, application credential, server group and key, made by plain calls as the original makes them. */
export async function makeIdentity(): Promise<OriginalIdentity> {
  const call = await asAdministrator();
  const { user: regionUser, domain } = access.regionUser;
  const ids = { id: world.uuid(), organizationId: world.uuid(), projectId: world.uuid() };
  const name = `unikorn-identity-${ids.id}`;
  const [{ id: domainId }] = (await call('identity', 'GET', `/domains?name=${domain}`)).domains;
  const [{ id: managerId }] = (await call('identity', 'GET', `/users?name=${regionUser}&domain_id=${domainId}`)).users;
  const tags = [`organization=${ids.organizationId}`, `project=${ids.projectId}`];
  const project = (
    await call('identity', 'POST', '/projects', { body: { project: { name, domain_id: domainId, tags } } })
  ).project.id as string;
  const password = world.uuid();
  const user = (
    await call('identity', 'POST', '/users', {
      body: { user: { name, domain_id: domainId, default_project_id: project, password } },
    })
  ).user.id as string;
  const grant = async (userId: string, role: string) => {
    const [{ id }] = (await call('identity', 'GET', `/roles?name=${role}`)).roles;
    await call('identity', 'PUT', `/projects/${project}/users/${userId}/roles/${id}`);
  };
  await grant(managerId, 'manager');
  for (const role of ['member', 'load-balancer_member']) await grant(user, role);
  const asUser = await logIn({ ...access, password }, { user: name, domain, scope: { projectId: project } });
  const credential = (
    await asUser('identity', 'POST', `/users/${user}/application_credentials`, {
      body: { application_credential: { name } },
    })
  ).application_credential;
  const group = (
    await asUser('compute', 'POST', '/os-server-groups', {
      ...nova,
      body: { server_group: { name, policy: 'soft-anti-affinity' } },
    })
  ).server_group;
  const key = makeKey();
  const sshKeyName = 'unikorn-openstack-provider';
  await asUser('compute', 'POST', '/os-keypairs', {
    ...nova,
    body: { keypair: { name: sshKeyName, type: 'ssh', public_key: key.publicKey } },
  });
  return {
    ...ids,
    asUser,
    asManager: await logIn(access, { user: regionUser, domain, scope: { projectId: project } }),
    record: {
      projectID: project,
      userID: user,
      password,
      serverGroupID: group.id,
      sshKeyName,
      sshPrivateKey: key.privateKey,
      applicationCredentialID: credential.id,
      applicationCredentialSecret: credential.secret,
      cloud: 'cloud',
      cloudConfig: 'Y2xvdWRzOiB7fQ==',
    },
  };
}

/** Ed25519; the private half in PEM. */
function makeKey(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const sized = (part: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, part.length]), part]);
  const blob = Buffer.concat([sized(Buffer.from('ssh-ed25519')), sized(raw)]);
  return {
    publicKey: `ssh-ed25519 ${blob.toString('base64')}`,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** A network on a VLAN, with the subnet and the router that the original makes for 10.0.0.0/24. */
export async function makeNetwork({ asManager: call }: OriginalIdentity, id: string, vlanId: number) {
  const name = `network-${id}`;
  const segments = [
    {
      'provider:network_type': 'vlan',
      'provider:physical_network': access.physicalNetwork,
      'provider:segmentation_id': vlanId,
    },
  ];
  const make = async (kind: string, fields: object): Promise<Json> =>
    (await call('network', 'POST', `/v2.0/${kind}s`, { body: { [kind]: fields } }))[kind];
  const { id: networkId } = await make('network', { name, segments });
  const subnet = await make('subnet', {
    name,
    network_id: networkId,
    ip_version: 4,
    cidr: '10.0.0.0/24',
    gateway_ip: '10.0.0.1',
    allocation_pools: [{ start: '10.0.0.128', end: '10.0.0.254' }],
    dns_nameservers: ['1.1.1.1'],
    host_routes: [{ destination: '192.168.0.0/24', nexthop: '10.0.0.130' }],
  });
  const { networks } = await call('network', 'GET', '/v2.0/networks?router:external=true');
  const router = await make('router', { name, external_gateway_info: { network_id: networks[0].id } });
  await call('network', 'PUT', `/v2.0/routers/${router.id}/add_router_interface`, { body: { subnet_id: subnet.id } });
  return { networkId: networkId as string, subnetId: subnet.id as string, externalId: networks[0].id as string };
}

/** A group with the default rules of Neutron, and SSH and ping from everywhere. */
export async function makeSecurityGroup({ asManager: call }: OriginalIdentity, id: string): Promise<string> {
  const body = { security_group: { name: `securitygroup-${id}`, description: 'unikorn managed security group' } };
  const group = (await call('network', 'POST', '/v2.0/security-groups', { body })).security_group;
  const ingress = { security_group_id: group.id, direction: 'ingress', ethertype: 'IPv4', description: 'unikorn' };
  for (const rule of [
    { protocol: 'tcp', port_range_min: 22, port_range_max: 22, remote_ip_prefix: '0.0.0.0/0' },
    { protocol: 'icmp', remote_ip_prefix: '10.0.0.0/8' },
  ])
    await call('network', 'POST', '/v2.0/security-group-rules', {
      body: { security_group_rule: { ...ingress, ...rule } },
    });
  return group.id;
}

export interface ServerMaterials {
  readonly id: string;
  readonly name: string;
  readonly regionId: string;
  readonly networkId: string;
  readonly groupId: string;
  readonly externalId: string;
  readonly flavorId: string;
  readonly imageId: string;
}

/** Port, public address and server, with the metadata of the original. Returns when the server runs. */
export async function makeServer(identity: OriginalIdentity, materials: ServerMaterials): Promise<string> {
  const { asUser: call, organizationId, projectId } = identity;
  const { id, name, regionId, networkId, groupId, externalId, flavorId, imageId } = materials;
  const { port } = await call('network', 'POST', '/v2.0/ports', {
    body: { port: { name: `server-${id}`, network_id: networkId, security_groups: [groupId] } },
  });
  await makePublicAddress(call, { portId: port.id, externalId });
  const metadata = {
    serverID: id,
    organizationID: organizationId,
    projectID: projectId,
    regionID: regionId,
    'region:server_id': id,
    'region:region_id': regionId,
    'identity:organization_id': organizationId,
    'identity:project_id': projectId,
  };
  const { server } = await call('compute', 'POST', '/servers', {
    ...nova,
    body: {
      server: {
        name,
        imageRef: imageId,
        flavorRef: flavorId,
        networks: [{ port: port.id, uuid: networkId }],
        metadata,
      },
    },
  });
  while ((await call('compute', 'GET', `/servers/${server.id}`, nova)).server.status !== 'ACTIVE')
    await world.sleep(1_000);
  return server.id;
}

/**
 * A load balancer with its parts and a public address. The original makes a new one with all its parts in one call.
 * Octavia then sometimes leaves the parts pending forever, so this takes the way of a listener that is added later.
 */
export async function makeLoadBalancer(
  { asUser: call }: OriginalIdentity,
  { id, subnetId, externalId }: { readonly id: string; readonly subnetId: string; readonly externalId: string },
): Promise<string> {
  const name = `lb-${id}`;
  const path = (kind: string) => `/v2/lbaas/${kind}s`;
  let balancerId: string | undefined;
  const make = async (kind: string, fields: object, at = path(kind)): Promise<Json> => {
    const made = (await call('load-balancer', 'POST', at, { body: { [kind]: fields } }))[kind];
    const balancer = `${path('loadbalancer')}/${(balancerId ??= made.id)}`;
    while ((await call('load-balancer', 'GET', balancer)).loadbalancer.provisioning_status !== 'ACTIVE')
      await world.sleep(1_000);
    return made;
  };
  const balancer = await make('loadbalancer', { name, vip_subnet_id: subnetId });
  const pool = await make('pool', {
    name: `${name}-web-pool`,
    loadbalancer_id: balancer.id,
    protocol: 'TCP',
    lb_algorithm: 'ROUND_ROBIN',
  });
  await make('listener', {
    name: `${name}-web-listener`,
    loadbalancer_id: balancer.id,
    default_pool_id: pool.id,
    protocol: 'TCP',
    protocol_port: 80,
  });
  await make('member', { address: '10.0.0.200', protocol_port: 8080 }, `${path('pool')}/${pool.id}/members`);
  await make('healthmonitor', {
    name: `${name}-web-monitor`,
    pool_id: pool.id,
    type: 'TCP',
    delay: 10,
    timeout: 5,
    max_retries: 3,
    max_retries_down: 3,
  });
  await makePublicAddress(call, { portId: balancer.vip_port_id, externalId });
  return balancer.id;
}

async function makePublicAddress(
  call: Caller,
  { portId, externalId }: { readonly portId: string; readonly externalId: string },
): Promise<void> {
  const body = { floatingip: { floating_network_id: externalId, port_id: portId } };
  await call('network', 'POST', '/v2.0/floatingips', { body });
}

/** An image with data, public as all images of the original are. */
export async function makeImage(call: Caller, properties: Readonly<Record<string, string>>): Promise<string> {
  const body = {
    name: 'customer-image',
    container_format: 'bare',
    disk_format: 'raw',
    visibility: 'public',
    'unikorn:os:kernel': 'linux',
    'unikorn:os:family': 'debian',
    'unikorn:os:distro': 'ubuntu',
    'unikorn:os:version': '24.04',
    'unikorn:virtualization': 'virtualized',
    'unikorn:package:kubernetes': 'v1.31.0',
    'unikorn:tag:team': 'blue',
    ...properties,
  };
  const { id } = await call('image', 'POST', '/v2/images', { body });
  await call('image', 'PUT', `/v2/images/${id}/file`, { data: new Uint8Array(4096) });
  return id;
}

/** Whether a user can log in with this password. */
export async function canLogIn({ userID, password }: OriginalIdentity['record']): Promise<boolean> {
  const body = { auth: { identity: { methods: ['password'], password: { user: { id: userID, password } } } } };
  return (await send('POST', `${access.authUrl}/auth/tokens`, { body })).status === 201;
}

/** Every thing in a project as `kind id`, with the eyes of an administrator. */
export async function inventoryOf(projectId: string): Promise<readonly string[]> {
  const call = await asAdministrator();
  const found: string[] = [];
  const add = async (service: string, kind: string, path: string) => {
    for (const { id } of (await call(service, 'GET', path))[kind]) found.push(`${kind} ${id}`);
  };
  for (const kind of ['networks', 'subnets', 'routers', 'ports', 'floatingips', 'security_groups'])
    await add('network', kind, `/v2.0/${kind.replaceAll('_', '-')}?project_id=${projectId}&fields=id`);
  await add('network', 'security_group_rules', `/v2.0/security-group-rules?project_id=${projectId}&fields=id`);
  await add('compute', 'servers', `/servers?all_tenants=1&project_id=${projectId}`);
  for (const kind of ['loadbalancers', 'listeners', 'pools', 'healthmonitors'])
    await add('load-balancer', kind, `/v2/lbaas/${kind}?project_id=${projectId}`);
  await add('image', 'images', `/v2/images?owner=${projectId}`);
  return found.toSorted();
}
