import { remedyFor, type NodeStatus, type Remedies } from '@unikorn/core/explain';

import type { NodeKind } from './node-kinds.ts';

/** Also for the machine, which is degraded if its instance is. */
const recovery =
  'start the instance if it is stopped; if its machine failed, rebuild it with another image, or delete the instance and create it again';

const remedies: Remedies<NodeKind> = {
  region: {
    retrying: 'wait until its region answers: it is retried automatically',
    degraded: 'wait until its region answers, then explain the instance again',
  },
  cloudIdentity: { retrying: 'wait until the cloud answers: it is retried automatically' },
  network: {
    retrying: 'wait until the cloud answers: it is retried automatically',
    missing: 'delete the instance: it cannot run, because its network does not exist',
    deleting: 'nothing can be done: the network is deleted together with its instances',
  },
  securityGroup: {
    missing: 'remove the security group from the instance',
    deleting: 'remove the security group from the instance',
  },
  sshCertificateAuthority: {
    missing: 'update the instance with another authority, or with none',
    deleting: 'update the instance with another authority, or with none',
  },
  image: { missing: 'update the instance with another image', 'given up': 'update the instance with another image' },
  flavor: { missing: 'update the instance with another flavor' },
  providerResource: {
    progressing:
      'nothing needs to be done: the cloud works on it, and its state is read automatically every few seconds',
    waiting: 'wait until the resources that the machine needs are ready: it continues automatically',
    retrying: 'wait until the cloud answers: it is retried automatically',
    degraded: recovery,
    failed: 'wait until the cloud has capacity, or choose another flavor: it is retried automatically',
    'given up':
      'update the instance so that it avoids the problem in the message, or ask the platform operator to correct it: it is not retried before that',
    missing:
      'wait until the cloud finds it; if the cloud does not, it counts as lost and is recreated without its disk',
    deleting: 'wait until the cloud has deleted it: this is retried automatically',
  },
  machine: {
    degraded: recovery,
    missing: 'wait until the resources that it needs are ready: it is created automatically',
    failed:
      'correct the problem in the message (update the instance if the problem is in its settings): it is retried automatically',
    'given up': 'correct the problem of its provider resource, or delete the instance',
    deleting: 'wait until the cloud has deleted it: this is retried automatically',
  },
  quota: { retrying: 'wait until the quota can be written: it is released automatically' },
  instance: {
    degraded: recovery,
    'given up':
      'correct the problem in the message (update the instance if the problem is in its settings): it continues automatically',
    deleting: 'wait until its machine is deleted: the instance is then removed automatically',
  },
};

/** Remedies for reasons that are more specific than the state. */
const byReason: Readonly<Partial<Record<NodeKind, Readonly<Record<string, string>>>>> = {
  providerResource: {
    RebuildFailed: 'update the instance with another image, or with another flavor, which replaces its machine',
    GivenUp: 'update the instance, for example with another image or flavor: then it is tried again; or delete it',
  },
};

/** The remedy for a state, in terms of instances. */
export function remedyOf(
  kind: NodeKind,
  status: Pick<NodeStatus, 'state' | 'reason' | 'nextRetry'>,
): { readonly unblockedBy?: string } {
  const { state, reason } = status;
  if (state === 'degraded' && reason === 'Unknown')
    return { unblockedBy: 'wait until its region finds the machine: it is searched for automatically' };
  const unblockedBy = byReason[kind]?.[reason];
  return unblockedBy === undefined ? remedyFor(remedies, kind, status) : { unblockedBy };
}
