import { findCondition, labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { systemWorld as world } from '@unikorn/core/world';
import { Region } from '@unikorn/region';
import { FileStorageClass, Network } from '@unikorn/region/kinds';
import { defaultCatalogue, simulatedOperator } from '@unikorn/region/providers/simulated';

import type { Figure, Suite } from './report.ts';
import { percentile } from './report.ts';
import { many, repeats } from './scale.ts';
import { inFile, startServices } from './services.ts';
import { inLanes, inTemporaryFolder } from './workspace.ts';

const [{ id: flavorId } = { id: '' }] = defaultCatalogue.flavors;
const [{ id: imageId } = { id: '' }] = defaultCatalogue.images;
const callers = 32;
/** Number of networks in the project before the measurement. */
const [few, crowd] = [10, many(10_000, 60)];
/**
 * Number of creates of each kind in a round. There are seven rounds at most, and a network may have 256 security
 * groups.
 */
const creates = many(35, 8);
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';

interface Platform {
  readonly store: Store;
  /** Milliseconds until the response, and the id of the created object. */
  readonly post: (path: string, body: object) => Promise<{ readonly took_ms: number; readonly id: string }>;
  readonly scope: { readonly organizationId: string; readonly projectId: string };
  /** Several regions, because the simulated cloud of a region has 4,094 networks. */
  readonly regionIds: readonly string[];
  readonly storageClassId: string;
}

/** All services in this process, regions without delays, and one project. */
function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const { store, found, ask, stop } = await startServices(await inFile(folder));
    const post: Platform['post'] = async (url, payload) => {
      const begun = performance.now();
      const { metadata } = await ask('POST', url, payload);
      return { took_ms: performance.now() - begun, id: metadata.id };
    };
    const organizationId = await found.organization();
    const quotas = (['networks', 'servers', 'loadbalancers', 'filestorage'] as const).map((kind) => ({
      kind,
      quantity: 1_000_000_000_000_000,
    }));
    await ask('PUT', `/identity/api/v1/organizations/${organizationId}/quotas`, { quotas });
    const projectId = await found.project(organizationId);
    const storageClassId = world.uuid();
    const regionIds = Array.from({ length: 3 }, () => world.uuid());
    const [regionId = ''] = regionIds;
    await store.create(FileStorageClass, {
      metadata: { name: storageClassId, labels: { [labels.name]: 'bench', [labels.region]: regionId } },
      spec: { provisioner: 'simulated', protocols: ['nfsv4'] },
    });
    const plenty = { serversPerIdentity: 1_000_000, places: { [flavorId]: 10_000_000 } };
    const instantly = { call_ms: 0, build_ms: 0, delete_ms: 0, loadBalancer_ms: 0, fileStorage_ms: 0 };
    for (const name of regionIds) {
      const metadata = { name, labels: { [labels.name]: 'bench' } };
      await store.create(Region, { metadata, spec: { provider: 'simulated' } });
      await simulatedOperator({ store, world, regionId: name }).turn({ ...instantly, ...plenty });
    }
    const result = await work({ store, post, scope: { organizationId, projectId }, regionIds, storageClassId });
    await stop();
    return result;
  });
}

const metadata = (name: string) => ({ name });

async function addNetworks(
  { post, scope, regionIds }: Platform,
  from: number,
  to: number,
  progress: (text: string) => void,
): Promise<readonly string[]> {
  const ids: string[] = [];
  await inLanes(callers, Math.max(to - from, 0), async (offset) => {
    const { id } = await post('/region/api/v2/networks', {
      metadata: metadata(`net-${from + offset}`),
      spec: { ...scope, regionId: regionIds[offset % regionIds.length], prefix: '10.0.0.0/16', dnsNameservers: [] },
    });
    ids.push(id);
    if (ids.length % 1_000 === 0) progress(`${ids.length.toLocaleString('en')} networks created`);
  });
  return ids;
}

/** Waits until every network is provisioned, so that earlier work does not influence the measurement. */
async function settled({ store }: Platform): Promise<void> {
  const isReady = ({ status }: Network) => findCondition(status?.conditions, 'Available')?.status === 'True';
  while (!(await store.list(Network)).items.every(isReady)) await world.sleep(2_000);
}

type Create = (number: number) => readonly [path: string, body: object];

/** A create of each kind that refers to its project, or to an object in it. */
function createsOf(
  { scope, regionIds: [regionId], storageClassId }: Platform,
  networkId: string,
  round: string,
): Readonly<Record<string, Create>> {
  const name = (number: number) => metadata(`${round}-${number}`);
  const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];
  return {
    network: (number) => [
      '/region/api/v2/networks',
      { metadata: name(number), spec: { ...scope, regionId, prefix: '10.0.0.0/16', dnsNameservers: [] } },
    ],
    'file storage': (number) => [
      '/region/api/v2/filestorage',
      {
        metadata: name(number),
        spec: { ...scope, regionId, storageClassId, sizeGiB: 1, storageType: { NFS: { rootSquash: true } } },
      },
    ],
    instance: (number) => [
      '/compute/api/v2/instances',
      { metadata: name(number), spec: { ...scope, networkId, flavorId, imageId } },
    ],
    'SSH authority': (number) => [
      '/region/api/v2/sshcertificateauthorities',
      { metadata: name(number), spec: { ...scope, publicKey } },
    ],
    'security group': (number) => [
      '/region/api/v2/securitygroups',
      { metadata: name(number), spec: { networkId, rules: [] } },
    ],
    'load balancer': (number) => [
      '/region/api/v2/loadbalancers',
      { metadata: name(number), spec: { networkId, publicIP: false, listeners } },
    ],
  };
}

/** The median time of a create of each kind, with everything else provisioned. */
async function measure(
  platform: Platform,
  networkId: string,
  round: string,
): Promise<Readonly<Record<string, number>>> {
  const medians: Record<string, number> = {};
  for (const [kind, create] of Object.entries(createsOf(platform, networkId, round))) {
    const took_ms: number[] = [];
    await inLanes(4, creates, async (number) => {
      took_ms.push((await platform.post(...create(number))).took_ms);
    });
    medians[kind] = percentile(took_ms, 0.5);
    await world.sleep(500);
  }
  return medians;
}

/** The lowest of several rounds, to reduce the influence of other processes. */
async function least(platform: Platform, networkId: string, round: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (let number = 0; number < repeats; number++) {
    for (const [kind, value] of Object.entries(await measure(platform, networkId, `${round}-${number}`)))
      found[kind] = Math.min(value, found[kind] ?? Infinity);
  }
  return found;
}

/**
 * A create must cost the same, however many users its project has: the project object must not grow, and its users must
 * not write to it.
 */
export const referencesSuite: Suite = {
  name: 'references',
  run: (progress) =>
    withPlatform(async (platform) => {
      const [networkId = ''] = await addNetworks(platform, 0, few, progress);
      await settled(platform);
      await measure(platform, networkId, 'warm');
      progress(`creates with about ${few} networks in the project`);
      const small = await least(platform, networkId, 'few');
      progress(`${crowd} networks in one project`);
      await addNetworks(platform, few, crowd, progress);
      await settled(platform);
      const large = await least(platform, networkId, 'crowd');
      return Object.entries(large).map(([kind, value]): Figure => {
        const before = small[kind] ?? Number.NaN;
        return {
          name: `create of one ${kind}`,
          settings: `${crowd.toLocaleString('en')} networks in its project, median of ${creates}, least of ${repeats}, 4 callers`,
          value,
          unit: 'ms',
          baseline: { name: `with ${few} networks`, value: before },
          goal: { text: 'at most 1.5 times', met: value <= before * 1.5 },
        };
      });
    }),
};
