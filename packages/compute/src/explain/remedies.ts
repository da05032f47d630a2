import { remedyFor, type NodeStatus, type Remedies } from '@unikorn/core/explain';

import type { NodeKind } from './node-kinds.ts';

/** Also of the machine, which is degraded when its instance is. */
const recovery =
  'start the instance if it is stopped; if its machine failed, change its image to have it rebuilt, or delete it and create it again';

const remedies: Remedies<NodeKind> = {
  region: {
    retrying: 'its region answers again: it is retried automatically',
    degraded: 'its region answers again: explain the instance again then',
  },
  cloudIdentity: { retrying: 'the cloud answers again: it is retried automatically' },
  network: {
    retrying: 'the cloud answers again: it is retried automatically',
    missing: 'nothing helps: delete the instance, because its network is gone',
    deleting: 'nothing helps: a network is deleted with the instances in it',
  },
  securityGroup: {
    missing: 'update the instance so that it no longer names the security group',
    deleting: 'update the instance so that it no longer names the security group',
  },
  sshCertificateAuthority: {
    missing: 'update the instance with another authority, or with none',
    deleting: 'update the instance with another authority, or with none',
  },
  image: { missing: 'update the instance with another image', 'given up': 'update the instance with another image' },
  flavor: { missing: 'update the instance with another flavor' },
  providerResource: {
    progressing: 'nothing needs to be done: the cloud works on it, and is asked again automatically every few seconds',
    waiting: 'the things that the machine needs become ready: the cloud is asked automatically then',
    retrying: 'the cloud answers again: it is retried automatically',
    degraded: recovery,
    failed: 'the cloud has room again, or the instance gets another flavor: it is retried automatically',
    'given up':
      'update the instance so that its message no longer applies, or ask an operator to correct the problem: the cloud is not asked again before that',
    missing: 'the cloud shows it again; if it does not, it counts as lost and is made again without its disk',
    deleting: 'the cloud removes it: that is retried automatically',
  },
  machine: {
    degraded: recovery,
    missing: 'the things that it needs become ready: it is created automatically then',
    failed:
      'correct the problem in its message, by an update of the instance if it is about the instance: it is retried automatically',
    'given up': 'the problem of its provider resource is corrected; or delete the instance',
    deleting: 'the cloud removes it: that is retried automatically',
  },
  quota: { retrying: 'the quota can be written again: it is given back automatically then' },
  instance: {
    degraded: recovery,
    'given up':
      'correct the problem in its message, by an update of the instance if it is about the instance: it continues automatically then',
    deleting: 'its machine is gone: the instance is removed automatically then',
  },
};

/** Remedies of reasons that say more than the state does. */
const byReason: Readonly<Partial<Record<NodeKind, Readonly<Record<string, string>>>>> = {
  providerResource: {
    RebuildFailed: 'update the instance with another image, or replace its machine by choosing another flavor',
    GivenUp: 'update the instance, with another image or flavor for example, to have it tried again; or delete it',
  },
};

/** How to get out of a state, in the words of a user who sees instances. */
export function remedyOf(
  kind: NodeKind,
  status: Pick<NodeStatus, 'state' | 'reason' | 'nextRetry'>,
): { readonly unblockedBy?: string } {
  const { state, reason } = status;
  if (state === 'degraded' && reason === 'Unknown')
    return { unblockedBy: 'its region sees the machine again: it looks for it automatically' };
  const unblockedBy = byReason[kind]?.[reason];
  return unblockedBy === undefined ? remedyFor(remedies, kind, status) : { unblockedBy };
}
