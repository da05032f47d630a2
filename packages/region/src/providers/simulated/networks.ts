import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { formatAddress, layOut, parseAddress, parsePrefix, type NetworkLayout } from '../../network/index.ts';
import { ProviderFailure, WantedNetwork, type Ensured, type ObservedNetwork } from '../../provider/index.ts';
import { pools, type Cloud } from './cloud.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';

const NetworkBody = Type.Object({
  wanted: WantedNetwork,
  networkId: Type.String(),
  subnetId: Type.String(),
  vlanId: Type.Integer(),
});
type NetworkBody = Static<typeof NetworkBody>;

const networkBody = Compile(NetworkBody);

/** The valid VLAN ids. */
const vlans = { from: 1, to: 4094 };

/** Networks, each with a VLAN, and the addresses in them. */
export class NetworkSort implements Sort<WantedNetwork, NetworkBody, ObservedNetwork> {
  readonly records: Records<NetworkBody>;
  readonly delete_ms = () => 0;
  readonly #cloud: Cloud;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.records = new Records({ ...cloud, sort: 'network', parse: (body) => networkBody.Parse(body) });
  }

  async make({ holdings }: Site, wanted: WantedNetwork): Promise<NetworkBody> {
    const { region, world } = this.#cloud;
    layoutOf(wanted);
    const vlanId = await holdings.take(`${region}/vlan`, vlans);
    if (vlanId === undefined)
      throw new ProviderFailure('capacity', 'the region has no free network: wait until one is deleted');
    return networkBody.Parse({ wanted, networkId: world.uuid(), subnetId: world.uuid(), vlanId });
  }

  converge(
    _site: Site,
    _body: NetworkBody,
    { dnsNameservers, routes }: WantedNetwork,
  ): Promise<(current: NetworkBody) => NetworkBody> {
    return Promise.resolve((current) =>
      networkBody.Parse({ ...current, wanted: { ...current.wanted, dnsNameservers, routes } }),
    );
  }

  observe({ body }: Stored<NetworkBody>): Ensured<ObservedNetwork> {
    const { networkId, subnetId, vlanId } = body;
    const { gateway, storage } = layoutOf(body.wanted);
    const storageRange = storage && { startIP: formatAddress(storage.first), endIP: formatAddress(storage.last) };
    return {
      state: 'present',
      observed: {
        networkId,
        subnetId,
        vlanId,
        gatewayIP: formatAddress(gateway),
        ...(storageRange ? { storageRange } : {}),
      },
    };
  }

  async assertUnused({ owner }: Site): Promise<void> {
    if (await this.#cloud.claims.inUse(pools.addresses(owner)))
      throw new ProviderFailure('in_use', 'addresses of the network are still in use');
  }

  /** The address pool of a network, and the range for its servers. */
  async site(tenant: string, id: string): Promise<{ readonly pool: string; readonly layout: NetworkLayout }> {
    const stored = await this.records.known(tenant, id);
    if (!stored || stored.goneAt !== undefined)
      throw new ProviderFailure('not_found', 'the network does not exist in the cloud');
    return { pool: pools.addresses(stored.name), layout: layoutOf(stored.body.wanted) };
  }

  /** The owner's address in a network: the preferred one, or another one if that is in use or not assignable. */
  async takePreferred(site: Site, networkId: string, preferred: string | undefined): Promise<string> {
    const wished = preferred === undefined ? undefined : parseAddress(preferred);
    if (wished !== undefined) {
      const { pool, layout } = await this.site(site.tenant, networkId);
      const isOffered = wished >= layout.servers.first && wished <= layout.servers.last;
      if (isOffered && (await site.holdings.take(pool, { from: wished, to: wished })) !== undefined)
        return formatAddress(wished);
    }
    return this.takeAddress(site, networkId);
  }

  /** The owner's address in a network: the requested one, or any. */
  async takeAddress({ tenant, holdings }: Site, networkId: string, asked?: number): Promise<string> {
    const { pool, layout } = await this.site(tenant, networkId);
    const address = await holdings.take(pool, {
      from: asked ?? layout.servers.first,
      to: asked ?? layout.servers.last,
    });
    if (address !== undefined) return formatAddress(address);
    if (asked !== undefined) throw new ProviderFailure('conflict', `the address ${formatAddress(asked)} is in use`);
    throw new ProviderFailure(
      'capacity',
      'all addresses of the network are in use: delete a resource that has one, or use a network with a larger prefix',
    );
  }
}

function layoutOf({ prefix, reservations }: WantedNetwork): NetworkLayout {
  const parsed = parsePrefix(prefix);
  const layout = parsed && layOut(parsed, reservations);
  if (!layout || layout.servers.first > layout.servers.last)
    throw new ProviderFailure('invalid', 'the prefix and its reservations leave no address for servers');
  return layout;
}
