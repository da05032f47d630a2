import { isDeepStrictEqual } from 'node:util';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { parseAddress } from '../../network/index.ts';
import {
  ProviderFailure,
  WantedLoadBalancer,
  type Ensured,
  type ObservedLoadBalancer,
  type ObservedMember,
} from '../../provider/index.ts';
import { pools, settlePublicIP, type Cloud } from './cloud.ts';
import type { Knobs } from './knobs.ts';
import type { NetworkSort } from './networks.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';
import { conditionOf } from './server-state.ts';
import type { ServerSort } from './servers.ts';

const BalancerBody = Type.Object({
  wanted: WantedLoadBalancer,
  providerId: Type.String(),
  vipAddress: Type.String(),
  publicIP: Type.Union([Type.String(), Type.Null()]),
  /** The load balancer accepts no change until then. */
  busyUntil: Type.Integer(),
});
type BalancerBody = Static<typeof BalancerBody>;

const balancerBody = Compile(BalancerBody);

export class LoadBalancerSort implements Sort<WantedLoadBalancer, BalancerBody, ObservedLoadBalancer> {
  readonly records: Records<BalancerBody>;
  readonly delete_ms = (knobs: Knobs) => knobs.loadBalancer_ms;
  readonly #cloud: Cloud;
  readonly #networks: NetworkSort;
  readonly #servers: ServerSort;

  constructor(cloud: Cloud, networks: NetworkSort, servers: ServerSort) {
    this.#cloud = cloud;
    this.#networks = networks;
    this.#servers = servers;
    this.records = new Records({ ...cloud, sort: 'load balancer', parse: (body) => balancerBody.Parse(body) });
  }

  async make(site: Site, wanted: WantedLoadBalancer): Promise<BalancerBody> {
    const asked =
      wanted.requestedVIPAddress === undefined
        ? undefined
        : await this.#addressAsked(site, wanted.networkId, wanted.requestedVIPAddress);
    const vipAddress = await this.#networks.takeAddress(site, wanted.networkId, asked);
    const publicIP = await settlePublicIP(this.#cloud, site.holdings, wanted.publicIP);
    return balancerBody.Parse({
      wanted,
      publicIP,
      providerId: this.#cloud.world.uuid(),
      vipAddress,
      busyUntil: site.now + site.knobs.loadBalancer_ms,
    });
  }

  /** One change at a time, as with real load balancers. */
  async converge(
    site: Site,
    body: BalancerBody,
    wanted: WantedLoadBalancer,
  ): Promise<(current: BalancerBody) => BalancerBody> {
    if (site.now < body.busyUntil || isDeepStrictEqual(body.wanted, wanted)) return (current) => current;
    const publicIP = await settlePublicIP(this.#cloud, site.holdings, wanted.publicIP);
    return (current) =>
      balancerBody.Parse({ ...current, publicIP, wanted, busyUntil: site.now + site.knobs.loadBalancer_ms });
  }

  async observe({ body, goneAt }: Stored<BalancerBody>, tenant: string): Promise<Ensured<ObservedLoadBalancer>> {
    const { providerId, vipAddress, publicIP } = body;
    const observed = {
      providerId,
      vipAddress,
      ...(publicIP === null ? {} : { publicIP }),
      members: await this.#members(body, tenant),
    };
    if (goneAt !== undefined) return { state: 'pending', reason: 'the load balancer is being deleted', observed };
    return this.#cloud.world.now() < body.busyUntil
      ? { state: 'pending', reason: 'the load balancer is being changed', observed }
      : { state: 'present', observed };
  }

  async #addressAsked({ tenant }: Site, networkId: string, text: string): Promise<number> {
    const address = parseAddress(text);
    const { layout } = await this.#networks.site(tenant, networkId);
    if (address === undefined || address < layout.servers.first || address > layout.servers.last)
      throw new ProviderFailure('invalid', `the network cannot assign the address ${text}`);
    return address;
  }

  async #members({ wanted }: BalancerBody, tenant: string): Promise<readonly ObservedMember[]> {
    const members: ObservedMember[] = [];
    for (const { name: listener, pool } of wanted.listeners) {
      for (const { address, port } of pool.members) {
        const health = pool.healthCheck ? await this.#healthOf(tenant, wanted, address) : 'unmonitored';
        members.push({ listener, address, port, health });
      }
    }
    return members;
  }

  /** A member is online while a running server has its address. */
  async #healthOf(tenant: string, { networkId, id }: WantedLoadBalancer, text: string): Promise<'online' | 'offline'> {
    const address = parseAddress(text);
    const pool = pools.addresses(this.#networks.records.nameOf(tenant, networkId));
    const owner = address === undefined ? undefined : await this.#cloud.claims.ownerOf(pool, address);
    const server =
      owner === undefined || owner === this.records.nameOf(tenant, id)
        ? undefined
        : await this.#servers.records.named(owner);
    return server &&
      server.goneAt === undefined &&
      conditionOf(server.body, this.#cloud.world.now()).power === 'running'
      ? 'online'
      : 'offline';
  }
}
