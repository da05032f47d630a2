import { openMemoryStore } from '@unikorn/core/store/sqlite';

import { startCloud, type Asked, type Given } from './client/cloud.fixture.ts';
import { openstackKinds } from './kinds.ts';
import type { NetworkSettings } from './network-settings.ts';
import { OpenstackNetworks } from './networks.ts';
import { OpenstackSecurityGroups } from './security-groups.ts';

type Thing = Record<string, unknown> & { readonly id: string };

/** How one call is disturbed: before it is carried out, or after. */
export type Disturbance = 'refused' | 'lost';

const externalNetwork = { id: 'external', name: 'public', status: 'ACTIVE', subnets: [], tags: [] };

/** As much of Neutron as networks and security groups need, on a socket. Each call can be disturbed once. */
export async function startNeutron({ settings = {}, takenVlans = [] }: NeutronOptions = {}) {
  const things = {
    networks: [] as Thing[],
    subnets: [] as Thing[],
    routers: [] as Thing[],
    ports: [] as Thing[],
    'security-groups': [] as Thing[],
    'security-group-rules': [] as Thing[],
  };
  let calls = 0;
  let ids = 0;
  let disturbed: { readonly number: number; readonly how: Disturbance } | undefined;
  const add = (kind: keyof typeof things, fields: object): Thing => {
    const made: Thing = { status: 'ACTIVE', ...fields, id: `id-${(ids += 1)}` };
    things[kind].push(made);
    return made;
  };

  function create(kind: keyof typeof things, fields: Record<string, unknown>): Given {
    const vlanId = fields['provider:segmentation_id'];
    const isTaken = takenVlans.includes(Number(vlanId)) || things.networks.some((one) => one['vlan'] === vlanId);
    if (kind === 'networks' && vlanId !== undefined && isTaken)
      return { status: 409, body: { NeutronError: { type: 'VlanIdInUse', message: 'in use' } } };
    const defaults: Partial<Record<keyof typeof things, object>> = {
      networks: { subnets: [], vlan: vlanId },
      'security-group-rules': { protocol: null, port_range_min: null, port_range_max: null, remote_ip_prefix: null },
    };
    const made = add(kind, { ...defaults[kind], ...fields });
    if (kind === 'security-groups')
      for (const ethertype of ['IPv4', 'IPv6'])
        create('security-group-rules', { security_group_id: made.id, direction: 'egress', ethertype });
    return { status: 201, body: { [fieldOf(kind)]: shown(kind, made) } };
  }

  const shown = (kind: keyof typeof things, thing: Thing): Thing =>
    kind === 'security-groups'
      ? {
          ...thing,
          security_group_rules: things['security-group-rules'].filter((rule) => rule['security_group_id'] === thing.id),
        }
      : thing;

  function answer({ method, path, query, body }: Asked): Given {
    const [, kind, id, verb] = /^\/network\/v2\.0\/([a-z-]+)(?:\/([^/?]+))?(?:\/([a-z_]+))?/.exec(path) ?? [];
    if (!isKind(kind, things)) return { status: 400, body: {} };
    const fields = Object.values((body ?? {}) as Record<string, Record<string, unknown>>)[0] ?? {};
    if (verb !== undefined) return attach(id ?? '', verb, body as { readonly subnet_id: string });
    if (method === 'GET') {
      if (query.get('router:external') !== null) return { body: { networks: [externalNetwork] } };
      const filters = [...query].filter(([name]) => !['limit', 'marker', 'project_id'].includes(name));
      const found = things[kind].filter((one) => filters.every(([name, value]) => String(one[name]).includes(value)));
      return { body: { [`${fieldOf(kind)}s`]: found.map((one) => shown(kind, one)) } };
    }
    if (method === 'POST') return create(kind, fields);
    const index = things[kind].findIndex((one) => one.id === id);
    const found = things[kind][index];
    if (!found) return { status: 404, body: { NeutronError: { message: 'absent' } } };
    if (method === 'DELETE') {
      things[kind].splice(index, 1);
      if (kind === 'security-groups')
        things['security-group-rules'] = things['security-group-rules'].filter(
          (rule) => rule['security_group_id'] !== id,
        );
      return { status: 204 };
    }
    Object.assign(found, fields);
    return { body: { [fieldOf(kind)]: found } };
  }

  function attach(routerId: string, verb: string, { subnet_id: subnetId }: { readonly subnet_id: string }): Given {
    const isInterface = (port: Thing) => port['device_id'] === routerId && port['subnet'] === subnetId;
    const isAttached = things.ports.some(isInterface);
    if (verb === 'remove_router_interface') {
      if (!isAttached) return { status: 404, body: { NeutronError: { message: 'absent' } } };
      things.ports = things.ports.filter((port) => !isInterface(port));
      return { body: {} };
    }
    if (isAttached) return { status: 400, body: { NeutronError: { message: 'attached' } } };
    add('ports', {
      name: '',
      network_id: things.subnets.find(({ id }) => id === subnetId)?.['network_id'] ?? '',
      device_id: routerId,
      device_owner: 'network:router_interface',
      mac_address: '',
      subnet: subnetId,
      fixed_ips: [{ subnet_id: subnetId, ip_address: '10.0.0.1' }],
      security_groups: [],
    });
    return { body: {} };
  }

  const cloud = await startCloud({
    answer: (asked) => {
      calls += 1;
      const how = disturbed?.number === calls ? disturbed.how : undefined;
      if (how === 'refused') return { status: 403, body: { NeutronError: { message: 'not now' } } };
      const given = answer(asked);
      return how === 'lost' && asked.method !== 'GET' ? 'drop' : given;
    },
  });
  const store = openMemoryStore({ world: cloud.world, kinds: openstackKinds });
  const tenants = () => Promise.resolve({ projectId: 'p', session: cloud.session });
  return {
    things,
    store,
    world: cloud.world,
    networks: new OpenstackNetworks({
      store,
      world: cloud.world,
      regionId: 'region',
      tenants,
      settings: () => settings,
    }),
    securityGroups: new OpenstackSecurityGroups({ tenants }),
    calls: () => calls,
    created: () => cloud.asked.filter(({ method }) => method === 'POST').length,
    /** Disturbs the call with this number, counted from now. */
    disturb: (number: number, how: Disturbance) => {
      disturbed = { number: calls + number, how };
    },
    calm: () => {
      disturbed = undefined;
    },
    stop: async () => {
      await cloud.stop();
      await store.close();
    },
  };
}

interface NeutronOptions {
  readonly settings?: NetworkSettings;
  /** VLANs that something else has. */
  readonly takenVlans?: readonly number[];
}

function fieldOf(kind: string): string {
  return kind.replace(/s$/, '').replaceAll('-', '_');
}

function isKind<Things extends object>(kind: string | undefined, things: Things): kind is keyof Things & string {
  return kind !== undefined && kind in things;
}
