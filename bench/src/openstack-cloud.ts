import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread that answers like an OpenStack in which each project has the same servers. The answers were recorded from
 * Nova and Neutron of OpenStack Zed; only ids, names and addresses differ from server to server.
 */

const { servers: count } = workerData as { readonly servers: number };

function server(number: number): object {
  const id = `38da7582-b379-4942-8cc8-${String(number).padStart(12, '0')}`;
  return {
    id,
    name: `server-${number}`,
    status: 'ACTIVE',
    tenant_id: '14a93d3154c3436d9410f57b2f636756',
    user_id: 'c2d3d2aa394b4e30bac8017bd3264a46',
    metadata: {
      'compute:instance_id': id,
      serverID: id,
      organizationID: 'ecced3e0-d50e-41d2-bf4d-f8d83b96625e',
      projectID: 'c06cb5ca-9f3b-46a0-801c-67ce4959d735',
      regionID: 'fb358b86-463d-45bc-90ce-d1c3406a2324',
      'region:server_id': id,
      'region:region_id': 'fb358b86-463d-45bc-90ce-d1c3406a2324',
      'identity:organization_id': 'ecced3e0-d50e-41d2-bf4d-f8d83b96625e',
      'identity:project_id': 'c06cb5ca-9f3b-46a0-801c-67ce4959d735',
    },
    hostId: '6c06c6ff2472a74adef742dac4245663a69d9e02c8ffa8a81bcb596d',
    image: {
      id: '24f1b1e5-8531-4144-b088-1e77ec562f9c',
      links: [{ rel: 'bookmark', href: 'http://127.0.0.1:8774/images/24f1b1e5-8531-4144-b088-1e77ec562f9c' }],
    },
    flavor: { vcpus: 1, ram: 2048, disk: 20, ephemeral: 0, swap: 0, original_name: 'm1.small', extra_specs: {} },
    created: '2026-11-16T16:13:13Z',
    updated: '2026-11-16T16:14:18Z',
    addresses: {
      'network-c2329921-c479-48e6-921c-88f4934960d6': [
        {
          version: 4,
          addr: address(number),
          'OS-EXT-IPS:type': 'fixed',
          'OS-EXT-IPS-MAC:mac_addr': 'fa:16:3e:99:6a:25',
        },
      ],
    },
    accessIPv4: '',
    accessIPv6: '',
    links: [
      { rel: 'self', href: `http://127.0.0.1:8774/v2.1/servers/${id}` },
      { rel: 'bookmark', href: `http://127.0.0.1:8774/servers/${id}` },
    ],
    'OS-DCF:diskConfig': 'MANUAL',
    progress: 0,
    'OS-EXT-AZ:availability_zone': 'nova',
    config_drive: '',
    key_name: 'unikorn-openstack-provider',
    'OS-SRV-USG:launched_at': '2026-11-16T16:13:23.000000',
    'OS-SRV-USG:terminated_at': null,
    'OS-EXT-STS:task_state': null,
    'OS-EXT-STS:vm_state': 'active',
    'OS-EXT-STS:power_state': 1,
    'os-extended-volumes:volumes_attached': [],
    locked: false,
    locked_reason: null,
    description: null,
    tags: [],
    trusted_image_certificates: null,
    security_groups: [{ name: 'securitygroup-a089180d-ece0-40ba-8e2d-e1adacc8c39b' }],
  };
}

function address(number: number): string {
  return `10.0.${Math.floor(number / 250)}.${number % 250}`;
}

/** Every second server has a public address. */
function floatingIPs(): readonly object[] {
  return Array.from({ length: Math.ceil(count / 2) }, (_, index) => ({
    id: `0154d8e3-9974-4339-a43e-${String(index).padStart(12, '0')}`,
    tenant_id: '239f1afd36774847975cde2dfa4666f5',
    floating_ip_address: `203.0.113.${index % 250}`,
    floating_network_id: 'fd67bc9a-8d20-440d-8269-99276345c70d',
    router_id: '41230697-f242-4157-aa9a-2b68a723b7aa',
    port_id: '29707225-ca26-47ee-98a0-41fbc4f48225',
    fixed_ip_address: address(2 * index),
    status: 'ACTIVE',
    description: '',
    tags: [],
    created_at: '2026-11-16T15:53:12Z',
    updated_at: '2026-11-16T15:53:13Z',
    revision_number: 1,
    project_id: '239f1afd36774847975cde2dfa4666f5',
  }));
}

function token(origin: string): object {
  const endpoint = (type: string, url: string) => ({
    type,
    endpoints: [{ interface: 'public', url, region_id: 'RegionOne' }],
  });
  return {
    token: {
      issued_at: '2026-01-01T00:00:00Z',
      expires_at: '2026-01-02T00:00:00Z',
      user: { id: 'u', name: 'u', domain: { id: 'd' } },
      project: { id: 'p' },
      roles: [],
      catalog: [endpoint('compute', `${origin}/compute/v2.1`), endpoint('network', `${origin}/network`)],
    },
  };
}

const lists = {
  '/compute/v2.1/': { version: { id: 'v2.1', version: '2.93' } },
  '/compute/v2.1/servers/detail': { servers: Array.from({ length: count }, (_, number) => server(number)) },
  '/network/v2.0/floatingips': { floatingips: floatingIPs() },
};
const answers = new Map(Object.entries(lists).map(([path, body]) => [path, JSON.stringify(body)]));

const cloud = createServer((request, response) => {
  request.resume();
  const [path = ''] = (request.url ?? '').split('?');
  const headers = { 'content-type': 'application/json', 'x-openstack-request-id': 'req-1' };
  if (path.endsWith('/auth/tokens'))
    response
      .writeHead(201, { ...headers, 'x-subject-token': 'token' })
      .end(JSON.stringify(token(`http://${request.headers.host ?? ''}`)));
  else response.writeHead(answers.has(path) ? 200 : 404, headers).end(answers.get(path) ?? '{}');
});
cloud.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((cloud.address() as AddressInfo).port);
});
