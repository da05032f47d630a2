import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { CloudProvider, IdentityReference, WantedServer } from '@unikorn/region/provider';
import {
  OpenstackIdentity,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
  type OpenstackSettings,
} from '@unikorn/region/providers/openstack';

import { BareCloud, makeBareServer, removeBareServer, type BareServer } from './openstack-bare.ts';
import { startRecordedCloud } from './openstack-recording.ts';
import { percentile, type Figure } from './report.ts';
import { smoke } from './scale.ts';
import { seconds } from './workspace.ts';

const world = systemWorld;
/** Pause between two looks at a server that is being built. The same for the provider and for the bare calls. */
const look_ms = 250;
/** Of servers in a real cloud. A multiple of three, so that each of the three sides begins equally often. */
const rounds = 12;

/** How to reach a real cloud; `e2e/openstack` writes it. */
const Access = Type.Object({
  authUrl: Type.String(),
  region: Type.String(),
  password: Type.String(),
  regionUser: Type.Object({ user: Type.String(), domain: Type.String(), project: Type.String() }),
  externalNetworkTag: Type.String(),
});

/** From and to, in milliseconds. */
type Interval = readonly [number, number];

interface Stage {
  readonly provider: CloudProvider;
  /** When each call was made and answered. */
  readonly calls: Interval[];
  readonly identity: IdentityReference;
  readonly store: ReturnType<typeof openMemoryStore>;
  readonly close: () => Promise<void>;
}

function openRegion(settings: OpenstackSettings, secret: Readonly<Record<string, string>>): Stage {
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const calls: Interval[] = [];
  const region = new OpenstackRegion({
    regionId: world.uuid(),
    store,
    world,
    telemetry: silentTelemetry(),
    settings,
    secret: () => Promise.resolve(secret),
    onCall: ({ duration_ms }) => calls.push([performance.now() - duration_ms, performance.now()]),
  });
  return {
    provider: openstackProvider(region),
    calls,
    store,
    identity: { id: world.uuid(), organizationId: world.uuid(), projectId: world.uuid() },
    close: async () => {
      await region.close();
      await store.close();
    },
  };
}

function wantedServer(id: string, parts: Pick<WantedServer, 'flavorId' | 'imageId' | 'networkId'>): WantedServer {
  return {
    ...parts,
    id,
    name: `bench-${id}`,
    securityGroupIds: [],
    publicIP: 'unwanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    metadata: {},
  };
}

interface Making {
  /** Seconds until the cloud has accepted the server. */
  readonly accepted: number;
  /** Seconds between looks. */
  readonly waited: number;
}

/** Creates a server and looks at it until it runs. */
async function toRunning({ provider, identity }: Stage, wanted: WantedServer): Promise<Making> {
  const begun = performance.now();
  let waited = 0;
  let seen = await provider.servers.ensure(identity, wanted);
  const accepted = (performance.now() - begun) / 1000;
  while (seen.state !== 'present' || seen.observed.status !== 'active') {
    waited += await seconds(() => world.sleep(look_ms));
    const presence = await provider.servers.observe(identity, wanted);
    if (presence.state === 'absent') throw new Error('the cloud has lost the server');
    if (presence.observed.status === 'error') throw new Error('the cloud could not build the server');
    seen = presence;
  }
  return { accepted, waited };
}

/** Seconds in which at least one call was under way. */
function busy(calls: readonly Interval[]): number {
  let [sum_ms, end_ms] = [0, -Infinity];
  for (const [from, to] of calls.toSorted(([one], [other]) => one - other)) {
    sum_ms += Math.max(0, to - Math.max(from, end_ms));
    end_ms = Math.max(end_ms, to);
  }
  return sum_ms / 1000;
}

/** What one side took for its servers, one value for each server. */
interface Side {
  /** Seconds until the server is active. */
  readonly total: number[];
  /** Seconds until the cloud has accepted it. */
  readonly accepted: number[];
  /** Milliseconds of the processor, in this process. */
  readonly cpu_ms: number[];
}

function newSide(): Side {
  return { total: [], accepted: [], cpu_ms: [] };
}

interface OurSide extends Side {
  /** Calls of the cloud. */
  readonly calls: number[];
  /** Milliseconds that are neither in a call nor between looks. */
  readonly own_ms: number[];
}

function newOurSide(): OurSide {
  return { ...newSide(), calls: [], own_ms: [] };
}

/** Measures the making of one server, which returns the seconds until it was accepted. */
async function measure(side: Side, make: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const total = await seconds(async () => {
    side.accepted.push(await make());
  });
  const { user, system } = process.cpuUsage(before);
  side.total.push(total);
  side.cpu_ms.push((user + system) / 1000);
  return total;
}

/** The calls of one server in a recorded cloud, in which it runs at the second look. */
async function countedCalls(): Promise<readonly Figure[]> {
  const cloud = await startRecordedCloud(new Map());
  const secret = { 'domain-id': 'd', 'project-id': 'region', 'user-id': 'u', password: 'recorded' };
  const stage = openRegion({ endpoint: `${cloud.address}/identity` }, secret);
  const { provider, identity, calls, store } = stage;
  try {
    await store.create(OpenstackIdentity, {
      metadata: { name: identity.id },
      spec: { projectID: identity.id, userID: 'u', password: 'recorded', sshKeyName: 'recorded' },
    });
    const parts = { flavorId: 'f', imageId: world.uuid(), networkId: 'n' };
    // Tokens and versions are asked for once, with the first server.
    await toRunning(stage, wantedServer(world.uuid(), parts));
    const wanted = wantedServer(world.uuid(), parts);
    const counted = async (work: () => Promise<unknown>): Promise<number> => {
      calls.length = 0;
      await work();
      return calls.length;
    };
    const figure = (name: string, value: number, most: number, least: number, why: string): Figure => ({
      name,
      settings: 'recorded cloud, no public address, no security group',
      value,
      unit: 'calls',
      baseline: { name: why, value: least },
      goal: { text: `at most ${most}`, met: value <= most, decides: true },
    });
    const ensure = await counted(() => provider.servers.ensure(identity, wanted));
    const observe = await counted(() => provider.servers.observe(identity, wanted));
    const again = await counted(() => provider.servers.ensure(identity, wanted));
    return [
      figure('server created', ensure, 7, 4, 'the least calls of a careful client'),
      figure('each look at one building server', observe, 1, 1, 'one list of servers'),
      figure('server to Running, with one look', ensure + observe, 8, 5, 'the least calls of a careful client'),
      figure('server ensured again, nothing to change', again, 3, 1, 'one list of servers'),
    ];
  } finally {
    await stage.close();
    await cloud.stop();
  }
}

/** Time to ACTIVE in a real cloud, by the provider and by bare calls, in turn. */
async function realCloud(folder: string, progress: (text: string) => void): Promise<readonly Figure[]> {
  const access = Value.Parse(Access, JSON.parse(await readFile(join(folder, 'cloud.json'), 'utf8')));
  const { authUrl, region: regionName, password, regionUser, externalNetworkTag } = access;
  const domain = { name: regionUser.domain };
  const holder = await BareCloud.logIn(authUrl, {
    user: { name: regionUser.user, domain, password },
    project: { name: regionUser.project, domain },
  });
  const stage = openRegion(
    { endpoint: authUrl, regionName, network: { externalNetworks: { selector: { tags: [externalNetworkTag] } } } },
    { 'domain-id': holder.domainId, 'project-id': holder.projectId, 'user-id': holder.userId, password },
  );
  const { provider, identity, store } = stage;
  const networkId = world.uuid();
  const made: WantedServer[] = [];
  const bareNames: string[] = [];
  let bare: BareCloud | undefined;
  try {
    progress('an identity and a network in the real cloud');
    await provider.identities.ensure(identity);
    const { observed } = await provider.networks.ensure(identity, {
      id: networkId,
      prefix: '10.0.0.0/24',
      reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
      dnsNameservers: [],
      routes: [],
    });
    const flavors = (await provider.flavors()).toSorted((one, other) => one.memory_bytes - other.memory_bytes);
    const images = await provider.images.list({ availableTo: [], states: ['ready'] });
    const [flavor, image] = [flavors[0], images[0]];
    if (!flavor || !image) throw new Error('the real cloud offers no flavor or no image');
    const parts = { flavorId: flavor.id, imageId: image.id, networkId };
    const record = (await store.get(OpenstackIdentity, identity.id))?.spec;
    bare = await BareCloud.logIn(authUrl, {
      user: { id: record?.userID ?? '', password: record?.password ?? '' },
      project: { id: record?.projectID ?? '' },
    });
    const [ours, same, least] = [newOurSide(), newSide(), newSide()];
    const { calls } = stage;
    const cloud = bare;
    const makeOurs = async (side = ours) => {
      const wanted = wantedServer(world.uuid(), parts);
      made.push(wanted);
      calls.length = 0;
      let waited = 0;
      const total = await measure(side, async () => {
        const making = await toRunning(stage, wanted);
        waited = making.waited;
        return making.accepted;
      });
      side.calls.push(calls.length);
      side.own_ms.push((total - waited - busy(calls)) * 1000);
    };
    const makeBare = async (bareCalls: BareServer['calls'], side: Side) => {
      const name = `bare-${world.uuid()}`;
      bareNames.push(name);
      const network = { cloudNetworkId: observed.networkId, cloudNetworkName: `network-${networkId}` };
      await measure(side, () => makeBareServer(cloud, { ...parts, ...network, name, look_ms, calls: bareCalls }));
    };
    progress('one server of each side, which logs in and reads the versions of the cloud');
    await makeOurs(newOurSide());
    await makeBare('the same', newSide());
    const sides = [() => makeOurs(), () => makeBare('the same', same), () => makeBare('the least', least)];
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds} in the real cloud`);
      // What slows the machine down for a while hits all sides, and each of them begins equally often.
      for (let turn = 0; turn < sides.length; turn++) await sides[(round + turn) % sides.length]?.();
    }
    const lists = await listsInTurn(stage, bare);
    const settings = `real cloud, median of ${rounds}, a look every ${look_ms} ms`;
    const compared = (
      name: string,
      values: readonly number[],
      baseline: readonly number[],
      bareSide: string,
    ): Figure => {
      const [value, other] = [percentile(values, 0.5), percentile(baseline, 0.5)];
      return {
        name,
        settings,
        value,
        unit: 's',
        baseline: { name: bareSide, value: other },
        goal: { text: 'at most 1.10 times', met: value <= other * 1.1 },
      };
    };
    const [sameBare, leastBare] = ['the same calls, bare', 'the least calls of a careful client, bare'];
    const untilActive = 'server from the first call until ACTIVE';
    return [
      { name: untilActive, settings, value: percentile(ours.calls, 0.5), unit: 'calls' },
      compared(untilActive, ours.total, same.total, sameBare),
      {
        name: untilActive,
        settings,
        value: percentile(ours.total, 0.5),
        unit: 's',
        baseline: { name: leastBare, value: percentile(least.total, 0.5) },
      },
      compared('server until the cloud has accepted it', ours.accepted, same.accepted, sameBare),
      {
        name: 'of that time, neither in a call nor between looks',
        settings,
        value: percentile(ours.own_ms, 0.5),
        unit: 'ms',
      },
      {
        name: 'CPU of this process, one server until ACTIVE',
        settings,
        value: percentile(ours.cpu_ms, 0.5),
        unit: 'ms',
        baseline: { name: sameBare, value: percentile(same.cpu_ms, 0.5) },
      },
      { name: 'monitor, one principal', settings, value: lists.calls, unit: 'calls' },
      compared('monitor, one principal', lists.ours, lists.theirs, 'the same lists made bare'),
    ];
  } finally {
    progress('removing everything from the real cloud');
    const bareCloud = bare;
    if (bareCloud) await Promise.all(bareNames.map((name) => removeBareServer(bareCloud, name)));
    await Promise.all(
      made.map(async (wanted) => {
        while ((await provider.servers.remove(identity, wanted)).state !== 'absent') await world.sleep(1_000);
      }),
    );
    await provider.networks.remove(identity, { id: networkId });
    await provider.identities.remove(identity);
    await stage.close();
  }
}

/** The list of all servers of a principal, as the monitor reads it, and the same with bare requests, in turn. */
async function listsInTurn({ provider, identity, calls }: Stage, bare: BareCloud) {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 4 * rounds; turn++) {
    calls.length = 0;
    ours.push(await seconds(() => provider.servers.list(identity)));
    theirs.push(
      await seconds(async () => {
        await bare.list('compute', 'servers', '/servers/detail?limit=1000');
        await bare.list('network', 'floatingips', `/v2.0/floatingips?limit=1000&project_id=${bare.projectId}`);
      }),
    );
  }
  return { ours, theirs, calls: calls.length };
}

export async function openstackServerFigures(progress: (text: string) => void): Promise<readonly Figure[]> {
  const folder = process.env['UNIKORN_OPENSTACK'];
  return [...(await countedCalls()), ...(folder === undefined || smoke ? [] : await realCloud(folder, progress))];
}
