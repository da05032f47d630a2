import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything listens here and nowhere else. */
export const host = '127.0.0.1';

/** Of every account. The cloud can only be reached from this machine, and nothing real is in it. */
export const password = 'unikorn';

export const openstackRegion = 'RegionOne';

/** The host name of the one hypervisor, which does not exist. */
export const hypervisor = 'hypervisor-1';

/** The physical network of VLAN networks and of the external network. */
export const physicalNetwork = 'physnet1';

const services = [
  'keystone',
  'glance',
  'placement',
  'neutron',
  'nova',
  'octavia',
  'consoles',
  'database',
  'cache',
  'queue',
  'queueNodes',
  'queueNames',
  'northbound',
  'southbound',
  'heartbeats',
  'cinder',
  'ironic',
] as const;
export type Port = (typeof services)[number];

/** Services that a cloud has only if they are asked for: one suite each needs them. */
export const extras = ['cinder', 'ironic'] as const;
export type Extra = (typeof extras)[number];

/** One cloud: a folder with all its state, and a row of ports. */
export interface Site {
  readonly folder: string;
  readonly extras: ReadonlySet<Extra>;
  readonly ports: Readonly<Record<Port, number>>;
  /** A path in the folder. */
  readonly path: (...parts: readonly string[]) => string;
  readonly url: (port: Port, path?: string) => string;
}

/** Below the ports that Linux gives to outgoing connections: one of those would keep a service from starting. */
export const firstPort = 23_500;

export interface SiteOptions {
  readonly first?: number;
  readonly with?: readonly Extra[];
}

export function siteIn(folder: string, { first = firstPort, with: wanted = [] }: SiteOptions = {}): Site {
  const port = (name: Port) => first + services.indexOf(name);
  return {
    folder,
    extras: new Set(wanted),
    ports: {
      keystone: port('keystone'),
      glance: port('glance'),
      placement: port('placement'),
      neutron: port('neutron'),
      nova: port('nova'),
      octavia: port('octavia'),
      consoles: port('consoles'),
      database: port('database'),
      cache: port('cache'),
      queue: port('queue'),
      queueNodes: port('queueNodes'),
      queueNames: port('queueNames'),
      northbound: port('northbound'),
      southbound: port('southbound'),
      heartbeats: port('heartbeats'),
      cinder: port('cinder'),
      ironic: port('ironic'),
    },
    path: (...parts) => join(folder, ...parts),
    url: (name, path = '') => `http://${host}:${port(name)}${path}`,
  };
}

const folders = [
  'cinder',
  'database',
  'etc',
  'etc/placement',
  'glance/images',
  'glance/staging',
  'glance/tasks',
  'ironic',
  'keystone',
  'locks',
  'logs',
  'neutron',
  'nova/instances',
  'octavia',
  'ovn',
  'queue',
  'run',
];

export async function makeFolders(site: Site): Promise<void> {
  for (const folder of folders) await mkdir(site.path(folder), { recursive: true });
}
