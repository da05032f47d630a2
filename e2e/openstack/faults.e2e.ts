import { virtualWorld } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type {
  IdentityReference,
  WantedNetwork,
  WantedSecurityGroup,
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
  projectId = (await region.start().provider.identities.ensure(owner)).observed.providerId;
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

/** The fault of each call: always the same one, or any. */
type Faults = (call: ProxiedCall) => Fault;

const always =
  (fault: Fault): Faults =>
  () =>
    fault;
const any: Faults = () => faults[Math.floor(dice.random() * faults.length)] ?? 'drop';

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
  ['a security group', aSecurityGroup],
  ['a network', aNetwork],
  ['an identity', anIdentity],
] as const)('%s', (_, make) => {
  it('exists once, and is gone, although the answer of each call was dropped once', () => live(make(), always('drop')));

  it('exists once, and is gone, although the process was killed after each call', () => live(make(), always('kill')));

  it('exists once, and is gone, although each call went wrong in some way', () => live(make(), any));
});

it('every call of these methods was lost once, and the process was killed after it once', () => {
  for (const part of ['securityGroups', 'networks', 'identities'])
    for (const method of ['ensure', 'remove']) expect(tally.missing(`${part}.${method}`, ['drop', 'kill'])).toEqual([]);
});
