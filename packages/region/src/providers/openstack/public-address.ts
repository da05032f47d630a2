import { isProviderFailure } from '../../provider/index.ts';
import { neutron, onlyOne } from './client/index.ts';
import type { Tenant } from './tenants.ts';

type Session = Tenant['session'];

export interface PublicAddressOptions {
  readonly portId: string;
  /** It was made just now, so it has no address. */
  readonly isNewPort?: boolean;
  /** The name of the thing that has the address. It is written to the address. */
  readonly owner: string;
  readonly wanted: 'wanted' | 'unwanted';
  /** Asked only when an address is assigned. */
  readonly externalNetworkId: () => Promise<string>;
}

/** Assigns a public address to a port, or releases it. Returns the address that the port has afterwards. */
export async function settlePublicAddress(
  tenant: Tenant,
  { portId, isNewPort = false, owner, wanted, externalNetworkId }: PublicAddressOptions,
): Promise<string | undefined> {
  const { session } = tenant;
  if (wanted === 'unwanted') {
    if (!isNewPort) await releasePublicAddresses(session, portId);
    return undefined;
  }
  const found = isNewPort ? undefined : await publicAddressOf(session, portId);
  if (found !== undefined) return found;
  // An address stays, without a port, where its port was deleted behind our back.
  const [lost] = await addressesOf(tenant, owner);
  if (lost) return (await neutron.moveFloatingIP(session, lost.id, portId)).floating_ip_address;
  try {
    const description = owner;
    return (
      await neutron.createFloatingIP(session, { externalNetworkId: await externalNetworkId(), portId, description })
    ).floating_ip_address;
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

/** Releases the addresses of a thing that has no port any more. */
export async function releaseLostAddresses(tenant: Tenant, owner: string): Promise<void> {
  for (const { id } of await addressesOf(tenant, owner)) await neutron.deleteFloatingIP(tenant.session, id);
}

async function addressesOf({ session, projectId }: Tenant, owner: string): Promise<readonly neutron.FloatingIP[]> {
  const found = await neutron.listFloatingIPs(session, { projectId, description: owner });
  return found.filter(({ description }) => description === owner);
}
