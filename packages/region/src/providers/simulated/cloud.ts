import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { addressesOf, formatAddress, parsePrefix } from '../../network/index.ts';
import { ProviderFailure } from '../../provider/index.ts';
import type { Catalogue } from './catalogue.ts';
import { Claims, type Holdings } from './claims.ts';
import { Gate } from './gate.ts';
import { KnobBoard } from './knobs.ts';

/** The common dependencies of all resource types in a simulated region. */
export interface Cloud {
  readonly region: string;
  readonly store: Store;
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly gate: Gate;
  readonly claims: Claims;
}

export interface SimulatedRegion {
  readonly store: Store;
  readonly world: World;
  readonly regionId: string;
}

export function openCloud({ store, world, regionId }: SimulatedRegion, catalogue: Catalogue): Cloud {
  return {
    region: regionId,
    store,
    world,
    catalogue,
    gate: new Gate(world, new KnobBoard(store, regionId)),
    claims: new Claims(store),
  };
}

/** The pools that more than one resource type uses. */
export const pools = {
  /** One pool for all regions, because public addresses are globally unique. */
  publicAddresses: 'public',
  addresses: (network: string) => `addresses/${network}`,
  usesOfImage: ({ region }: Cloud, id: string) => `${region}/image/${id}`,
  usesOfGroup: (group: string) => `group/${group}`,
  usesOfIdentity: ({ region }: Cloud, tenant: string) => `${region}/tenant/${tenant}`,
} as const;

/** The owner's public address, or a new one if it has none. */
async function takePublicIP({ catalogue }: Cloud, holdings: Holdings): Promise<string> {
  const prefix = parsePrefix(catalogue.externalNetworks[0].prefix);
  if (!prefix) throw new ProviderFailure('inconsistent', 'the external network has no usable prefix');
  const { first, last } = addressesOf(prefix);
  const address = await holdings.take(pools.publicAddresses, { from: first + 1, to: last - 1 });
  if (address === undefined)
    throw new ProviderFailure(
      'capacity',
      'all public addresses are in use: wait until a server or load balancer releases one',
    );
  return formatAddress(address);
}

/** Takes or releases the owner's public address, and returns the current one. */
export async function settlePublicIP(
  cloud: Cloud,
  holdings: Holdings,
  wish: 'wanted' | 'unwanted',
): Promise<string | null> {
  if (wish === 'wanted') return takePublicIP(cloud, holdings);
  await holdings.release(pools.publicAddresses);
  return null;
}
