import { isProviderFailure } from '../../provider/index.ts';
import { neutron, onlyOne, type Session } from './client/index.ts';

export interface PublicAddressOptions {
  readonly portId: string;
  readonly wanted: 'wanted' | 'unwanted';
  /** Asked only when an address is assigned. */
  readonly externalNetworkId: () => Promise<string>;
}

/** Assigns a public address to a port, or releases it. Returns the address that the port has afterwards. */
export async function settlePublicAddress(
  session: Session,
  { portId, wanted, externalNetworkId }: PublicAddressOptions,
): Promise<string | undefined> {
  if (wanted === 'unwanted') {
    await releasePublicAddresses(session, portId);
    return undefined;
  }
  const found = await publicAddressOf(session, portId);
  if (found !== undefined) return found;
  try {
    return (await neutron.createFloatingIP(session, { externalNetworkId: await externalNetworkId(), portId }))
      .floating_ip_address;
  } catch (error) {
    // Another attempt, whose answer was lost, may have assigned one.
    const assigned = isProviderFailure(error, 'conflict') ? await publicAddressOf(session, portId) : undefined;
    if (assigned === undefined) throw error;
    return assigned;
  }
}

/** The public address of a port, if it has one. */
export async function publicAddressOf(session: Session, portId: string): Promise<string | undefined> {
  return onlyOne(await neutron.listFloatingIPs(session, { portId }), {
    doing: 'looking for the public address',
    what: `public address of port ${portId}`,
  })?.floating_ip_address;
}

/** Cloud services delete a port together with its owner, but not its public address. So it is released first. */
export async function releasePublicAddresses(session: Session, portId: string): Promise<void> {
  for (const { id } of await neutron.listFloatingIPs(session, { portId })) await neutron.deleteFloatingIP(session, id);
}
