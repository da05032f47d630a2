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

import { BareCloud, makeBareServer, removeBareServer } from './openstack-bare.ts';
import { startRecordedCloud } from './openstack-recording.ts';
import { percentile, type Figure } from './report.ts';
import { smoke } from './scale.ts';
import { seconds } from './workspace.ts';

const world = systemWorld;
/** Pause between two looks at a server that is being built. The same for the provider and for the bare calls. */
const look_ms = 250;
const rounds = smoke ? 1 : 5;

/** How to reach a real cloud; `e2e/openstack` writes it. */
const Access = Type.Object({
  authUrl: Type.String(),
  region: Type.String(),
  password: Type.String(),
  regionUser: Type.Object({ user: Type.String(), domain: Type.String(), project: Type.String() }),
  externalNetworkTag: Type.String(),
});

interface Stage {
  readonly provider: CloudProvider;
  /** The time that each call took, in seconds. */
  readonly calls: number[];
  readonly identity: IdentityReference;
  readonly store: ReturnType<typeof openMemoryStore>;
  readonly close: () => Promise<void>;
}

function openRegion(settings: OpenstackSettings, secret: Readonly<Record<string, string>>): Stage {
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const calls: number[] = [];
  const region = new OpenstackRegion({
    regionId: world.uuid(),
    store,
    world,
    telemetry: silentTelemetry(),
    settings,
    secret: () => Promise.resolve(secret),
    onCall: ({ duration_ms }) => calls.push(duration_ms / 1000),
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

/** Creates a server and looks at it until it runs. Returns the seconds that it waited between looks. */
async function toRunning({ provider, identity }: Stage, wanted: WantedServer): Promise<number> {
  let waited = 0;
  let seen = await provider.servers.ensure(identity, wanted);
  while (seen.state !== 'present' || seen.observed.status !== 'active') {
    waited += await seconds(() => world.sleep(look_ms));
    const presence = await provider.servers.observe(identity, wanted);
    if (presence.state === 'absent') throw new Error('the cloud has lost the server');
    if (presence.observed.status === 'error') throw new Error('the cloud could not build the server');
    seen = presence;
  }
  return waited;
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
    const figure = (name: string, value: number, least: number, why: string): Figure => ({
      name,
      settings: 'recorded cloud, no public address, no security group',
      value,
      unit: 'calls',
      baseline: { name: why, value: least },
    });
    const ensure = await counted(() => provider.servers.ensure(identity, wanted));
    const observe = await counted(() => provider.servers.observe(identity, wanted));
    const again = await counted(() => provider.servers.ensure(identity, wanted));
    return [
      figure('server created', ensure, 2, 'the calls that make the port and the server'),
      figure('each look at one building server', observe, 1, 'one list of servers'),
      figure('server to Running, with one look', ensure + observe, 3, 'two calls that make, one list'),
      figure('server ensured again, nothing to change', again, 1, 'one list of servers'),
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
    const [ours, theirs]: [number[], number[]] = [[], []];
    const { calls } = stage;
    const counts: number[] = [];
    const [working, calling]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds} in the real cloud`);
      const wanted = wantedServer(world.uuid(), parts);
      made.push(wanted);
      calls.length = 0;
      let waited = 0;
      const elapsed = await seconds(async () => {
        waited = await toRunning(stage, wanted);
      });
      ours.push(elapsed);
      counts.push(calls.length);
      working.push(elapsed - waited);
      calling.push(sum(calls));
      const name = `bare-${world.uuid()}`;
      bareNames.push(name);
      const cloud = bare;
      theirs.push(
        await seconds(() => makeBareServer(cloud, { ...parts, name, cloudNetworkId: observed.networkId, look_ms })),
      );
    }
    const lists = await listsInTurn(stage, bare);
    const settings = `real cloud, median of ${rounds}, a look every ${look_ms} ms`;
    const compared = (name: string, value: number, baseline: NonNullable<Figure['baseline']>): Figure => ({
      name,
      settings,
      value,
      unit: 's',
      baseline,
      goal: { text: 'at most 1.10 times', met: value <= baseline.value * 1.1 },
    });
    return [
      { name: 'server from the first call until ACTIVE', settings, value: percentile(counts, 0.5), unit: 'calls' },
      compared('server from the first call until ACTIVE', percentile(ours, 0.5), {
        name: 'the same calls made bare',
        value: percentile(theirs, 0.5),
      }),
      // The cloud takes another time for each server, so the bare calls of other servers are a rough measure.
      compared('server until ACTIVE, without the pauses between looks', sum(working), {
        name: 'the time in which a call was made',
        value: sum(calling),
      }),
      { name: 'monitor, one principal', settings, value: lists.calls, unit: 'calls' },
      compared('monitor, one principal', percentile(lists.ours, 0.5), {
        name: 'the same lists made bare',
        value: percentile(lists.theirs, 0.5),
      }),
    ];
  } finally {
    progress('removing everything from the real cloud');
    if (bare) for (const name of bareNames) await removeBareServer(bare, name);
    for (const wanted of made)
      while ((await provider.servers.remove(identity, wanted)).state !== 'absent') await world.sleep(1_000);
    await provider.networks.remove(identity, { id: networkId });
    await provider.identities.remove(identity);
    await stage.close();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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
