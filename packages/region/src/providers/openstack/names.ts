/*
 * The names of things in the cloud, by which they are found again. The original of this platform uses the same ones.
 */

/** Of a network, its subnet and its router. */
export function networkName(id: string): string {
  return `network-${id}`;
}

export function securityGroupName(id: string): string {
  return `securitygroup-${id}`;
}

/** Of the port of a server, which is made before the server and carries its addresses. */
export function portName(serverId: string): string {
  return `server-${serverId}`;
}
