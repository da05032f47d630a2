import { accessTo, administrator, externalNetworkTag, regionUser } from './access.ts';
import { logIn, type Caller, type Json } from './caller.ts';
import { writeIni } from './settings.ts';
import { extras, openstackRegion, password, physicalNetwork, type Site } from './site.ts';

const roles = [
  'admin',
  'member',
  'reader',
  'manager',
  'service',
  'load-balancer_member',
  'load-balancer_observer',
  'load-balancer_admin',
] as const;

/** Makes the accounts of the services, the catalogue, and the domain of a region. */
export async function furnishIdentity(site: Site): Promise<void> {
  const call = await logIn(accessTo(site), administrator);
  const keystone = (path: string, kind: string, body: Json) => ensure(call, 'identity', path, kind, body);

  const roleIds = new Map<string, string>();
  for (const name of roles) roleIds.set(name, (await keystone('/roles', 'role', { name })).id);
  const grant = async (target: string, user: string, ...names: readonly (typeof roles)[number][]) => {
    for (const name of names)
      await call('identity', 'PUT', `/${target}/users/${user}/roles/${roleIds.get(name) ?? ''}`);
  };
  await call('identity', 'PUT', `/roles/${roleIds.get('manager') ?? ''}/implies/${roleIds.get('member') ?? ''}`, {
    tolerate: [409],
  });

  const { id: serviceProject } = await keystone('/projects', 'project', { name: 'service', domain_id: 'default' });
  const catalogue = [
    { name: 'nova', type: 'compute', url: site.url('nova', '/v2.1') },
    { name: 'glance', type: 'image', url: site.url('glance') },
    { name: 'placement', type: 'placement', url: site.url('placement') },
    { name: 'neutron', type: 'network', url: site.url('neutron') },
    { name: 'octavia', type: 'load-balancer', url: site.url('octavia') },
    { name: 'cinder', type: 'block-storage', url: site.url('cinder', '/v3/%(project_id)s') },
    { name: 'ironic', type: 'baremetal', url: site.url('ironic') },
  ].filter(({ name }) => !extras.some((extra) => extra === name && !site.extras.has(extra)));
  for (const { name, type, url } of catalogue) {
    const user = await keystone('/users', 'user', { name, domain_id: 'default', password });
    await grant(`projects/${serviceProject}`, user.id, 'admin', 'service');
    const service = await keystone('/services', 'service', { name, type });
    for (const side of ['public', 'internal', 'admin'])
      await keystone('/endpoints', 'endpoint', {
        service_id: service.id,
        interface: side,
        url,
        region_id: openstackRegion,
      });
  }

  const { users } = await call('identity', 'GET', '/users?name=admin&domain_id=default');
  const { projects } = await call('identity', 'GET', '/projects?name=admin&domain_id=default');
  await grant(`projects/${projects[0].id}`, users[0].id, 'load-balancer_admin', 'member');

  const domain = await keystone('/domains', 'domain', { name: regionUser.domain });
  const project = await keystone('/projects', 'project', { name: regionUser.project, domain_id: domain.id });
  const user = await keystone('/users', 'user', { name: regionUser.user, domain_id: domain.id, password });
  await grant(`domains/${domain.id}`, user.id, 'manager', 'member', 'load-balancer_member');
  await grant(`projects/${project.id}`, user.id, 'manager', 'member', 'load-balancer_member');
}

const flavors = [
  { name: 'm1.tiny', ram: 512, vcpus: 1, disk: 1 },
  { name: 'm1.small', ram: 2048, vcpus: 1, disk: 20 },
  { name: 'm1.medium', ram: 4096, vcpus: 2, disk: 40 },
  { name: 'g.h100.1', ram: 131_072, vcpus: 16, disk: 200 },
];

/** What the catalogue of a region shows, as properties of an image in Glance. */
const shown = {
  architecture: 'x86_64',
  'unikorn:os:kernel': 'linux',
  'unikorn:os:family': 'debian',
  'unikorn:virtualization': 'virtualized',
};

/** Makes flavors, images, the external network, and what load balancers are made of. */
export async function furnishCloud(site: Site): Promise<void> {
  const call = await logIn(accessTo(site), administrator);
  for (const flavor of flavors) await ensureFlavor(call, flavor);
  const [gpuFlavor] = (await call('compute', 'GET', '/flavors')).flavors.filter(
    ({ name }: Json) => name === 'g.h100.1',
  );
  await call('compute', 'POST', `/flavors/${gpuFlavor.id}/os-extra_specs`, {
    body: { extra_specs: { 'pci_passthrough:alias': 'h100:1' } },
  });

  await ensureImage(call, 'debian-12', { ...shown, 'unikorn:os:distro': 'debian', 'unikorn:os:version': '12' });
  await ensureImage(call, 'ubuntu-24.04', { ...shown, 'unikorn:os:distro': 'ubuntu', 'unikorn:os:version': '24.04' });
  await ensureImage(call, 'not-for-unikorn', {});

  const neutron = (path: string, kind: string, body: Json) => ensure(call, 'network', `/v2.0${path}`, kind, body);
  const external = await neutron('/networks', 'network', {
    name: 'public',
    'router:external': true,
    'provider:network_type': 'flat',
    'provider:physical_network': physicalNetwork,
  });
  await call('network', 'PUT', `/v2.0/networks/${external.id}/tags`, { body: { tags: [externalNetworkTag] } });
  await neutron('/subnets', 'subnet', {
    name: 'public',
    network_id: external.id,
    ip_version: 4,
    cidr: '203.0.112.0/22',
    enable_dhcp: false,
    gateway_ip: '203.0.112.1',
    allocation_pools: [{ start: '203.0.112.10', end: '203.0.115.250' }],
  });
  await furnishLoadBalancing(site, call);
}

async function furnishLoadBalancing(site: Site, call: Caller): Promise<void> {
  const neutron = (path: string, kind: string, body: Json) => ensure(call, 'network', `/v2.0${path}`, kind, body);
  const { projects } = await call('identity', 'GET', '/projects?name=service&domain_id=default');
  const owner = { project_id: projects[0].id };
  // Octavia makes a security group and a machine for each load balancer, all in this project. The usual limit is ten.
  await call('network', 'PUT', `/v2.0/quotas/${owner.project_id}`, {
    body: { quota: { security_group: -1, security_group_rule: -1 } },
  });
  await call('compute', 'PUT', `/os-quota-sets/${owner.project_id}`, {
    body: { quota_set: { instances: -1, cores: -1, ram: -1 } },
  });
  const network = await neutron('/networks', 'network', { name: 'amphorae', ...owner });
  await neutron('/subnets', 'subnet', {
    name: 'amphorae',
    network_id: network.id,
    ip_version: 4,
    cidr: '192.168.240.0/20',
    ...owner,
  });
  const group = await neutron('/security-groups', 'security_group', { name: 'amphorae', ...owner });
  const flavor = await ensureFlavor(call, {
    name: 'amphora',
    ram: 1024,
    vcpus: 1,
    disk: 2,
    'os-flavor-access:is_public': false,
  });
  const image = await ensureImage(call, 'amphora', { tags: ['amphora'] });
  await writeIni(site.path('etc', 'octavia-amphorae.conf'), {
    controller_worker: {
      amp_boot_network_list: network.id,
      amp_secgroup_list: group.id,
      amp_flavor_id: flavor.id,
      amp_image_owner_id: image.owner,
    },
  });
}

function ensureFlavor(call: Caller, flavor: Json): Promise<Json> {
  return ensure(call, 'compute', '/flavors', 'flavor', flavor, '?is_public=None');
}

async function ensureImage(call: Caller, name: string, properties: Json): Promise<Json> {
  const { images } = await call('image', 'GET', `/v2/images?name=${name}`);
  if (images.length > 0) return images[0];
  const image = await call('image', 'POST', '/v2/images', {
    body: {
      name,
      disk_format: 'raw',
      container_format: 'bare',
      visibility: 'public',
      min_disk: 1,
      min_ram: 256,
      ...properties,
    },
  });
  await call('image', 'PUT', `/v2/images/${image.id}/file`, { data: Buffer.alloc(8192, name) });
  return image;
}

/** Finds what has the same texts as properties, or makes it. */
async function ensure(
  call: Caller,
  service: string,
  path: string,
  kind: string,
  body: Json,
  query = '',
): Promise<Json> {
  const keys = ['name', 'domain_id', 'service_id', 'interface', 'type'].filter((key) => key in body);
  const list: readonly Json[] = (await call(service, 'GET', `${path}${query}`))[`${kind}s`];
  const found = list.find((other) => keys.every((key) => other[key] === body[key]));
  return found ?? (await call(service, 'POST', path, { body: { [kind]: body } }))[kind];
}
