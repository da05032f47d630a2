import { systemWorld } from '@unikorn/core/world';

import { networkOf } from '../../packages/region/src/provider/conformance/specimens.ts';
import type {
  IdentityReference,
  ImageDescription,
  LoadBalancers,
  ObservedServer,
  PowerVerb,
  Removed,
  WantedLoadBalancer,
  WantedNetwork,
  WantedSecurityGroup,
  WantedServer,
} from '../../packages/region/src/provider/index.ts';
import { access } from './cloud.fixture.ts';
import type { Caller } from './cloud/caller.ts';
import type { Provider, Question } from './faults.fixture.ts';
import { inventoryOf, inventoryOfIdentity } from './inventory.fixture.ts';

/** Where things live: an identity with a project of its own, and what others of its things need. */
export interface Stage {
  /** The cloud with the eyes of its administrator. */
  readonly call: Caller;
  readonly owner: IdentityReference;
  readonly projectId: string;
  /** A new identity, which is removed with the stage. */
  readonly freshIdentity: () => IdentityReference;
  /** The description of a new image, which is removed with the stage. */
  readonly freshImage: () => FreshImage;
  /** The id of a network, made when it is first asked for. */
  readonly networkId: () => Promise<string>;
  /** A server that runs, made when it is first asked for. */
  readonly server: () => Promise<WantedServer>;
  readonly materials: Materials;
}

export type FreshImage = ImageDescription & { readonly organizationId: string };

/** Things of the cloud that servers and images are made of. */
export interface Materials {
  readonly flavorId: string;
  readonly imageId: string;
  readonly otherImageId: string;
  /** Where the cloud can read the data of an image. */
  readonly imageUri: string;
}

/** One method of the provider, and what an administrator sees after it. */
export interface Step {
  /** Such as `networks.ensure`. */
  readonly method: string;
  readonly ask: Question;
  /** The lines that the inventory has afterwards, besides those before. Where absent, it is not looked at. */
  readonly wanted?: readonly string[];
  /** The other steps do not need it. */
  readonly optional?: boolean;
  /** Nothing asks again after it is done: the platform drops its record of the thing. */
  readonly isFinal?: boolean;
}

/** All methods that the provider has for one sort of thing, in an order that ends with nothing. */
export interface Life {
  readonly steps: readonly Step[];
  readonly seen: () => Promise<readonly string[]>;
}

export type Make = (stage: Stage) => Life | Promise<Life>;

/** Whether an answer of a provider is final. */
export const settled = async (asked: Promise<{ readonly state: string }>) =>
  (await asked).state === 'pending' ? 'pending' : 'done';

/** The last step of a life. */
function removal(method: string, remove: (provider: Provider) => Promise<Removed>): Step {
  return { method, ask: (provider) => settled(remove(provider)), wanted: [], isFinal: true };
}

/** A reading method has done its work when it shows the thing. */
const shown = (isShown: boolean) => (isShown ? 'done' : 'pending');

export function anIdentity({ call, freshIdentity }: Stage): Life {
  const identity = freshIdentity();
  const wanted = [
    'key unikorn-openstack-provider',
    `project organization=${identity.organizationId} project=${identity.projectId}`,
    'role load-balancer_member of its user',
    `role manager of ${access.regionUser.user}`,
    'role member of its user',
    'server group',
    'user',
  ];
  const ensure: Question = ({ identities }) => settled(identities.ensure(identity));
  return {
    seen: () => inventoryOfIdentity(call, identity.id),
    steps: [
      { method: 'identities.ensure', ask: ensure, wanted },
      { method: 'identities.ensure again', ask: ensure, wanted, optional: true },
      {
        method: 'identities.observe',
        ask: async ({ identities }) => shown((await identities.observe(identity)).state === 'present'),
        wanted,
        optional: true,
      },
      removal('identities.remove', ({ identities }) => identities.remove(identity)),
    ],
  };
}

export function aNetwork({ call, owner, projectId }: Stage): Life {
  const network = networkOf(systemWorld.uuid());
  const changed: WantedNetwork = {
    ...network,
    dnsNameservers: ['9.9.9.9'],
    routes: [{ prefix: '192.168.0.0/16', nextHop: '10.0.0.2' }],
  };
  const name = `network-${network.id}`;
  const wanted = [`network ${name}`, 'port of a router', `router ${name}`, `subnet ${name}`];
  const ensure =
    (as: WantedNetwork): Question =>
    ({ networks }) =>
      settled(networks.ensure(owner, as));
  return {
    seen: () => inventoryOf(call, projectId),
    steps: [
      { method: 'networks.ensure', ask: ensure(network), wanted },
      { method: 'networks.ensure again', ask: ensure(network), wanted, optional: true },
      { method: 'networks.ensure changed', ask: ensure(changed), wanted, optional: true },
      ...readingSteps('networks', ({ networks }) => networks, owner, network),
      removal('networks.remove', ({ networks }) => networks.remove(owner, network)),
    ],
  };
}

interface Readable<Reference> {
  observe(owner: IdentityReference, reference: Reference): Promise<{ readonly state: string }>;
  list(owner: IdentityReference): Promise<readonly { readonly id: string }[]>;
}

function readingSteps<Reference extends { readonly id: string }>(
  part: string,
  of: (provider: Provider) => Readable<Reference>,
  owner: IdentityReference,
  reference: Reference,
): readonly Step[] {
  return [
    {
      method: `${part}.observe`,
      ask: async (provider) => shown((await of(provider).observe(owner, reference)).state === 'present'),
      optional: true,
    },
    {
      method: `${part}.list`,
      ask: async (provider) => shown((await of(provider).list(owner)).some(({ id }) => id === reference.id)),
      optional: true,
    },
  ];
}

export function aSecurityGroup({ call, owner, projectId }: Stage): Life {
  const id = systemWorld.uuid();
  const open = (port: number) =>
    ({ direction: 'ingress', protocol: 'tcp', ports: { start: port, end: port } }) as const;
  const group: WantedSecurityGroup = { id, rules: [open(22), open(53)] };
  const changed: WantedSecurityGroup = { id, rules: [open(22), open(80)] };
  const line = (other: number) => [
    `security group securitygroup-${id}: egress IPv4 any *, egress IPv6 any *, ingress IPv4 tcp 22, ingress IPv4 tcp ${other}`,
  ];
  const ensure =
    (as: WantedSecurityGroup): Question =>
    ({ securityGroups }) =>
      settled(securityGroups.ensure(owner, as));
  return {
    seen: () => inventoryOf(call, projectId),
    steps: [
      { method: 'securityGroups.ensure', ask: ensure(group), wanted: line(53) },
      { method: 'securityGroups.ensure again', ask: ensure(group), wanted: line(53), optional: true },
      { method: 'securityGroups.ensure changed', ask: ensure(changed), wanted: line(80) },
      ...readingSteps('securityGroups', ({ securityGroups }) => securityGroups, owner, group),
      removal('securityGroups.remove', ({ securityGroups }) => securityGroups.remove(owner, group)),
    ],
  };
}

export async function serverOf(
  stage: Stage,
  { networkId }: { readonly networkId?: string } = {},
): Promise<WantedServer> {
  const { materials } = stage;
  const id = systemWorld.uuid();
  return {
    id,
    name: `web-${id}`,
    flavorId: materials.flavorId,
    imageId: materials.imageId,
    networkId: networkId ?? (await stage.networkId()),
    securityGroupIds: [],
    publicIP: 'wanted',
    allowedAddressPairs: [],
    keyPair: 'identity',
    metadata: {},
  };
}

/** Asks for a server until it runs. */
export function running(owner: IdentityReference, wanted: WantedServer): Question {
  return async ({ servers }) => {
    const { state, observed } = await servers.ensure(owner, wanted);
    if (observed.status === 'error') throw new Error(`the server is in error: ${observed.fault ?? ''}`);
    return shown(state === 'present' && observed.status === 'active' && observed.task === 'idle');
  };
}

export async function aServer(stage: Stage): Promise<Life> {
  const { call, owner, projectId, materials } = stage;
  const server = await serverOf(stage);
  const port = `server-${server.id}`;
  const bare = [`port ${port}`, `server ${server.name}`];
  const wanted = [...bare, `public address of ${port}`];
  const power = (method: string, status: ObservedServer['status'], word: PowerVerb): Step => ({
    method: `servers.${method}`,
    ask: verb(stage, server, {
      is: (observed) => observed.status === status,
      tell: ({ servers }) => servers.power(owner, server, word),
    }),
    optional: true,
  });
  return {
    seen: () => inventoryOf(call, projectId),
    steps: [
      { method: 'servers.ensure', ask: running(owner, server), wanted },
      { method: 'servers.ensure again', ask: running(owner, server), optional: true },
      {
        method: 'servers.ensure without address',
        ask: running(owner, { ...server, publicIP: 'unwanted' }),
        wanted: bare,
      },
      { method: 'servers.ensure with address', ask: running(owner, server), wanted },
      ...readingSteps('servers', ({ servers }) => servers, owner, server),
      power('stop', 'shutoff', 'stop'),
      power('start', 'active', 'start'),
      { method: 'servers.reboot', ask: reboot(stage, server), optional: true },
      {
        method: 'servers.consoleOutput',
        ask: async ({ servers }) => shown((await servers.consoleOutput(owner, server, 10)) !== ''),
        optional: true,
      },
      {
        method: 'servers.consoleSession',
        ask: async ({ servers }) => shown((await servers.consoleSession(owner, server)).url !== ''),
        optional: true,
      },
      {
        method: 'servers.rebuild',
        ask: verb(stage, server, {
          is: ({ status, imageId }) => status === 'active' && imageId === materials.otherImageId,
          tell: ({ servers }) => servers.rebuild(owner, server, materials.otherImageId),
        }),
        wanted,
        optional: true,
      },
      removal('servers.remove', ({ servers }) => servers.remove(owner, server)),
    ],
  };
}

interface Verb {
  readonly is: (server: ObservedServer) => boolean;
  readonly tell: (provider: Provider) => Promise<unknown>;
}

/** Asks for a verb until the server is as the verb makes it. */
function verb({ owner }: Stage, wanted: WantedServer, { is, tell }: Verb): Question {
  return async (provider) => {
    const observed = await observedServer(provider, owner, wanted);
    if (observed.task === 'active') return 'pending';
    if (is(observed)) return 'done';
    await tell(provider);
    return 'pending';
  };
}

async function observedServer(
  { servers }: Provider,
  owner: IdentityReference,
  wanted: WantedServer,
): Promise<ObservedServer> {
  const presence = await servers.observe(owner, wanted);
  if (presence.state === 'absent') throw new Error('the server is gone');
  return presence.observed;
}

/** A reboot leaves no trace, so it is asked for until it is accepted. */
function reboot({ owner }: Stage, wanted: WantedServer): Question {
  let isAccepted = false;
  return async (provider) => {
    const observed = await observedServer(provider, owner, wanted);
    if (observed.task === 'active') return 'pending';
    if (isAccepted) return shown(observed.status === 'active');
    await provider.servers.power(owner, wanted, 'hardreboot');
    isAccepted = true;
    return 'pending';
  };
}

/** On the driver `ovn`, which completes every change at once, and leaves parts pending after a change of a monitor. */
export function aSwiftLoadBalancer(stage: Stage): Promise<Life> {
  return loadBalancerLife(stage, 'swiftLoadBalancers');
}

/** On the driver `amphora`, which starts a server for each load balancer. */
export function aLoadBalancer(stage: Stage): Promise<Life> {
  return loadBalancerLife(stage, 'loadBalancers');
}

async function loadBalancerLife(
  { call, owner, projectId, networkId }: Stage,
  part: 'loadBalancers' | 'swiftLoadBalancers',
): Promise<Life> {
  const id = systemWorld.uuid();
  const member = (last: number) => ({ address: `10.0.0.${last}`, port: 8080 });
  const healthCheck = { intervalSeconds: 5, timeoutSeconds: 2, healthyThreshold: 2, unhealthyThreshold: 2 };
  const listener = (
    name: string,
    port: number,
    members: readonly { address: string; port: number }[],
    check?: typeof healthCheck,
  ) =>
    ({
      name,
      protocol: 'tcp',
      port,
      allowedCIDRs: [],
      pool: { proxyProtocolV2: false, members, ...(check ? { healthCheck: check } : {}) },
    }) as const;
  const first: WantedLoadBalancer = {
    id,
    networkId: await networkId(),
    publicIP: 'wanted',
    listeners: [listener('web', 80, [member(200), member(201)], healthCheck), listener('old', 81, [member(202)])],
  };
  const second: WantedLoadBalancer = {
    ...first,
    publicIP: 'unwanted',
    listeners: [listener('web', 80, [member(201), member(203)]), listener('new', 82, [member(202)])],
  };
  const balancer = `load balancer lb-${id}`;
  const lines = (name: string, members: string) => [
    `listener lb-${id}-${name}-listener`,
    `pool lb-${id}-${name}-pool: ${members}`,
  ];
  const wanted = [
    balancer,
    'public address of a load balancer',
    `monitor lb-${id}-web-monitor`,
    ...lines('web', '10.0.0.200, 10.0.0.201'),
    ...lines('old', '10.0.0.202'),
  ];
  const changed = [balancer, ...lines('web', '10.0.0.201, 10.0.0.203'), ...lines('new', '10.0.0.202')];
  const of = (provider: Provider): LoadBalancers => provider[part];
  const ensure =
    (as: WantedLoadBalancer): Question =>
    (provider) =>
      settled(of(provider).ensure(owner, as));
  return {
    seen: () => inventoryOf(call, projectId),
    steps: [
      { method: `${part}.ensure`, ask: ensure(first), wanted },
      { method: `${part}.ensure again`, ask: ensure(first), wanted, optional: true },
      { method: `${part}.ensure changed`, ask: ensure(second), wanted: changed },
      ...readingSteps(part, of, owner, second),
      removal(`${part}.remove`, (provider) => of(provider).remove(owner, { id })),
    ],
  };
}

export function anImage({ call, freshImage, materials }: Stage): Life {
  const image = freshImage();
  const wanted = [`image ${image.name} ${image.id} active`];
  const ensure: Question = async ({ images }) => {
    const { state } = await images.import(image, materials.imageUri);
    if (state === 'failed') throw new Error('the import has failed');
    return shown(state === 'ready');
  };
  return {
    seen: () => imagesNamed(call, image.name),
    steps: [
      { method: 'images.import', ask: ensure, wanted },
      { method: 'images.import again', ask: ensure, wanted, optional: true },
      {
        method: 'images.list',
        ask: async ({ images }) => {
          const listed = await images.list({ ownedBy: [image.organizationId] });
          return shown(listed.length === 1 && listed[0]?.id === image.id);
        },
        wanted,
        optional: true,
      },
      { method: 'images.remove', ask: ({ images }) => settled(images.remove(image.id)), wanted: [] },
    ],
  };
}

export async function aSnapshot({ call, owner, freshImage, server }: Stage): Promise<Life> {
  const image = freshImage();
  const source = await server();
  let id = '';
  const make: Question = async ({ servers }) => {
    const made = await servers.snapshot(owner, source, image);
    if (made.state === 'failed') throw new Error('the snapshot has failed');
    ({ id } = made);
    return shown(made.state === 'ready');
  };
  const wanted = [`image ${image.name} active`];
  return {
    seen: async () => (await imagesNamed(call, image.name)).map((line) => line.replace(/ [0-9a-f-]{36} (?=\w+$)/, ' ')),
    steps: [
      { method: 'servers.snapshot', ask: make, wanted },
      { method: 'servers.snapshot again', ask: make, wanted, optional: true },
      {
        method: 'images.list of a snapshot',
        ask: async ({ images }) => {
          const [found] = await images.list({ ownedBy: [image.organizationId] });
          return shown(found?.id === id && found.state === 'ready');
        },
        wanted,
      },
      { method: 'images.remove of a snapshot', ask: ({ images }) => settled(images.remove(id)), wanted: [] },
    ],
  };
}

async function imagesNamed(call: Caller, name: string): Promise<readonly string[]> {
  const { images } = await call('image', 'GET', `/v2/images?name=${name}&visibility=all`);
  return images.map(({ id, status }: { id: string; status: string }) => `image ${name} ${id} ${status}`);
}

export function imageOf(id: string): FreshImage {
  return {
    id,
    name: `image-${id}`,
    organizationId: systemWorld.uuid(),
    tags: [],
    architecture: 'x86_64',
    virtualization: 'virtualized',
    os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '12' },
    softwareVersions: {},
  };
}

/** The methods that only read the catalogue. They leave nothing in the cloud. */
export function aCatalogue(): Life {
  return {
    seen: () => Promise.resolve([]),
    steps: [
      { method: 'flavors', ask: async (provider) => shown((await provider.flavors()).length > 0), wanted: [] },
      {
        method: 'volumeClasses',
        ask: async (provider) => {
          await provider.volumeClasses();
          return 'done';
        },
        wanted: [],
      },
      {
        method: 'externalNetworks',
        ask: async (provider) => shown((await provider.externalNetworks()).length > 0),
        wanted: [],
      },
      { method: 'images.list', ask: async ({ images }) => shown((await images.list()).length > 0), wanted: [] },
    ],
  };
}
