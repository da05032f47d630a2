import { ProviderFailure } from '../../../provider/index.ts';
import type { CloudAccess } from './access.ts';
import type { CatalogueEntry } from './authentication.ts';

/** A service of the cloud as we use it. */
interface ServiceFacts {
  /** For operators. */
  readonly title: string;
  /** Names in the catalogue, the usual one first. */
  readonly types: readonly string[];
  /** The version in the path. Some catalogues have it in the address and others do not. */
  readonly version?: { readonly path: string; readonly present: RegExp };
  /** The version of the API that is asked for in a header, and checked against what the cloud offers. */
  readonly pinned?: { readonly version: string; readonly headers: Readonly<Record<string, string>> };
  /** A change without an answer is not sent again. The caller looks at its effect first. */
  readonly changesOnce?: true;
}

export const services = {
  identity: { title: 'Keystone', types: ['identity'], version: { path: '/v3', present: /\/v3$/ } },
  compute: {
    title: 'Nova',
    types: ['compute'],
    version: { path: '/v2.1', present: /\/v2(\.1)?(\/[^/]+)?$/ },
    pinned: { version: '2.90', headers: { 'openstack-api-version': 'compute 2.90' } },
  },
  network: { title: 'Neutron', types: ['network'], version: { path: '/v2.0', present: /\/v2\.0$/ } },
  image: { title: 'Glance', types: ['image'], version: { path: '/v2', present: /\/v2$/ } },
  'block-storage': {
    title: 'Cinder',
    types: ['block-storage', 'volumev3', 'volume'],
    version: { path: '/v3', present: /\/v3(\/[^/]+)?$/ },
  },
  'load-balancer': {
    title: 'Octavia',
    types: ['load-balancer'],
    version: { path: '/v2', present: /\/v2(\.0)?$/ },
    // Octavia has no header for versions: the newest that it offers is the one it speaks.
    pinned: { version: '2.22', headers: {} },
    // A deletion that arrives when the one before it ends leaves the load balancer pending forever.
    changesOnce: true,
  },
  placement: {
    title: 'Placement',
    types: ['placement'],
    pinned: { version: '1.22', headers: { 'openstack-api-version': 'placement 1.22' } },
  },
  baremetal: {
    title: 'Ironic',
    types: ['baremetal'],
    version: { path: '/v1', present: /\/v1$/ },
    pinned: { version: '1.11', headers: { 'x-openstack-ironic-api-version': '1.11' } },
  },
} as const satisfies Readonly<Record<string, ServiceFacts>>;

export type ServiceName = keyof typeof services;
export const serviceNames: readonly ServiceName[] = [
  'identity',
  'compute',
  'network',
  'image',
  'block-storage',
  'load-balancer',
  'placement',
  'baremetal',
];

export function factsOf(service: ServiceName): ServiceFacts {
  return services[service];
}

/** The address of each service for one principal. Some addresses contain the project. */
export type Endpoints = Readonly<Partial<Record<ServiceName, string>>>;

/** Chooses addresses by interface and region name. Keystone is where it was asked for the token. */
export function endpointsOf(access: CloudAccess, catalogue: readonly CatalogueEntry[]): Endpoints {
  const chosen: Partial<Record<ServiceName, string>> = {};
  for (const service of serviceNames) {
    const address = service === 'identity' ? access.authUrl : addressOf(access, catalogue, service);
    if (address !== undefined) chosen[service] = versioned(service, address);
  }
  return chosen;
}

function addressOf(
  { interface: wanted, regionName }: CloudAccess,
  catalogue: readonly CatalogueEntry[],
  service: ServiceName,
): string | undefined {
  const { types } = factsOf(service);
  for (const type of types) {
    const found = catalogue
      .filter((entry) => entry.type === type)
      .flatMap(({ endpoints }) => endpoints)
      .filter((endpoint) => endpoint.interface === wanted)
      .map(({ url, region, region_id }) => ({ url, region: region_id ?? region ?? '' }));
    const regions = [...new Set(found.map(({ region }) => region))];
    if (regionName === undefined && regions.length > 1) throw ambiguous(regions);
    const here = regionName === undefined ? found[0] : found.find(({ region }) => region === regionName);
    if (here) return here.url;
  }
  return undefined;
}

function ambiguous(regions: readonly string[]): ProviderFailure {
  return new ProviderFailure(
    'invalid',
    'the cloud has several regions, and the configuration of this region names none: the platform operator must set its region name',
    { cause: new Error(`the catalogue has the regions ${regions.join(', ')}`) },
  );
}

/** The address with its version and without a slash at the end. */
function versioned(service: ServiceName, address: string): string {
  const bare = address.replace(/\/+$/, '');
  const { version } = factsOf(service);
  return version === undefined || version.present.test(bare) ? bare : `${bare}${version.path}`;
}

/** The address of a service. */
export function endpointOf(endpoints: Endpoints, service: ServiceName, access: CloudAccess): string {
  const address = endpoints[service];
  if (address !== undefined) return address;
  const { title } = factsOf(service);
  const where = access.regionName === undefined ? '' : ` in its region ${access.regionName}`;
  throw new ProviderFailure(
    'unavailable',
    `the cloud of this region has no ${service} service (${title})${where}: the platform operator must check the catalogue of the cloud`,
    { cause: new Error(`the catalogue has no ${access.interface} endpoint of ${service}${where}`) },
  );
}
