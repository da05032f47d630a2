import type { NetworkSpec } from './settings.ts';

/** The settings of a region that networks need. They are read for every call, so that a change needs no restart. */
export interface NetworkSettings {
  /** Which external networks may be used: those with these ids and with all of these tags. All, if both are absent. */
  readonly externalNetworks?: { readonly ids?: readonly string[]; readonly tags?: readonly string[] };
  /** With a physical network, every network is a VLAN of it. */
  readonly vlans?: { readonly physicalNetwork: string; readonly ranges: readonly VlanRange[] };
}

/** Both ends included. */
export interface VlanRange {
  readonly from: number;
  readonly to: number;
}

/** Those a switch can tell apart. */
export const allVlans: VlanRange = { from: 1, to: 4094 };

/** Reads `spec.openstack.network` of a region. Without segments, all VLANs of the physical network may be used. */
export function networkSettings({ externalNetworks, providerNetworks }: NetworkSpec = {}): NetworkSettings {
  const physicalNetwork = providerNetworks?.physicalNetwork;
  const segments = providerNetworks?.vlan?.segments ?? [];
  const ranges =
    segments.length === 0 ? [allVlans] : segments.map(({ startId, endId }) => ({ from: startId, to: endId }));
  return {
    ...(externalNetworks ? { externalNetworks: externalNetworks.selector } : {}),
    ...(physicalNetwork === undefined ? {} : { vlans: { physicalNetwork, ranges } }),
  };
}
