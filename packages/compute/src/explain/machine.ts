import { findCondition } from '@unikorn/core/resource';
import { Server } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../link/index.ts';
import { standingOf, type ExplainedNode, type Standing } from './node.ts';
import { remedyFor } from './remedies.ts';

/** The machine of an instance and what the cloud has of it. Users know of no server, so it is theirs by another name. */
export function machineNodes(instance: ComputeInstance, servers: readonly Server[]): readonly ExplainedNode[] {
  const [server, ...others] = servers;
  if (!server) return instance.metadata.deletionTimestamp === undefined ? [notMade(instance)] : [];
  if (others.length > 0) return servers.map(claimant);
  if (linkedInstance(server.spec.tags) !== instance.metadata.name) return [occupant(server)];
  const machine = healthy(server, standingOf(Server, server));
  return [providerNode(server, machine), { kind: 'machine', id: server.metadata.name, ...machine, ...remedyFor('machine', machine.state) }];
}

function notMade(instance: ComputeInstance): ExplainedNode {
  const { metadata, status } = instance;
  const node = { kind: 'machine', id: serverIdOf(instance), state: 'missing', ...remedyFor('machine', 'missing') } as const;
  if (status?.serverId === undefined) return { ...node, reason: 'NotCreated', message: 'its machine has not been made yet', since: metadata.creationTimestamp };
  if (status.replacement) return { ...node, reason: 'Replacing', message: 'its machine is being replaced', since: status.replacement.since, unblockedBy: 'the new machine is made, which happens by itself' };
  const since = findCondition(status.conditions, 'Available')?.lastTransitionTime ?? metadata.creationTimestamp;
  return { ...node, reason: 'Lost', message: 'its machine is not found', since, unblockedBy: 'it is found again; else it is made anew without its disk, unless too many are missing at once' };
}

function claimant({ metadata }: Server): ExplainedNode {
  return {
    kind: 'machine',
    id: metadata.name,
    state: 'failed',
    reason: 'Ambiguous',
    message: 'it is one of several machines that claim to be the instance\'s: nothing is done to any of them',
    since: metadata.creationTimestamp,
    unblockedBy: 'an operator deletes the wrong ones',
  };
}

function occupant({ metadata }: Server): ExplainedNode {
  return {
    kind: 'machine',
    id: metadata.name,
    state: 'failed',
    reason: 'Occupied',
    message: 'the network has a machine of this name that is not the instance\'s',
    since: metadata.creationTimestamp,
    unblockedBy: 'choose another name, or have an operator delete the other machine',
  };
}

/** One that is there may still not do what it should. */
function healthy({ status }: Server, standing: Standing): Standing {
  const health = findCondition(status?.conditions, 'Healthy');
  if (standing.state !== 'ready' || health?.status !== 'False') return standing;
  return { state: 'degraded', reason: health.reason, message: health.message || 'it is not healthy', since: health.lastTransitionTime };
}

function providerNode(server: Server, machine: Standing): ExplainedNode {
  const node = { kind: 'providerResource', id: server.metadata.name } as const;
  const trouble = providerTrouble(server, machine);
  return { ...node, ...(trouble ?? { state: 'ready', reason: 'Present', message: '', since: server.status?.provisionedAt ?? server.metadata.creationTimestamp }) };
}

type Trouble = Omit<ExplainedNode, 'kind' | 'id' | 'name'>;

/** What is wrong with what the cloud has, by what was last seen of it and last said about it. */
function providerTrouble({ status = {} }: Server, machine: Standing): Trouble | undefined {
  const by = (state: Standing['state'], told: Partial<Trouble> = {}): Trouble => ({ ...machine, state, ...remedyFor('providerResource', state), ...told });
  const { missingSince, rebuild, providerCreateFailures: failures = 0 } = status;
  if (machine.state === 'deleting' || machine.state === 'degraded') return by(machine.state);
  if (missingSince !== undefined) return by('missing', { reason: 'NotShown', message: 'the cloud does not show it any more', since: missingSince });
  if (rebuild?.state === 'Failed') return by('failed', { reason: 'RebuildFailed', unblockedBy: 'update the instance with another image, or replace its machine by choosing another flavor' });
  if (rebuild) return by('progressing', { reason: 'Rebuilding', message: `its root disk is being replaced by image ${rebuild.targetImageID}` });
  if (machine.state === 'failed' && failures > 0) return by('failed', { reason: 'GivenUp', attempts: failures, unblockedBy: 'update the instance, with another image or flavor for example, to have it tried again; or delete it' });
  if (machine.state === 'ready' || machine.state === 'paused') return undefined;
  return machine.state === 'waiting' ? by('waiting', { message: 'it is asked for once what the machine needs is ready' }) : by(machine.state, failures > 0 ? { attempts: failures } : {});
}
