import type { IdentityReference } from '../../provider/index.ts';
import { startCloud, type Asked, type Given } from './client/cloud.fixture.ts';
import { OpenstackServers, type ServerParts } from './servers.ts';

interface Thing {
  readonly id: string;
  [field: string]: unknown;
}

export type Disturbance = 'refused' | 'lost' | 'stale';

/** What an administrator of the cloud sees. */
export interface Estate {
  servers: Thing[];
  ports: Thing[];
  floatingips: Thing[];
  readonly networks: readonly Thing[];
  readonly security_groups: readonly Thing[];
}

export const identity: IdentityReference = { id: 'i', organizationId: 'o', projectId: 'p' };

/**
 * As much of Nova and Neutron as servers need, on a socket. Each call can be disturbed, by its name such as `GET
 * /compute/v2.1/servers/detail`, or with ` (2)` behind it for the second of that name. Calls that are made side by side
 * arrive in any order, so they have no numbers.
 */
export async function startServerCloud(parts: Partial<ServerParts> = {}) {
  const estate: Estate = {
    servers: [],
    ports: [],
    floatingips: [],
    networks: [{ id: 'net', name: 'network-n', status: 'ACTIVE', subnets: [] }],
    security_groups: ['a', 'ab'].map((id) => ({
      id: `group-${id}`,
      name: `securitygroup-${id}`,
      security_group_rules: [],
    })),
  };
  const disturbances = new Map<string, Disturbance>();
  /** The calls since the last disturbance was asked for. */
  let recent: string[] = [];
  let calls = 0;
  let ids = 0;
  const cloud = await startCloud({
    answer: (asked) => {
      calls += 1;
      const name = nameOf(asked, recent);
      recent.push(name);
      const how = disturbances.get(name);
      if (how === 'refused') return { status: 500, body: {} };
      const given = answer(estate, () => `id-${(ids += 1)}`, asked);
      const [, list] = /\/(servers|ports|floatingips)(?:\/detail)?\?/.exec(asked.path) ?? [];
      if (how === 'stale' && asked.method === 'GET' && list !== undefined) return { body: { [list]: [] } };
      return how === 'lost' ? 'drop' : given;
    },
  });
  const tenant = { projectId: 'p', session: cloud.session };
  const shared: string[] = [];
  const open = () =>
    new OpenstackServers({
      world: cloud.world,
      users: () => Promise.resolve(tenant),
      managers: () => Promise.resolve(tenant),
      region: () => Promise.resolve(cloud.session),
      images: {
        share: (imageId) => {
          shared.push(imageId);
          return Promise.resolve();
        },
        snapshot: () => Promise.reject(new Error('images make snapshots')),
      },
      externalNetworkId: () => Promise.resolve('external'),
      ...parts,
    });
  return {
    estate,
    shared,
    world: cloud.world,
    asked: cloud.asked,
    calls: () => calls,
    /** The names of the calls from now on. */
    record: (): readonly string[] => (recent = []),
    disturb: (name: string, how: Disturbance) => {
      recent = [];
      disturbances.set(name, how);
    },
    calm: () => {
      disturbances.clear();
    },
    servers: open(),
    /** Those of another process, which remembers nothing. */
    others: open(),
    /** Lets Nova finish what it is doing. */
    settle: () => {
      for (const server of estate.servers) {
        const port = estate.ports.find(({ id }) => id === server['portId']);
        if (server['gone'] === true) {
          for (const held of estate.ports) if (held['device_id'] === server.id) held['device_id'] = '';
          continue;
        }
        if (port && port['device_id'] === '') port['device_id'] = server.id;
        Object.assign(server, {
          status: 'ACTIVE',
          'OS-EXT-STS:task_state': null,
          'OS-EXT-STS:power_state': 1,
          'OS-SRV-USG:launched_at': '2026-01-01T00:00:00.000000',
        });
      }
      estate.servers = estate.servers.filter((server) => server['gone'] !== true);
    },
    stop: cloud.stop,
  };
}

/** Without ids and without the query. */
function nameOf({ method, path }: Asked, before: readonly string[]): string {
  const name = `${method} ${path.replace(/\?.*/, '').replaceAll(/id-\d+/g, 'id')}`;
  const earlier = before.filter((other) => other === name || other.startsWith(`${name} (`)).length;
  return earlier === 0 ? name : `${name} (${earlier + 1})`;
}

function answer(estate: Estate, freshId: () => string, { method, path, query, body }: Asked): Given {
  const [, resource = '', id, rest] =
    /^\/(?:compute\/v2\.1|network\/v2\.0)\/([^/?]+)(?:\/([^/?]+))?(\/[^?]+)?/.exec(path) ?? [];
  const field = resource.replaceAll('-', '_') as keyof Estate;
  const fields = Object.values((body ?? {}) as Record<string, Thing>)[0] ?? { id: '' };
  if (resource === 'servers') return serverAnswer(estate, freshId, { method, id, rest, fields, query, body });
  const singular = field.replace(/s$/, '');
  if (method === 'POST') {
    const made = { ...drafts(field, freshId()), ...fields, id: freshId() };
    if (field === 'floatingips') {
      if (estate.floatingips.some((one) => one['port_id'] === fields['port_id'])) return { status: 409, body: {} };
      const port = estate.ports.find((one) => one.id === fields['port_id']);
      Object.assign(made, { fixed_ip_address: (port?.['fixed_ips'] as { ip_address: string }[])[0]?.ip_address });
    }
    (estate[field] as Thing[]).push(made);
    return { status: 201, body: { [singular]: made } };
  }
  const found = estate[field].find((one) => one.id === id);
  if (id !== undefined && !found) return { status: 404, body: { NeutronError: { type: 'NotFound' } } };
  if (method === 'PUT') return { body: { [singular]: Object.assign(found ?? {}, fields) } };
  if (method === 'GET' && found) return { body: { [singular]: found } };
  if (method === 'DELETE') {
    (estate as unknown as Record<string, Thing[]>)[field] = estate[field].filter((one) => one.id !== id);
    return { status: 204 };
  }
  const filters = ['name', 'port_id', 'description'].filter((name) => query.has(name));
  const matching = estate[field].filter((one) =>
    filters.every((name) => String(one[name]).includes(query.get(name) ?? '')),
  );
  return { body: { [field]: matching } };
}

function drafts(field: keyof Estate, unique: string): object {
  if (field === 'ports')
    return {
      device_id: '',
      device_owner: '',
      created_at: `2026-01-01T00:00:${unique.slice(3).padStart(2, '0')}Z`,
      status: 'DOWN',
      mac_address: 'fa:16:3e:00:00:01',
      fixed_ips: [{ subnet_id: 's', ip_address: `10.0.0.${100 + Number(unique.slice(3))}` }],
    };
  return { floating_ip_address: `203.0.113.${unique.slice(3)}` };
}

function serverAnswer(
  estate: Estate,
  freshId: () => string,
  {
    method,
    id,
    rest,
    fields,
    query,
    body,
  }: Pick<Asked, 'method' | 'query' | 'body'> & {
    readonly id: string | undefined;
    readonly rest: string | undefined;
    readonly fields: Thing;
  },
): Given {
  if (id === 'detail') {
    const pattern = new RegExp(query.get('name') ?? '');
    return { body: { servers: estate.servers.filter(({ name }) => pattern.test(String(name))) } };
  }
  if (method === 'POST' && id === undefined) {
    const [network] = fields['networks'] as { port: string }[];
    const port = estate.ports.find((one) => one.id === network?.port);
    const made = {
      id: freshId(),
      name: fields['name'],
      status: 'BUILD',
      created: `2026-01-01T00:00:0${estate.servers.length}Z`,
      metadata: fields['metadata'],
      addresses: {
        'network-n': (port?.['fixed_ips'] as { ip_address: string }[]).map(({ ip_address }) => ({
          addr: ip_address,
          version: 4,
          'OS-EXT-IPS:type': 'fixed',
          'OS-EXT-IPS-MAC:mac_addr': port?.['mac_address'],
        })),
      },
      image: { id: fields['imageRef'] },
      'OS-EXT-STS:task_state': 'spawning',
      'OS-SRV-USG:launched_at': null,
      request: fields,
      portId: port?.id,
    };
    estate.servers.push(made);
    return { status: 202, body: { server: { id: made.id } } };
  }
  const found = estate.servers.find((one) => one.id === id);
  if (!found) return { status: 404, body: { itemNotFound: {} } };
  if (method === 'DELETE') {
    Object.assign(found, { 'OS-EXT-STS:task_state': 'deleting', gone: true });
    return { status: 204 };
  }
  if (rest === '/metadata') {
    found['metadata'] = { ...(found['metadata'] as object), ...fields };
    return { body: {} };
  }
  if (rest === '/os-interface') {
    const port = estate.ports.find((one) => one.id === fields['port_id']);
    if (port?.['device_id'] !== '') return { status: 400, body: { badRequest: { message: 'the port is in use' } } };
    port['device_id'] = found.id;
    return { body: {} };
  }
  if (rest === '/action') {
    const { rebuild } = body as { rebuild?: { imageRef: string } };
    if (rebuild) Object.assign(found, { image: { id: rebuild.imageRef }, status: 'REBUILD' });
    return { status: 202, body: {} };
  }
  return { body: { server: found } };
}
