import { hash } from 'node:crypto';

import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { matching, modify, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { ProviderFailure } from '../../provider/index.ts';
import { networkLabel, OpenstackVlan, poolLabel } from './kinds.ts';
import { waits } from './limits.ts';
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
    if (own) {
      await this.#keep(own);
      return own.spec.vlanId;
    }
    const taken = new Set(all.map(({ spec }) => spec.vlanId));
    for (const vlanId of idsIn(ranges)) if (!taken.has(vlanId) && (await this.#claim(networkId, vlanId))) return vlanId;
    throw new ProviderFailure(
      'capacity',
      'the region has no free VLAN for another network: wait until a network is deleted, or ask the platform operator for more VLANs',
    );
  }

  /** Records the VLAN of a network that exists in the cloud already, so that it is not tried for another. */
  async adopt(networkId: string, vlanId: number): Promise<void> {
    const claim = await this.#find(vlanId);
    if (!claim) await this.#claim(networkId, vlanId);
    else if (claim.spec.networkId === networkId) await this.#keep(claim);
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

  /** A network that a removal did not find is wanted again. */
  async #keep({ metadata, spec }: OpenstackVlan): Promise<void> {
    if (spec.missingSince !== undefined) await markMissing(this.#store, metadata.name);
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

/** The VLAN that a network of the cloud has. */
export interface VlanOfNetwork {
  readonly physicalNetwork: string;
  readonly vlanId: number;
}

/**
 * Releases what a network had, of any physical network, where the network is certainly gone: it was deleted just now,
 * or two removals did not find it, with some time between them. One list alone may be older than the network. Returns
 * whether all is released.
 */
export async function releaseVlans(
  { store, world }: { readonly store: Store; readonly world: World },
  networkId: string,
  freed: readonly VlanOfNetwork[],
): Promise<boolean> {
  const now_ms = world.now();
  const isGone = ({ physicalNetwork, vlanId, refused, missingSince }: OpenstackVlan['spec']) =>
    refused === true ||
    freed.some((one) => one.physicalNetwork === physicalNetwork && one.vlanId === vlanId) ||
    (missingSince !== undefined && now_ms - missingSince >= waits.missingNetwork_ms);
  return stored(async () => {
    const { items } = await store.list(OpenstackVlan, { selector: matching({ [networkLabel]: networkId }) });
    for (const { metadata, spec } of items)
      if (isGone(spec)) await store.delete(OpenstackVlan, metadata.name);
      else if (spec.missingSince === undefined) await markMissing(store, metadata.name, now_ms);
    return items.every(({ spec }) => isGone(spec));
  });
}

/** Without a time, the network is not missing any more. */
async function markMissing(store: Store, name: string, missingSince?: number): Promise<void> {
  await stored(() =>
    modify(store, OpenstackVlan, name, ({ spec, ...claim }) => {
      const { physicalNetwork, vlanId, networkId, refused } = spec;
      return { ...claim, spec: { physicalNetwork, vlanId, networkId, ...defined({ refused, missingSince }) } };
    }),
  );
}

function nameOf(...path: readonly (string | number | undefined)[]): string {
  return `v${hash('sha1', path.join('/'), 'hex')}`;
}

function* idsIn(ranges: readonly VlanRange[]): Generator<number> {
  for (const { from, to } of ranges) for (let vlanId = from; vlanId <= to; vlanId++) yield vlanId;
}
