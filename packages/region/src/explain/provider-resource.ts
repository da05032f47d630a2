import { remedyFor, type NodeDraft, type NodeStatus } from '@unikorn/core/explain';

import type { Server } from '../kinds/index.ts';
import type { RegionNodeKind } from './node-kinds.ts';
import { serverRemedies, unseenRemedy } from './server-remedies.ts';

type Node = NodeDraft<RegionNodeKind>;
type Problem = Omit<Node, 'kind' | 'id' | 'name'>;

/** The machine in the cloud, from its last observation and its last message. `server` is the status of its server. */
export function providerNode(server: Server, status: NodeStatus): Node {
  const { metadata } = server;
  return {
    kind: 'providerResource',
    id: metadata.name,
    ...(problemOf(server, status) ?? {
      state: 'ready',
      reason: 'Present',
      message: '',
      since: server.status?.provisionedAt ?? metadata.creationTimestamp,
    }),
  };
}

function problemOf({ status = {} }: Server, server: NodeStatus): Problem | undefined {
  const as = (state: NodeStatus['state'], told: Partial<Problem> = {}): Problem => ({
    ...server,
    state,
    ...remedyFor(serverRemedies, 'providerResource', { ...server, state }),
    ...told,
  });
  const { missingSince, rebuild, providerCreateFailures: failures = 0 } = status;
  if (server.state === 'deleting') return as('deleting');
  if (missingSince !== undefined)
    return as('missing', {
      reason: 'NotShown',
      message: 'the cloud does not show the machine any more',
      since: missingSince,
    });
  if (server.state === 'degraded')
    return as('degraded', server.reason === 'Unknown' ? { unblockedBy: unseenRemedy } : {});
  if (rebuild?.state === 'Failed')
    return as('failed', {
      reason: 'RebuildFailed',
      message: failedRebuild(rebuild.targetImageID, server),
      unblockedBy: 'update the server with another image, or replace it',
    });
  if (rebuild && server.state !== 'retrying')
    return as('progressing', {
      reason: 'Rebuilding',
      message: `its root disk is being replaced by image ${rebuild.targetImageID}`,
    });
  if (server.state === 'failed' && server.nextRetry === undefined && failures > 0)
    return as('failed', {
      reason: 'GivenUp',
      attempts: failures,
      unblockedBy: 'update the server, for example with another image: then it is tried again; or delete it',
    });
  if (server.state === 'ready' || server.state === 'paused') return undefined;
  if (server.state === 'waiting' || server.reason === 'DependencyNotFound')
    return as('waiting', {
      message: 'the machine is requested from the cloud when the resources that it needs are ready',
    });
  return as(server.state, failures > 0 && server.attempts === undefined ? { attempts: failures } : {});
}

/** A machine that still runs on its old disk has no message about the new one. */
function failedRebuild(imageId: string, { state, message }: NodeStatus): string {
  return state === 'ready' || message === '' ? `its root disk could not be replaced by image ${imageId}` : message;
}
