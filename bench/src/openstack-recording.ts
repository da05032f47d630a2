import { createServer, type IncomingMessage } from 'node:http';

import { systemWorld } from '@unikorn/core/world';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const world = systemWorld;

interface Thing {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A server as Nova 2.90 shows it. Recorded from a cloud of release Zed; ids, names and addresses are replaced. */
export function recordedServer(serverId: string, number: number): Thing {
  const id = world.uuid();
  const address = `10.0.${number >> 8}.${number & 255}`;
  const mac = { 'OS-EXT-IPS-MAC:mac_addr': 'fa:16:3e:dc:9f:02' };
  return {
    id,
    name: `web-${serverId}`,
    status: 'ACTIVE',
    tenant_id: '5f89974f8ebc47c1be2e08ce5706b123',
    user_id: 'f8e9ab21a244488598f93b8c8b2ec049',
    metadata: { serverID: serverId, 'region:server_id': serverId },
    hostId: 'b4227064f294dcc459aa16f54dabcab6a649fbdbbf3617698994dce9',
    image: {
      id: '24f1b1e5-8531-4144-b088-1e77ec562f9c',
      links: [{ rel: 'bookmark', href: 'http://127.0.0.1:8774/images/24f1b1e5-8531-4144-b088-1e77ec562f9c' }],
    },
    flavor: { vcpus: 1, ram: 512, disk: 1, ephemeral: 0, swap: 0, original_name: 'm1.tiny', extra_specs: {} },
    created: '2026-11-16T16:00:19Z',
    updated: '2026-11-16T16:00:25Z',
    addresses: {
      'network-a9800313-237a-4ff6-b198-238dae4348a4': [
        { version: 4, addr: address, 'OS-EXT-IPS:type': 'fixed', ...mac },
        { version: 4, addr: `203.0.${number >> 8}.${number & 255}`, 'OS-EXT-IPS:type': 'floating', ...mac },
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
    key_name: null,
    'OS-SRV-USG:launched_at': '2026-11-16T16:00:22.000000',
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
  };
}

/** The public address of a recorded server. */
export function recordedAddress(number: number): Thing {
  return {
    id: world.uuid(),
    floating_ip_address: `203.0.${number >> 8}.${number & 255}`,
    floating_network_id: 'fd67bc9a-8d20-440d-8269-99276345c70d',
    fixed_ip_address: `10.0.${number >> 8}.${number & 255}`,
    port_id: world.uuid(),
    status: 'ACTIVE',
    description: '',
  };
}

interface Answer {
  readonly status?: number;
  /** A text is sent as it is. */
  readonly body: object | string;
  readonly token?: string;
}

/** What a project of the cloud has. */
export interface Project {
  readonly servers: readonly Thing[];
  readonly floatingips: readonly Thing[];
}

/**
 * A cloud on a socket of this machine that answers from records, so that its own work is small. It also takes a new
 * port and a new server, which runs when it is looked at for the second time.
 */
export async function startRecordedCloud(projects: ReadonlyMap<string, Project>) {
  const recorded = new Map(
    [...projects].map(([id, { servers, floatingips }]) => [
      id,
      { servers: twoTexts({ servers }), floatingips: JSON.stringify({ floatingips }) },
    ]),
  );
  let variant: 0 | 1 = 0;
  const added = {
    servers: new Map<string, Thing>(),
    ports: new Map<string, Thing>(),
    looks: new Map<string, number>(),
  };
  const answerOf = (method: string, url: URL, project: string, body: string): Answer => {
    const id = url.pathname.split('/').at(-1) ?? '';
    switch (`${method} ${url.pathname.replace(/[\da-f]{8}-[\da-f-]{27}$/, ':id')}`) {
      case 'POST /identity/v3/auth/tokens': {
        const token = /"project":\{"id":"([^"]+)"/.exec(body)?.[1] ?? '';
        return { status: 201, body: tokenOf(token, address), token };
      }
      case 'GET /compute/v2.1/':
        return { body: { version: { id: 'v2.1', version: '2.93' } } };
      case 'GET /compute/v2.1/flavors/detail':
        return { body: { flavors: [] } };
      case 'GET /compute/v2.1/servers/detail':
        return {
          body: url.searchParams.has('name')
            ? { servers: look(added) }
            : (recorded.get(project)?.servers[variant] ?? ''),
        };
      case 'GET /compute/v2.1/servers/:id':
        return { body: { server: look(added).find((one) => one.id === id) } };
      case 'POST /compute/v2.1/servers':
        return { status: 202, body: { server: addServer(added, body) } };
      case 'GET /network/v2.0/floatingips':
        return {
          body: url.searchParams.has('port_id') ? { floatingips: [] } : (recorded.get(project)?.floatingips ?? ''),
        };
      case 'GET /network/v2.0/networks':
        return { body: { networks: [{ id: 'net', name: 'network-n', status: 'ACTIVE', subnets: [] }] } };
      case 'GET /network/v2.0/ports': {
        const port = added.ports.get(url.searchParams.get('name') ?? '');
        return { body: { ports: port ? [port] : [] } };
      }
      case 'POST /network/v2.0/ports':
        return { status: 201, body: { port: addPort(added.ports, body) } };
      case 'GET /image/v2/images/:id':
        return { body: imageOf(id) };
      default:
        return { status: 404, body: { error: url.pathname } };
    }
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((sent) => {
      const url = new URL(request.url ?? '/', 'http://cloud');
      const project = String(request.headers['x-auth-token'] ?? '');
      const { status = 200, body, token } = answerOf(request.method ?? '', url, project, sent);
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { 'x-subject-token': token }),
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
  return {
    address,
    /** From now on, the lists differ from those before. */
    change: () => {
      variant = variant === 0 ? 1 : 0;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** JSON may begin with a space. So two answers can differ, and mean the same. */
function twoTexts(body: object): readonly [string, string] {
  const [one, other] = [JSON.stringify(body), ` ${JSON.stringify(body)}`];
  // A text that was put together is copied when it is sent. From bytes it is made in one piece.
  return [one, Buffer.from(other).toString()];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of request) chunks.push(String(chunk));
  return chunks.join('');
}

function tokenOf(project: string, address: string): object {
  const service = (type: string, path: string) => ({
    type,
    endpoints: [{ interface: 'public', url: `${address}${path}`, region_id: 'RegionOne' }],
  });
  return {
    token: {
      issued_at: new Date(world.now()).toISOString(),
      expires_at: new Date(world.now() + 3_600_000).toISOString(),
      user: { id: 'u', name: 'user', domain: { id: 'd' } },
      project: { id: project, name: project },
      roles: [{ id: 'r', name: 'member' }],
      catalog: [service('compute', '/compute/v2.1'), service('network', '/network/'), service('image', '/image')],
    },
  };
}

const Sent = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()));

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  return Object.values(Value.Parse(Sent, JSON.parse(body)))[0] ?? {};
}

function addPort(ports: Map<string, Thing>, body: string): Thing {
  const fields = fieldsOf(body);
  const port = {
    security_groups: [],
    ...fields,
    id: world.uuid(),
    device_id: '',
    device_owner: '',
    status: 'DOWN',
    mac_address: 'fa:16:3e:00:00:01',
    fixed_ips: [{ subnet_id: 's', ip_address: '10.0.0.130' }],
  };
  ports.set(String(fields['name']), port);
  return port;
}

/** Nova connects it to the port that it was made with. */
function addServer(
  { servers, ports }: { readonly servers: Map<string, Thing>; readonly ports: Map<string, Thing> },
  body: string,
): { readonly id: string } {
  const { name, metadata, networks } = fieldsOf(body);
  const [network] = Value.Parse(Type.Array(Type.Object({ port: Type.String() })), networks);
  const made = { ...recordedServer('', 0), name, metadata };
  servers.set(made.id, made);
  for (const [key, port] of ports) if (port.id === network?.port) ports.set(key, { ...port, device_id: made.id });
  return { id: made.id };
}

/** The servers that were added, each of which is built when it is first looked at. */
function look({ servers, looks }: { servers: Map<string, Thing>; looks: Map<string, number> }): readonly Thing[] {
  return [...servers.values()].map((server) => {
    const seen = looks.get(server.id) ?? 0;
    looks.set(server.id, seen + 1);
    if (seen > 0) return server;
    return { ...server, status: 'BUILD', 'OS-EXT-STS:task_state': 'spawning', 'OS-SRV-USG:launched_at': null };
  });
}

function imageOf(id: string): object {
  return {
    id,
    name: 'image',
    status: 'active',
    visibility: 'public',
    owner: 'o',
    min_disk: 1,
    min_ram: 0,
    size: 1,
    virtual_size: 1,
    tags: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}
