import { virtualWorld } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type {
  CloudProvider,
  IdentityReference,
  ImageDescription,
  ObservedServer,
  PowerVerb,
  WantedNetwork,
  WantedSecurityGroup,
  WantedServer,
} from '../../packages/region/src/provider/index.ts';
import { access, asAdministrator } from './cloud.fixture.ts';
import type { Caller } from './cloud/caller.ts';
import { askThroughFaults, openFaultyRegion, Tally, type FaultyRegion, type Question } from './faults.fixture.ts';
import { inventoryOf, inventoryOfIdentity, removeIdentity } from './inventory.fixture.ts';
import { faults, type Fault, type ProxiedCall } from './proxy.fixture.ts';

/*
 * Calls of the cloud go wrong, and the process dies between them. Afterwards the provider is asked again, and an
 * administrator counts what there is.
 */

const seed = Number(process.env['UNIKORN_SEED'] ?? systemWorld.now() % 1_000_000);
const dice = virtualWorld(seed);
const tally = new Tally();
/** Where the cloud is slower, fewer of the costly calls go wrong. */
const budgetEnd = systemWorld.monotonic_ms() + 150_000;
const identities: string[] = [];
let region: FaultyRegion;
let call: Caller;
/** The identity of everything that is no identity itself. */
let owner: IdentityReference;
let projectId: string;

beforeAll(async () => {
  call = await asAdministrator();
  region = await openFaultyRegion();
  owner = freshIdentity();
  await ask('setup', none, async ({ identities: part }) => {
    projectId = (await part.ensure(owner)).observed.providerId;
    return 'done';
  });
});

afterAll(async () => {
  console.log(
    `${tally.combinations} combinations of call and fault ran (${tally.total} faults at ${tally.calls} different calls, seed ${seed})`,
  );
  await region.close();
  for (const id of identities) await removeIdentity(call, id);
});

function freshIdentity(): IdentityReference {
  const id = systemWorld.uuid();
  identities.push(id);
  return { id, organizationId: systemWorld.uuid(), projectId: systemWorld.uuid() };
}

/** The fault of each call, if it gets one. */
type Faults = (call: ProxiedCall) => Fault | undefined;

const always =
  (fault: Fault): Faults =>
  () =>
    fault;

function among(choice: readonly Fault[]): Faults {
  return () => choice[Math.floor(dice.random() * choice.length)];
}

const none: Faults = () => undefined;
const any = among(faults);
/** Besides `stale`: where the cloud hides what was made, these parts would make it a second time. */
const anyButStale = among(faults.filter((fault) => fault !== 'stale'));

/** Every third call, and none after the budget is used up. */
const some: Faults = (disturbed) =>
  systemWorld.monotonic_ms() < budgetEnd && dice.random() < 1 / 3 ? anyButStale(disturbed) : undefined;

function ask(method: string, fault: Faults, question: Question): Promise<void> {
  return askThroughFaults(question, { region, tally, method, fault });
}

const settled = async (asked: Promise<{ readonly state: string }>) =>
  (await asked).state === 'pending' ? 'pending' : 'done';

interface Life {
  /** The name of the part of the provider, such as `networks`. */
  readonly part: string;
  readonly ensure: Question;
  readonly remove: Question;
  readonly seen: () => Promise<readonly string[]>;
  /** The lines that the inventory has while the thing exists, besides those that it had before. */
  readonly wanted: readonly string[];
}

/** Makes a thing and removes it through faults, and counts after each. */
async function live({ part, ensure, remove, seen, wanted }: Life, fault: Faults): Promise<void> {
  const before = await seen();
  await ask(`${part}.ensure`, fault, ensure);
  expect(await seen()).toEqual([...before, ...wanted].toSorted());
  await ask(`${part}.remove`, fault, remove);
  expect(await seen()).toEqual(before);
}

const ofProject = () => inventoryOf(call, projectId);

function anIdentity(): Life {
  const identity = freshIdentity();
  return {
    part: 'identities',
    ensure: ({ identities: part }) => settled(part.ensure(identity)),
    remove: ({ identities: part }) => settled(part.remove(identity)),
    seen: () => inventoryOfIdentity(call, identity.id),
    wanted: [
      'key unikorn-openstack-provider',
      `project organization=${identity.organizationId} project=${identity.projectId}`,
      'role load-balancer_member of its user',
      `role manager of ${access.regionUser.user}`,
      'role member of its user',
      'server group',
      'user',
    ],
  };
}

function networkOf(id: string): WantedNetwork {
  return {
    id,
    prefix: '10.0.0.0/24',
    reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
    dnsNameservers: ['1.1.1.1'],
    routes: [],
  };
}

function aNetwork(): Life {
  const wanted = networkOf(systemWorld.uuid());
  const name = `network-${wanted.id}`;
  return {
    part: 'networks',
    ensure: ({ networks }) => settled(networks.ensure(owner, wanted)),
    remove: ({ networks }) => settled(networks.remove(owner, wanted)),
    seen: ofProject,
    wanted: [`network ${name}`, 'port of a router', `router ${name}`, `subnet ${name}`],
  };
}

function aSecurityGroup(): Life {
  const wanted: WantedSecurityGroup = {
    id: systemWorld.uuid(),
    rules: [
      { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } },
      { direction: 'ingress', protocol: 'udp', ports: { start: 53, end: 53 } },
    ],
  };
  const rules = 'egress IPv4 any *, egress IPv6 any *, ingress IPv4 tcp 22, ingress IPv4 udp 53';
  return {
    part: 'securityGroups',
    ensure: ({ securityGroups }) => settled(securityGroups.ensure(owner, wanted)),
    remove: ({ securityGroups }) => settled(securityGroups.remove(owner, wanted)),
    seen: ofProject,
    wanted: [`security group securitygroup-${wanted.id}: ${rules}`],
  };
}

describe.each([
  ['a security group', aSecurityGroup, any],
  ['a network', aNetwork, any],
  ['an identity', anIdentity, anyButStale],
] as const)('%s', (_, make, mixed) => {
  it('exists once, and is gone, although the answer of each call was dropped once', () => live(make(), always('drop')));

  it('exists once, and is gone, although the process was killed after each call', () => live(make(), always('kill')));

  it('exists once, and is gone, although each call went wrong in some way', () => live(make(), mixed));
});

it.each([
  ['a security group', aSecurityGroup],
  ['a network', aNetwork],
])('%s exists once, although lists did not show it yet', async (_, make) => {
  const thing = make();
  const before = await thing.seen();
  await thing.ensure(region.start().provider);
  await ask(`${thing.part}.ensure`, always('stale'), thing.ensure);
  expect(await thing.seen()).toEqual([...before, ...thing.wanted].toSorted());
  await ask(`${thing.part}.remove`, always('stale'), thing.remove);
  expect(await thing.seen()).toEqual(before);
});

it('every call of these methods was lost once, and the process was killed after it once', () => {
  for (const part of ['securityGroups', 'networks', 'identities'])
    for (const method of ['ensure', 'remove']) expect(tally.missing(`${part}.${method}`, ['drop', 'kill'])).toEqual([]);
});

/** These take the cloud long, so only some of their calls go wrong, chosen by the seed. */
describe('on a network', () => {
  const networkId = systemWorld.uuid();
  let flavorId: string;
  let imageId: string;
  let otherImageId: string;

  beforeAll(async () => {
    await ask('setup', none, ({ networks }) => settled(networks.ensure(owner, networkOf(networkId))));
    const { flavors } = await call('compute', 'GET', '/flavors');
    flavorId = flavors.find(({ name }: { name: string }) => name === 'm1.tiny').id;
    imageId = (await call('image', 'GET', '/v2/images?name=debian-12')).images[0].id;
    otherImageId = (await call('image', 'GET', '/v2/images?name=ubuntu-24.04')).images[0].id;
  });

  function serverOf(id: string): WantedServer {
    return {
      id,
      name: `web-${id}`,
      flavorId,
      imageId,
      networkId,
      securityGroupIds: [],
      publicIP: 'wanted',
      allowedAddressPairs: [],
      keyPair: 'identity',
      metadata: {},
    };
  }

  /** Whether a server is as the condition says and the cloud does not work on it. */
  async function isAt(provider: CloudProvider, wanted: WantedServer, is: (server: ObservedServer) => boolean) {
    const presence = await provider.servers.observe(owner, wanted);
    if (presence.state === 'absent') throw new Error('the server is gone');
    const { observed } = presence;
    return observed.task === 'active' ? 'busy' : is(observed) ? 'yes' : 'no';
  }

  /** Asks for a verb until the server is as the verb makes it. */
  function verb(
    wanted: WantedServer,
    { is, tell }: { is: (server: ObservedServer) => boolean; tell: (provider: CloudProvider) => Promise<unknown> },
  ): Question {
    return async (provider) => {
      const sight = await isAt(provider, wanted, is);
      if (sight === 'no') await tell(provider);
      return sight === 'yes' ? 'done' : 'pending';
    };
  }

  it('a server exists once, obeys its verbs once, and is gone', async () => {
    const wanted = serverOf(systemWorld.uuid());
    const before = await ofProject();
    const port = `server-${wanted.id}`;
    const lines = [`port ${port}`, `public address of ${port}`, `server ${wanted.name}`];
    await ask('servers.ensure', some, async ({ servers }) => {
      const { state, observed } = await servers.ensure(owner, wanted);
      return state === 'present' && observed.status === 'active' ? 'done' : 'pending';
    });
    expect(await ofProject()).toEqual([...before, ...lines].toSorted());
    const power = (status: ObservedServer['status'], word: PowerVerb) =>
      verb(wanted, {
        is: (server) => server.status === status,
        tell: ({ servers }) => servers.power(owner, wanted, word),
      });
    await ask('servers.stop', some, power('shutoff', 'stop'));
    await ask('servers.start', some, power('active', 'start'));
    await ask(
      'servers.rebuild',
      some,
      verb(wanted, {
        is: (server) => server.status === 'active' && server.imageId === otherImageId,
        tell: ({ servers }) => servers.rebuild(owner, wanted, otherImageId),
      }),
    );
    await ask('servers.consoleOutput', some, async ({ servers }) => {
      await servers.consoleOutput(owner, wanted, 10);
      return 'done';
    });
    expect(await ofProject()).toEqual([...before, ...lines].toSorted());
    await ask('servers.remove', some, ({ servers }) => settled(servers.remove(owner, wanted)));
    expect(await ofProject()).toEqual(before);
  });

  it('a snapshot exists once, and is gone', async () => {
    const wanted = serverOf(systemWorld.uuid());
    const { servers } = region.start().provider;
    const remaining = await ofProject();
    while ((await servers.ensure(owner, wanted)).observed.status !== 'active') await systemWorld.sleep(1000);
    const before = await ofProject();
    const description = imageOf(systemWorld.uuid());
    let snapshotId = '';
    await ask('servers.snapshot', some, async (provider) => {
      snapshotId = (await provider.servers.snapshot(owner, wanted, description)).id;
      return 'done';
    });
    expect(await ofProject()).toEqual([...before, `image ${description.name}`].toSorted());
    await ask('images.list', some, async ({ images }) => {
      const [found] = await images.list({ ownedBy: [description.organizationId] });
      expect(found?.id).toBe(snapshotId);
      return found?.state === 'ready' ? 'done' : 'pending';
    });
    await ask('images.remove', some, ({ images }) => settled(images.remove(snapshotId)));
    expect(await ofProject()).toEqual(before);
    while ((await servers.remove(owner, wanted)).state !== 'absent') await systemWorld.sleep(1000);
    expect(await ofProject()).toEqual(remaining);
  });
});

function imageOf(id: string): ImageDescription & { readonly organizationId: string } {
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
