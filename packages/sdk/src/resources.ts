import type { Unikorn } from './connect.ts';
import type { Change, OnInterruption } from './follow.ts';
import { dataOf } from './service.ts';
import type {
  FileStorage,
  FileStorageCreate,
  FileStorageUpdate,
  Instance,
  InstanceCreate,
  InstanceUpdate,
  LoadBalancer,
  LoadBalancerCreate,
  LoadBalancerUpdate,
  Network,
  NetworkCreate,
  NetworkUpdate,
  SecurityGroup,
  SecurityGroupCreate,
  SecurityGroupUpdate,
} from './types.ts';
import { gone, settled, type Realised, type WaitOptions } from './wait.ts';

/** The resources that a list contains; all that the caller may read by default. */
export interface Selection {
  organizationID?: string[];
  projectID?: string[];
  regionID?: string[];
  /** Each such as `team=web`. */
  tag?: string[];
}

export interface Watching {
  readonly signal?: AbortSignal;
  readonly onInterruption?: OnInterruption;
}

/** The operations of one kind of resource. */
export interface Resources<Read extends Realised, Create, Update> {
  list(selection?: Selection): Promise<Read[]>;
  get(id: string): Promise<Read>;
  create(body: Create): Promise<Read>;
  update(id: string, body: Update): Promise<Read>;
  delete(id: string): Promise<void>;
  /** Follows one resource: its state, then every change. */
  follow(id: string, watching?: Watching): AsyncGenerator<Change<Read>, never>;
  /** Waits until it has reached the requested state. Throws a `NotSettledError` if it fails or is deleted. */
  ready(id: string, options?: Watching & WaitOptions<Read>): Promise<Read>;
  /** Waits until it is deleted. */
  gone(id: string, options?: Watching & WaitOptions<Read>): Promise<void>;
}

type Requests<Read extends Realised, Create, Update> = Omit<Resources<Read, Create, Update>, 'ready' | 'gone'>;

/** Adds the waits, which are the same for all resources. */
function resources<Read extends Realised, Create, Update>(
  requests: Requests<Read, Create, Update>,
): Resources<Read, Create, Update> {
  return {
    ...requests,
    ready: (id, options = {}) => settled(requests.follow(id, watchingOf(options)), waitingOf(options)),
    gone: (id, options = {}) => gone(requests.follow(id, watchingOf(options)), waitingOf(options)),
  };
}

function watchingOf({ signal, onInterruption }: Watching): Watching {
  return { ...(signal ? { signal } : {}), ...(onInterruption ? { onInterruption } : {}) };
}

function waitingOf<Read>({ onChange }: WaitOptions<Read>): WaitOptions<Read> {
  return onChange ? { onChange } : {};
}

/**
 * @example
 * const instances = instancesOf(connect({ endpoints, token }));
 * const { metadata } = await instances.create({ metadata: { name: 'web' }, spec });
 * const ready = await instances.ready(metadata.id, { signal: AbortSignal.timeout(60_000) });
 */
export function instancesOf({
  compute,
}: Pick<Unikorn, 'compute'>): Resources<Instance, InstanceCreate, InstanceUpdate> {
  const one = '/api/v2/instances/{instanceID}';
  const at = (instanceID: string) => ({ params: { path: { instanceID } } });
  return resources({
    list: (query = {}) => dataOf(compute.GET('/api/v2/instances', { params: { query } })),
    get: (id) => dataOf(compute.GET(one, at(id))),
    create: (body) => dataOf(compute.POST('/api/v2/instances', { body })),
    update: (id, body) => dataOf(compute.PUT(one, { ...at(id), body })),
    delete: async (id) => {
      await compute.DELETE(one, at(id));
    },
    follow: (id, watching) => compute.follow(one, { ...at(id), ...watching }),
  });
}

/** @example for (const { metadata } of await networksOf(connect({ endpoints, token })).list()) console.log(metadata.name); */
export function networksOf({ region }: Pick<Unikorn, 'region'>): Resources<Network, NetworkCreate, NetworkUpdate> {
  const one = '/api/v2/networks/{networkID}';
  const at = (networkID: string) => ({ params: { path: { networkID } } });
  return resources({
    list: (query = {}) => dataOf(region.GET('/api/v2/networks', { params: { query } })),
    get: (id) => dataOf(region.GET(one, at(id))),
    create: (body) => dataOf(region.POST('/api/v2/networks', { body })),
    update: (id, body) => dataOf(region.PUT(one, { ...at(id), body })),
    delete: async (id) => {
      await region.DELETE(one, at(id));
    },
    follow: (id, watching) => region.follow(one, { ...at(id), ...watching }),
  });
}

export function securityGroupsOf({
  region,
}: Pick<Unikorn, 'region'>): Resources<SecurityGroup, SecurityGroupCreate, SecurityGroupUpdate> {
  const one = '/api/v2/securitygroups/{securityGroupID}';
  const at = (securityGroupID: string) => ({ params: { path: { securityGroupID } } });
  return resources({
    list: (query = {}) => dataOf(region.GET('/api/v2/securitygroups', { params: { query } })),
    get: (id) => dataOf(region.GET(one, at(id))),
    create: (body) => dataOf(region.POST('/api/v2/securitygroups', { body })),
    update: (id, body) => dataOf(region.PUT(one, { ...at(id), body })),
    delete: async (id) => {
      await region.DELETE(one, at(id));
    },
    follow: (id, watching) => region.follow(one, { ...at(id), ...watching }),
  });
}

export function loadBalancersOf({
  region,
}: Pick<Unikorn, 'region'>): Resources<LoadBalancer, LoadBalancerCreate, LoadBalancerUpdate> {
  const one = '/api/v2/loadbalancers/{loadBalancerID}';
  const at = (loadBalancerID: string) => ({ params: { path: { loadBalancerID } } });
  return resources({
    list: (query = {}) => dataOf(region.GET('/api/v2/loadbalancers', { params: { query } })),
    get: (id) => dataOf(region.GET(one, at(id))),
    create: (body) => dataOf(region.POST('/api/v2/loadbalancers', { body })),
    update: (id, body) => dataOf(region.PUT(one, { ...at(id), body })),
    delete: async (id) => {
      await region.DELETE(one, at(id));
    },
    follow: (id, watching) => region.follow(one, { ...at(id), ...watching }),
  });
}

export function fileStorageOf({
  region,
}: Pick<Unikorn, 'region'>): Resources<FileStorage, FileStorageCreate, FileStorageUpdate> {
  const one = '/api/v2/filestorage/{filestorageID}';
  const at = (filestorageID: string) => ({ params: { path: { filestorageID } } });
  return resources({
    list: (query = {}) => dataOf(region.GET('/api/v2/filestorage', { params: { query } })),
    get: (id) => dataOf(region.GET(one, at(id))),
    create: (body) => dataOf(region.POST('/api/v2/filestorage', { body })),
    update: (id, body) => dataOf(region.PUT(one, { ...at(id), body })),
    delete: async (id) => {
      await region.DELETE(one, at(id));
    },
    follow: (id, watching) => region.follow(one, { ...at(id), ...watching }),
  });
}
