import { hash } from 'node:crypto';

import { isProblem } from '@unikorn/core/errors';
import { matching, modify, type Store } from '@unikorn/core/store';

import { ProviderFailure } from '../../provider/index.ts';
import { networkLabel, OpenstackVlan, poolLabel } from './kinds.ts';
import type { VlanRange } from './network-settings.ts';
import { stored } from './region.ts';

/** The VLANs of one physical network in a region. */
export class Vlans {
  readonly #store: Store;
  readonly #regionId: string;
  readonly #physicalNetwork: string;

  constructor(store: Store, regionId: string, physicalNetwork: string) {
    this.#store = store;
    this.#regionId = regionId;
    this.#physicalNetwork = physicalNetwork;
  }

  /** The VLAN of a network: the one it has, or the first free one of the ranges. */
  async take(networkId: string, ranges: readonly VlanRange[]): Promise<number> {
    const all = await this.#all();
    const own = all.find(({ spec }) => spec.networkId === networkId && spec.refused !== true);
    if (own) return own.spec.vlanId;
    const taken = new Set(all.map(({ spec }) => spec.vlanId));
    for (const vlanId of idsIn(ranges)) if (!taken.has(vlanId) && (await this.#claim(networkId, vlanId))) return vlanId;
    throw new ProviderFailure(
      'capacity',
      'the region has no free VLAN for another network: wait until a network is deleted, or ask the platform operator for more VLANs',
    );
  }

  /** Records the VLAN of a network that exists in the cloud already, so that it is not tried for another. */
  async adopt(networkId: string, vlanId: number): Promise<void> {
    if (!(await this.#find(vlanId))) await this.#claim(networkId, vlanId);
  }

  /**
   * The cloud has given this VLAN to something that is not ours. It is kept until the network is removed: if it were
   * released now, the next network would be refused, too.
   */
  async markRefused(vlanId: number): Promise<void> {
    await stored(() =>
      modify(this.#store, OpenstackVlan, this.#nameOf(vlanId), (claim) => ({
        ...claim,
        spec: { ...claim.spec, refused: true },
      })),
    );
  }

  #all(): Promise<readonly OpenstackVlan[]> {
    const selector = matching({ [poolLabel]: this.#nameOf() });
    return stored(async () => (await this.#store.list(OpenstackVlan, { selector, cached: true })).items);
  }

  #find(vlanId: number): Promise<OpenstackVlan | undefined> {
    return stored(() => this.#store.get(OpenstackVlan, this.#nameOf(vlanId)));
  }

  /** False where another network was quicker. */
  async #claim(networkId: string, vlanId: number): Promise<boolean> {
    const labels = { [poolLabel]: this.#nameOf(), [networkLabel]: networkId };
    const spec = { physicalNetwork: this.#physicalNetwork, vlanId, networkId };
    const isNew = await stored(async () => {
      try {
        await this.#store.create(OpenstackVlan, { metadata: { name: this.#nameOf(vlanId), labels }, spec });
        return true;
      } catch (error) {
        if (isProblem(error, 'conflict')) return false;
        throw error;
      }
    });
    if (isNew) return true;
    // Another process may work on the same network, because it does not know yet that it should have stopped.
    const claim = await this.#find(vlanId);
    return claim?.spec.networkId === networkId && claim.spec.refused !== true;
  }

  #nameOf(vlanId?: number): string {
    return nameOf(this.#regionId, this.#physicalNetwork, vlanId);
  }
}

/** Releases what a network had, of any physical network. Call it only after the network is gone from the cloud. */
export async function releaseVlans(store: Store, networkId: string): Promise<void> {
  await stored(async () => {
    const { items } = await store.list(OpenstackVlan, { selector: matching({ [networkLabel]: networkId }) });
    for (const { metadata } of items) await store.delete(OpenstackVlan, metadata.name);
  });
}

function nameOf(...path: readonly (string | number | undefined)[]): string {
  return `v${hash('sha1', path.join('/'), 'hex')}`;
}

function* idsIn(ranges: readonly VlanRange[]): Generator<number> {
  for (const { from, to } of ranges) for (let vlanId = from; vlanId <= to; vlanId++) yield vlanId;
}
