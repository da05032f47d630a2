import { defined } from '@unikorn/core/defined';
import type { NodeDraft, NodeStatus } from '@unikorn/core/explain';
import { findCondition } from '@unikorn/core/resource';

import type { ComputeInstance } from '../kinds/index.ts';
import { serverIdOf } from '../link/index.ts';
import type { NodeKind } from './node-kinds.ts';
import { remedyOf } from './remedies.ts';

type Node = NodeDraft<NodeKind>;

/** The servers that region has for an instance. */
export type Machine =
  | { readonly type: 'none' }
  /** Its server and the provider's resource, as region explains them. */
  | { readonly type: 'one'; readonly server: NodeDraft; readonly provider: NodeDraft }
  /** A server that does not belong to the instance has its id. */
  | { readonly type: 'occupied'; readonly serverId: string }
  | { readonly type: 'many'; readonly serverIds: readonly string[] }
  /** Region does not answer. */
  | { readonly type: 'unknown'; readonly problem: string };

/**
 * The nodes of the machine and of the provider's resource. `refusal` is the failure of the last attempt if region
 * refused a request about the machine.
 */
export function machineNodes(
  instance: ComputeInstance,
  machine: Machine,
  refusal: NodeStatus | undefined,
): readonly Node[] {
  switch (machine.type) {
    case 'none':
      return instance.metadata.deletionTimestamp === undefined ? [notMade(instance, refusal)] : [];
    case 'one': {
      const status = machine.server.state === 'ready' && refusal ? refusal : machine.server;
      return [
        told('providerResource', machine.provider.id, machine.provider),
        told('machine', machine.server.id, status),
      ];
    }
    case 'occupied':
      return [occupant(machine.serverId)];
    case 'many':
      return machine.serverIds.map(claimant);
    case 'unknown':
      return [
        told('machine', serverIdOf(instance), {
          state: 'degraded',
          reason: 'Unknown',
          message: 'its region does not answer, so the state of its machine is not known',
        }),
      ];
  }
}

/** A node with a remedy for users, who see instances but not servers. */
export function told(kind: NodeKind, id: string, status: NodeStatus): Node {
  const { state, reason, message, since, attempts, nextRetry } = status;
  return {
    kind,
    id,
    state,
    reason,
    message,
    ...defined({ since, attempts, nextRetry }),
    ...remedyOf(kind, status),
  };
}

function notMade(instance: ComputeInstance, refusal: NodeStatus | undefined): Node {
  const id = serverIdOf(instance);
  if (instance.status?.serverId !== undefined) return { kind: 'machine', id, ...whenGone(instance, refusal) };
  return told(
    'machine',
    id,
    refusal ?? {
      state: 'missing',
      reason: 'NotCreated',
      message: 'its machine is not created yet',
      since: instance.metadata.creationTimestamp,
    },
  );
}

/** There was a machine: a change replaces it, or it is lost. */
function whenGone({ metadata, status }: ComputeInstance, refusal: NodeStatus | undefined): Omit<Node, 'kind' | 'id'> {
  const { replacement, conditions } = status ?? {};
  const since =
    replacement?.since ?? findCondition(conditions, 'Available')?.lastTransitionTime ?? metadata.creationTimestamp;
  if (replacement && replacement.changes.length > 0) {
    const unblockedBy = refusal
      ? 'correct the problem in the message: it is retried automatically'
      : 'nothing needs to be done: the new machine is created automatically';
    return {
      message: 'its machine is being replaced',
      ...refusal,
      state: 'missing',
      reason: 'Replacing',
      since,
      unblockedBy,
    };
  }
  const unblockedBy =
    'wait until it is found; if it is not, it is recreated without its disk, unless too many machines are missing at once';
  return { message: 'its machine cannot be found', ...refusal, state: 'missing', reason: 'Lost', since, unblockedBy };
}

function claimant(id: string): Node {
  return {
    kind: 'machine',
    id,
    state: 'failed',
    reason: 'Ambiguous',
    message: 'several machines are marked as the machine of the instance: none of them is changed',
    unblockedBy: 'the platform operator must delete the wrong ones',
  };
}

function occupant(id: string): Node {
  return {
    kind: 'machine',
    id,
    state: 'failed',
    reason: 'Occupied',
    message: 'the network already has a machine with this name that does not belong to the instance',
    unblockedBy: 'choose another name, or ask the platform operator to delete the other machine',
  };
}
