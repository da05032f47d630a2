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

/** Of identity; what a project owns of region's goes when it goes. */
export const projectKindId: KindId = 'projects.identity.unikorn-cloud.org';

/**
 * How the users of something are found: by a reference beside what is used, or by a label that a user shares with what it
 * uses. Neither writes to what is used.
 */
export type Trace =
  | { readonly by: 'reference' }
  | {
      readonly by: 'label';
      readonly label: string;
      readonly holds: 'the id of the used' | 'the same as the label of the used';
    };

/** How one kind's life depends on another's. */
export type Edge =
  /** The owned goes with its owner, which stays until it is gone; the owned names it in the label. */
  | { readonly type: 'owner'; readonly owner: KindId; readonly owned: KindId; readonly label: string }
  /** What is used cannot be deleted by request, and stays in any case, until its user lets go. */
  | { readonly type: 'reference'; readonly user: KindId; readonly used: KindId; readonly trace: Trace }
  /** The holder is charged for before it exists, and until the cloud has given back what it paid for. */
  | { readonly type: 'allocation'; readonly holder: KindId; readonly quotas: readonly string[] }
  /** Who deletes the visible one deletes the principal behind it, which owns it. */
  | { readonly type: 'hidden-principal'; readonly visible: KindId; readonly principal: KindId }
  /** Another service's deletion reaches ours through the label by which ours names it. */
  | { readonly type: 'propagation'; readonly from: KindId; readonly to: KindId; readonly label: string };

const reference: Trace = { by: 'reference' };

/** The lifecycle graph. Handlers, controllers and consumers read it; none of them knows an edge of its own. */
export const edges: readonly Edge[] = [
  { type: 'propagation', from: projectKindId, to: Identity.id, label: labels.project },
  { type: 'propagation', from: projectKindId, to: FileStorage.id, label: labels.project },
  { type: 'propagation', from: projectKindId, to: SSHCertificateAuthority.id, label: labels.project },
  { type: 'reference', user: Identity.id, used: projectKindId, trace: reference },
  { type: 'reference', user: FileStorage.id, used: projectKindId, trace: reference },

  { type: 'hidden-principal', visible: Network.id, principal: Identity.id },
  { type: 'owner', owner: Identity.id, owned: Network.id, label: labels.identity },
  { type: 'owner', owner: Network.id, owned: SecurityGroup.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: LoadBalancer.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: Server.id, label: labels.network },
  { type: 'owner', owner: Network.id, owned: Volume.id, label: labels.network },

  {
    type: 'reference',
    user: Server.id,
    used: Network.id,
    trace: { by: 'label', label: labels.network, holds: 'the id of the used' },
  },
  {
    type: 'reference',
    user: Server.id,
    used: SecurityGroup.id,
    trace: { by: 'label', label: labels.network, holds: 'the same as the label of the used' },
  },
  {
    type: 'reference',
    user: Server.id,
    used: SSHCertificateAuthority.id,
    trace: { by: 'label', label: labels.sshCertificateAuthority, holds: 'the id of the used' },
  },
  {
    type: 'reference',
    user: Server.id,
    used: Volume.id,
    trace: { by: 'label', label: labels.network, holds: 'the same as the label of the used' },
  },
  { type: 'reference', user: FileStorage.id, used: Network.id, trace: reference },

  { type: 'allocation', holder: Network.id, quotas: ['networks'] },
  { type: 'allocation', holder: LoadBalancer.id, quotas: ['loadbalancers', 'publicips'] },
  { type: 'allocation', holder: FileStorage.id, quotas: ['filestorage'] },
  { type: 'allocation', holder: Volume.id, quotas: ['volume'] },
];
