import { createHash } from 'node:crypto';

import { annotations } from '@unikorn/core/resource';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { standingOf, wishOf, type Disruption, type ServerWish } from './changes.ts';
import type { Wanted } from './plan.ts';

interface Planned {
  readonly instance: ComputeInstance;
  readonly wanted: Wanted;
  readonly resolution: Resolution;
  readonly action: Disruption;
}

/**
 * Names a plan: the instance as it is, the server as it is, what is wanted, and what that does. It is a digest and no secret,
 * because whoever presents it only says what they have agreed to; another body, or a world that moved on, has another.
 */
export function tokenOf({ instance: { metadata }, wanted: { spec, description }, resolution, action }: Planned): string {
  const { tags = [], networking, deletionProtection, afterRebuild } = spec;
  const record = [description, tags.map(({ name, value }) => [name, value]), networking?.publicIp, deletionProtection, afterRebuild];
  const parts = [metadata.uid, metadata.generation, metadata.annotations?.[annotations.description], action, inOrder(wishOf(spec)), record, standing(resolution)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function inOrder(wish: ServerWish): readonly unknown[] {
  const { flavorId, imageId, sshCertificateAuthorityId, publicIP, securityGroups, allowedSourceAddresses, userData } = wish;
  return [flavorId, imageId, sshCertificateAuthorityId, publicIP, securityGroups, allowedSourceAddresses, userData];
}

/** A server that was made anew meanwhile, or is on its way out, is another one even if it looks the same. */
function standing(resolution: Resolution): readonly unknown[] {
  switch (resolution.type) {
    case 'none':
      return [];
    case 'one': {
      const { creationTime, deletionTime } = resolution.server.metadata;
      return [creationTime, deletionTime, inOrder(standingOf(resolution.server))];
    }
    case 'many':
      return [...resolution.serverIds];
  }
}
