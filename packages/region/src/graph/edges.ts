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

/** A kind of identity. Resources of a project in region are deleted with the project. */
export const projectKindId: KindId = 'projects.identity.unikorn-cloud.org';

/** How the life of one kind depends on another. Every edge is used by code; do not add edges that are not read. */
export type Edge =
  /**
   * The owned object is deleted with its owner, and the owner stays until the owned object is deleted. A label of the
   * owned object names its owner. Read by `waitForOwned`.
   */
  | { readonly type: 'owner'; readonly owner: KindId; readonly owned: KindId; readonly label: string }
  /**
   * A server uses the object, and is found by a label. The object cannot be deleted on request, and its removal waits,
   * until no server uses it. Other users store a reference record, which needs no edge. Read by `usersOf`.
   */
  | {
      readonly type: 'use by servers';
      readonly used: KindId;
      readonly label: string;
      readonly holds: 'the id of the used' | 'the same as the label of the used';
    }
  /**
   * The deletion of an object of another service is propagated to our objects, by the label that names it. Read by
   * consumers.
   */
  | { readonly type: 'propagation'; readonly from: KindId; readonly to: KindId; readonly label: string };

/** The lifecycle graph. Handlers, controllers and consumers read it; none of them has its own list of dependencies. */
export const edges: readonly Edge[] = [
  // Before their principals, which delete them as well: this way the networks record who deleted them, and with which
  // project.
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
