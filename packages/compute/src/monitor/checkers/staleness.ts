import { healthStatus } from '@unikorn/core/resource';

import { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance } from '../../link/index.ts';
import type { SeenServer } from '../../watches.ts';
import type { Finding } from '../finding.ts';

/**
 * The values of the server that an instance does not show correctly. This is allowed while the server is being
 * replaced, or while the instance is paused.
 */
export function checkProjection(instance: ComputeInstance, server: SeenServer | undefined): readonly Finding[] {
  const { metadata, spec, status = {} } = instance;
  const settled = metadata.deletionTimestamp === undefined && !spec.pause && status.replacement === undefined;
  if (
    !settled ||
    server?.metadata.deletionTime !== undefined ||
    linkedInstance(server?.metadata.tags) !== metadata.name ||
    !server
  )
    return [];
  const { status: shown } = server;
  const pairs = {
    // If the phase is unknown, the last known phase is kept.
    'the power state': [status.powerState, shown.powerState ?? status.powerState],
    'the private address': [status.privateIp, shown.privateIP],
    'the public address': [status.publicIp, shown.publicIP],
    'the MAC address': [status.macAddress, shown.macAddress],
    'the health': [healthStatus(instance, ComputeInstance.realisation), server.metadata.healthStatus],
  } as const;
  const stale = Object.entries(pairs).flatMap(([name, [own, servers]]) => (own === servers ? [] : [name]));
  if (stale.length === 0) return [];
  return [
    {
      checker: 'stale-status',
      id: metadata.name,
      evidence: JSON.stringify(Object.values(pairs)),
      message: `it does not show the current value of its server: ${stale.join(', ')}`,
    },
  ];
}
