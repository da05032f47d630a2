import { defined } from '@unikorn/core/defined';

import type { Ensured, ObservedServer } from '../../provider/index.ts';
import type { nova } from './client/index.ts';

/** A server as Nova shows it, or one that it has just accepted: then it is not known when it was created. */
export type AcceptedServer = Omit<nova.Server, 'created'> & Partial<Pick<nova.Server, 'created'>>;

/** All that a look at a server brings. */
export interface ServerSight {
  readonly server: AcceptedServer;
  /** From its port, for as long as Nova does not tell it. */
  readonly privateIP?: string | undefined;
  readonly publicIP?: string | undefined;
  /** Its machine is not being deployed yet. */
  readonly queued?: boolean;
}

/** The meaning of what Nova says about a server. */
export function presenceOf(sight: ServerSight): Ensured<ObservedServer> {
  const observed = observedOf(sight);
  const { status } = observed;
  if (status === 'queued' || status === 'building')
    return { state: 'pending', reason: 'the machine is being built', observed };
  if (status === 'deleting') return { state: 'pending', reason: 'the machine is being deleted', observed };
  return { state: 'present', observed };
}

function observedOf({ server, privateIP, publicIP, queued = false }: ServerSight): ObservedServer {
  const status = statusOf(server, queued);
  const fixed = fixedAddressOf(server);
  return {
    providerId: server.id,
    status,
    power: powerOf(server),
    task: isBusy(server) ? 'active' : 'idle',
    ...defined({
      createdAt: server.created,
      imageId: typeof server.image === 'object' ? server.image?.id : undefined,
      launchedAt: launchedAt(server),
      privateIP: fixed?.addr ?? privateIP,
      publicIP,
      // The port of a bare metal server is bound to its network card only when the server is deployed.
      macAddress: status === 'active' ? fixed?.['OS-EXT-IPS-MAC:mac_addr'] : undefined,
      fault: status === 'error' ? faultOf(server) : undefined,
    }),
  };
}

function statusOf(server: AcceptedServer, queued: boolean): ObservedServer['status'] {
  if (isDeleting(server)) return 'deleting';
  switch (server.status) {
    case 'BUILD':
      return queued ? 'queued' : 'building';
    case 'REBUILD':
      return 'rebuilding';
    case 'ACTIVE':
    case 'REBOOT':
    case 'HARD_REBOOT':
    case 'PASSWORD':
      return 'active';
    case 'SHUTOFF':
      return 'shutoff';
    case 'ERROR':
      return 'error';
    default:
      return 'unknown';
  }
}

export function isDeleting(server: AcceptedServer): boolean {
  return (
    server['OS-EXT-STS:task_state'] === 'deleting' || server.status === 'DELETED' || server.status === 'SOFT_DELETED'
  );
}

/** The numbers are those of Nova. */
function powerOf(server: AcceptedServer): ObservedServer['power'] {
  const state = server['OS-EXT-STS:power_state'];
  if (state === 1) return 'running';
  return state === 4 ? 'shutdown' : 'other';
}

function isBusy(server: AcceptedServer): boolean {
  return (
    server['OS-EXT-STS:task_state'] !== null || ['BUILD', 'REBUILD', 'REBOOT', 'HARD_REBOOT'].includes(server.status)
  );
}

/** The metadata in which the time of the first launch is kept: Nova replaces its own when a server is rebuilt. */
export const launchKey = 'region:launched_at';

/** Nova leaves out the time zone, which is UTC, and adds parts of a second. */
export function launchedAt(server: AcceptedServer): string | undefined {
  const time = server.metadata[launchKey] ?? server['OS-SRV-USG:launched_at'];
  return time === null ? undefined : `${time.replace(/(\.\d+)?Z?$/, '')}Z`;
}

/** The first address in its own network. Nova lists floating addresses beside it. */
export function fixedAddressOf(server: AcceptedServer): nova.Address | undefined {
  return addressOf(server, (type) => type !== 'floating');
}

/** The first floating address, as far as Nova knows. */
export function floatingAddressOf(server: AcceptedServer): nova.Address | undefined {
  return addressOf(server, (type) => type === 'floating');
}

function addressOf(
  { addresses }: AcceptedServer,
  isWanted: (type: string | undefined) => boolean,
): nova.Address | undefined {
  for (const inNetwork of Object.values(addresses)) {
    const found = inNetwork.find((address) => address.version === 4 && isWanted(address['OS-EXT-IPS:type']));
    if (found) return found;
  }
  return undefined;
}

/** The words of Nova may name hosts and other things of the cloud, so only their meaning is told. */
function faultOf({ fault }: AcceptedServer): string {
  const words = fault?.message ?? '';
  if (/no valid host/i.test(words)) return 'the cloud has no host with room for the machine';
  if (/quota/i.test(words)) return 'a quota of the cloud is reached';
  if (/port|network|binding/i.test(words)) return 'the cloud could not connect the machine to its network';
  if (/image/i.test(words)) return 'the cloud could not use the image for the machine';
  return 'the cloud failed to run the machine';
}
