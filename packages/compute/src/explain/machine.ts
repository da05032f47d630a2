import { findCondition } from '@unikorn/core/resource';
import { Server } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../link/index.ts';
import { cureFor, illness } from './health.ts';
import { standingOf, type ExplainedNode, type Standing } from './node.ts';
import { remedyFor } from './remedies.ts';

/**
 * The machine of an instance and what the cloud has of it. Users know of no server, so it is theirs by another name.
 * `refusal` is how the instance stands that its region refuses something about its machine.
 */
export function machineNodes(
  instance: ComputeInstance,
  servers: readonly Server[],
  refusal: Standing | undefined,
): readonly ExplainedNode[] {
  const [server, ...others] = servers;
  if (!server) return instance.metadata.deletionTimestamp === undefined ? [notMade(instance, refusal)] : [];
  if (others.length > 0) return servers.map(claimant);
  if (linkedInstance(server.spec.tags) !== instance.metadata.name) return [occupant(server)];
  const standing = machineStanding(server);
  const machine = standing.state === 'ready' && refusal ? refusal : standing;
  return [
    providerNode(server, standing),
    { kind: 'machine', id: server.metadata.name, ...machine, ...remedyFor('machine', machine), ...cureFor(machine) },
  ];
}

/** One that is there may still not do what it should, or have lost what it had. */
function machineStanding(server: Server): Standing {
  const standing = standingOf(Server, server);
  return standing.state === 'ready' ? (illness(server.status) ?? standing) : standing;
}

function notMade(instance: ComputeInstance, refusal: Standing | undefined): ExplainedNode {
  const node = { kind: 'machine', id: serverIdOf(instance) } as const;
  if (instance.status?.serverId !== undefined) return { ...node, ...whenGone(instance, refusal) };
  if (refusal) return { ...node, ...refusal, ...remedyFor('machine', refusal) };
  return {
    ...node,
    state: 'missing',
    reason: 'NotCreated',
    message: 'its machine has not been made yet',
    since: instance.metadata.creationTimestamp,
    ...remedyFor('machine', { state: 'missing' }),
  };
}

/** One that there was: a change is replacing it, or it is lost. */
function whenGone({ metadata, status }: ComputeInstance, refusal: Standing | undefined): Trouble {
  const { replacement, conditions } = status ?? {};
  const since =
    replacement?.since ?? findCondition(conditions, 'Available')?.lastTransitionTime ?? metadata.creationTimestamp;
  if (replacement && replacement.changes.length > 0) {
    const unblockedBy = refusal
      ? 'what its message names is put right; it is tried again by itself'
      : 'the new machine is made, which happens by itself';
    return {
      message: 'its machine is being replaced',
      ...refusal,
      state: 'missing',
      reason: 'Replacing',
      since,
      unblockedBy,
    };
  }
  const unblockedBy = 'it is found again; else it is made anew without its disk, unless too many are missing at once';
  return { message: 'its machine is not found', ...refusal, state: 'missing', reason: 'Lost', since, unblockedBy };
}

function claimant({ metadata }: Server): ExplainedNode {
  return {
    kind: 'machine',
    id: metadata.name,
    state: 'failed',
    reason: 'Ambiguous',
    message: "it is one of several machines that claim to be the instance's: nothing is done to any of them",
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
    message: "the network has a machine of this name that is not the instance's",
    since: metadata.creationTimestamp,
    unblockedBy: 'choose another name, or have an operator delete the other machine',
  };
}

function providerNode(server: Server, machine: Standing): ExplainedNode {
  const node = { kind: 'providerResource', id: server.metadata.name } as const;
  const trouble = providerTrouble(server, machine);
  return {
    ...node,
    ...(trouble ?? {
      state: 'ready',
      reason: 'Present',
      message: '',
      since: server.status?.provisionedAt ?? server.metadata.creationTimestamp,
    }),
  };
}

type Trouble = Omit<ExplainedNode, 'kind' | 'id' | 'name'>;

/** What is wrong with what the cloud has, by what was last seen of it and last said about it. */
function providerTrouble({ status = {} }: Server, machine: Standing): Trouble | undefined {
  const by = (state: Standing['state'], told: Partial<Trouble> = {}): Trouble => ({
    ...machine,
    state,
    ...remedyFor('providerResource', { ...machine, state }),
    ...told,
  });
  const { missingSince, rebuild, providerCreateFailures: failures = 0 } = status;
  if (machine.state === 'deleting') return by('deleting');
  if (missingSince !== undefined)
    return by('missing', { reason: 'NotShown', message: 'the cloud does not show it any more', since: missingSince });
  if (machine.state === 'degraded') return by('degraded', cureFor(machine));
  if (rebuild?.state === 'Failed')
    return by('failed', {
      reason: 'RebuildFailed',
      message: failedRebuild(rebuild.targetImageID, machine),
      unblockedBy: 'update the instance with another image, or replace its machine by choosing another flavor',
    });
  if (rebuild && machine.state !== 'retrying')
    return by('progressing', {
      reason: 'Rebuilding',
      message: `its root disk is being replaced by image ${rebuild.targetImageID}`,
    });
  if (machine.state === 'failed' && machine.nextRetry === undefined && failures > 0)
    return by('failed', {
      reason: 'GivenUp',
      attempts: failures,
      unblockedBy:
        'update the instance, with another image or flavor for example, to have it tried again; or delete it',
    });
  if (machine.state === 'ready' || machine.state === 'paused') return undefined;
  if (machine.state === 'waiting' || machine.reason === 'DependencyNotFound')
    return by('waiting', { message: 'it is asked for once what the machine needs is ready' });
  return by(machine.state, failures > 0 && machine.attempts === undefined ? { attempts: failures } : {});
}

/** A machine that still runs on its old disk says nothing of the new one. */
function failedRebuild(imageId: string, { state, message }: Standing): string {
  return state === 'ready' || message === '' ? `its root disk could not be replaced by image ${imageId}` : message;
}
