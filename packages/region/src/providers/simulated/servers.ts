import { Compile } from 'typebox/compile';

import {
  ProviderFailure,
  type Ensured,
  type Flavor,
  type ObservedServer,
  type WantedServer,
} from '../../provider/index.ts';
import { pools, settlePublicIP, type Cloud } from './cloud.ts';
import type { SimulatedImages } from './images.ts';
import type { Knobs } from './knobs.ts';
import type { NetworkSort } from './networks.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';
import type { SecurityGroupSort } from './security-groups.ts';
import { observeServer, ServerBody } from './server-state.ts';

const serverBody = Compile(ServerBody);

interface Surroundings {
  readonly networks: NetworkSort;
  readonly groups: SecurityGroupSort;
  readonly images: SimulatedImages;
}

/** How servers are placed, addressed and built. */
export class ServerSort implements Sort<WantedServer, ServerBody, ObservedServer> {
  readonly records: Records<ServerBody>;
  readonly delete_ms = (knobs: Knobs) => knobs.delete_ms;
  readonly #cloud: Cloud;
  readonly #surroundings: Surroundings;

  constructor(cloud: Cloud, surroundings: Surroundings) {
    this.#cloud = cloud;
    this.#surroundings = surroundings;
    this.records = new Records({ ...cloud, sort: 'server', parse: (body) => serverBody.Parse(body) });
  }

  async make(site: Site, wanted: WantedServer): Promise<ServerBody> {
    const { holdings, now, knobs } = site;
    const { networks, groups, images } = this.#surroundings;
    const flavor = this.#flavor(wanted.flavorId);
    // A caller over its quota must not take shares that others could use.
    await this.#checkQuota(site);
    const [host, privateIP, publicIP] = await together([
      this.#place(site, flavor, wanted.infrastructureRef),
      networks.takePreferred(site, wanted.networkId, wanted.privateIP),
      settlePublicIP(this.#cloud, holdings, wanted.publicIP),
      images.use(holdings, wanted.imageId),
      groups.useOnly(site, wanted.securityGroupIds, []),
    ]);
    const end = now + knobs.build_ms;
    const fault = this.faultOfBuild(knobs);
    return serverBody.Parse({
      wanted,
      publicIP,
      providerId: this.#cloud.world.uuid(),
      imageId: wanted.imageId,
      host,
      privateIP,
      macAddress: this.#macAddress(),
      createdAt: now,
      bootedAt: end,
      power: 'running',
      task: { verb: 'build', from: 'shutdown', start: now, end },
      hardware: flavor.baremetal ? 'bare metal' : 'virtual',
      fault,
      ...(fault === null ? { launchedAt: end } : {}),
    });
  }

  async converge(site: Site, body: ServerBody, wanted: WantedServer): Promise<(current: ServerBody) => ServerBody> {
    const { securityGroupIds, allowedAddressPairs } = wanted;
    await this.#surroundings.groups.useOnly(site, securityGroupIds, body.wanted.securityGroupIds);
    const publicIP = await settlePublicIP(this.#cloud, site.holdings, wanted.publicIP);
    return (current) =>
      serverBody.Parse({
        ...current,
        publicIP,
        wanted: { ...current.wanted, securityGroupIds, allowedAddressPairs, publicIP: wanted.publicIP },
      });
  }

  observe({ body, goneAt }: Stored<ServerBody>): Ensured<ObservedServer> {
    return observeServer(body, this.#cloud.world.now(), goneAt);
  }

  /** The fault of a server that is built now, if the simulation chooses it. */
  faultOfBuild({ buildFailureRate }: Knobs): string | null {
    return buildFailureRate > 0 && this.#cloud.world.random() < buildFailureRate
      ? 'the machine could not be started on its host'
      : null;
  }

  #flavor(id: string): Flavor {
    const flavor = this.#cloud.catalogue.flavors.find((other) => other.id === id);
    if (!flavor) throw new ProviderFailure('not_found', 'the flavor is not offered');
    return flavor;
  }

  async #checkQuota({ tenant, holdings, knobs: { serversPerIdentity } }: Site): Promise<void> {
    const allowed = await holdings.take(pools.usesOfIdentity(this.#cloud, tenant), { from: 1, to: serversPerIdentity });
    if (allowed === undefined)
      throw new ProviderFailure('quota', `the cloud allows ${serversPerIdentity} servers for each identity`);
  }

  /** The name of the host on which it gets a place. */
  async #place({ holdings, knobs }: Site, flavor: Flavor, asked: string | undefined): Promise<string> {
    const { region, catalogue } = this.#cloud;
    const hosts = { from: 1, to: knobs.places[flavor.id] ?? catalogue.places[flavor.id] ?? 0 };
    const wished = asked === undefined ? undefined : Number(asked.slice(hostPrefix(flavor).length));
    if (
      asked !== undefined &&
      (!asked.startsWith(hostPrefix(flavor)) || wished === undefined || !(wished >= 1 && wished <= hosts.to))
    ) {
      throw new ProviderFailure('not_found', 'the flavor has no host of that name');
    }
    const place = await holdings.take(
      `${region}/places/${flavor.id}`,
      wished === undefined ? hosts : { from: wished, to: wished },
    );
    if (place === undefined)
      throw new ProviderFailure(
        'capacity',
        `the cloud has no capacity for another ${flavor.name}: wait until a machine of this flavor is deleted`,
      );
    return `${hostPrefix(flavor)}${place}`;
  }

  #macAddress(): string {
    return [
      'fa',
      '16',
      '3e',
      ...[...this.#cloud.world.randomBytes(3)].map((byte) => byte.toString(16).padStart(2, '0')),
    ].join(':');
  }
}

function hostPrefix({ name }: Flavor): string {
  return `${name}-host-`;
}

/** Waits for all of them, also when one fails: otherwise a claim could be made after a removal has started. */
async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Item in keyof Work]: Awaited<Work[Item]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
