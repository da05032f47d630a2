import { labels } from '@unikorn/core/resource';

import {
  FileStorage,
  Identity,
  LoadBalancer,
  Network,
  SecurityGroup,
  Server,
  SSHCertificateAuthority,
  Volume,
} from '../kinds/index.ts';

/** `<plural>.<group>` of a kind, ours or identity's. */
export type KindId = string;

/** Of identity. What a project owns in region is deleted with the project. */
export const projectKindId: KindId = 'projects.identity.unikorn-cloud.org';

/** How one kind's life depends on another's. All of it is read: an edge that nothing reads does not belong here. */
export type Edge =
  /**
   * The owned is deleted with its owner, which stays until the owned is gone. The owned names its owner in the label.
   * Read by `waitForOwned`.
   */
  | { readonly type: 'owner'; readonly owner: KindId; readonly owned: KindId; readonly label: string }
  /**
   * A server uses something, and is found by a label. What is used cannot be deleted by request, and its removal waits,
   * until no server uses it. Other users hold a reference beside what they use, which needs no edge. Read by `usersOf`.
   */
  | {
      readonly type: 'use by servers';
      readonly used: KindId;
      readonly label: string;
      readonly holds: 'the id of the used' | 'the same as the label of the used';
    }
  /**
   * The deletion of something of another service reaches ours through the label by which ours names it. Read by
   * consumers.
   */
  | { readonly type: 'propagation'; readonly from: KindId; readonly to: KindId; readonly label: string };

/** The lifecycle graph. Handlers, controllers and consumers read it; none of them knows an edge of its own. */
export const edges: readonly Edge[] = [
  // Before their principals, which take them along as well: networks then say by whom and with what they were deleted.
  { type: 'propagation', from: projectKindId, to: Network.id, label: labels.project },
  { type: 'propagation', from: projectKindId, to: Identity.id, label: labels.project },
  { type: 'propagation', from: projectKindId, to: FileStorage.id, label: labels.project },
  { type: 'propagation', from: projectKindId, to: SSHCertificateAuthority.id, label: labels.project },

  { type: 'owner', owner: Identity.id, owned: Network.id, label: labels.identity },
  { type: 'owner', owner: Network.id, owned: SecurityGroup.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: LoadBalancer.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: Server.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: Volume.id, label: labels.network },

  { type: 'use by servers', used: Network.id, label: labels.network, holds: 'the id of the used' },
  {
    type: 'use by servers',
    used: SecurityGroup.id,
    label: labels.network,
    holds: 'the same as the label of the used',
  },
  {
    type: 'use by servers',
    used: SSHCertificateAuthority.id,
    label: labels.sshCertificateAuthority,
    holds: 'the id of the used',
  },
  { type: 'use by servers', used: Volume.id, label: labels.network, holds: 'the same as the label of the used' },
];
