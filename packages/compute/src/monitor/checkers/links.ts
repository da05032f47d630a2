import { provisioningStatus } from '@unikorn/core/resource';

import { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../../link/index.ts';
import type { SeenServer } from '../../watches.ts';
import type { Finding } from '../finding.ts';

/** The server with the id of an instance must name this instance in its tag. */
export function checkOwnServer(instance: ComputeInstance, server: SeenServer | undefined): readonly Finding[] {
  const { name: id, uid, deletionTimestamp } = instance.metadata;
  if (deletionTimestamp !== undefined) return [];
  if (!server) {
    if (provisioningStatus(instance, ComputeInstance.realisation) !== 'provisioned') return [];
    return [{ checker: 'instance-without-server', id, evidence: uid, message: 'it is provisioned, but has no server' }];
  }
  const link = linkedInstance(server.metadata.tags);
  if (link === id) return [];
  const whose = link === undefined ? 'names no instance' : `names instance ${link}`;
  return [{ checker: 'missing-link', id, evidence: server.metadata.creationTime, message: `its server ${whose}` }];
}

/** For a server that names an instance: the instance must exist, and this must be its server. */
export function checkLinkedServer(
  instanceId: string,
  instance: ComputeInstance | undefined,
  { metadata }: SeenServer,
): readonly Finding[] {
  const { id, creationTime, deletionTime } = metadata;
  const evidence = `${id} ${creationTime}`;
  if (deletionTime !== undefined) return [];
  if (!instance)
    return [
      {
        checker: 'orphan-server',
        id,
        evidence,
        message: `it is the server of instance ${instanceId}, which does not exist`,
      },
    ];
  if (id === serverIdOf(instance)) return [];
  return [{ checker: 'duplicate-link', id: instanceId, evidence, message: `server ${id} also names this instance` }];
}
