import { done, type Provisioner } from '@unikorn/core/controller';
import { annotations, labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { waitForOwned } from '../graph/index.ts';
import { Identity } from '../kinds/index.ts';
import { labelOf, placementOf } from '../placement.ts';
import type { IdentityReference } from '../provider/index.ts';
import { attempted, whileBusy } from '../regions/index.ts';
import { holdProject, releaseProject } from './project-hold.ts';

type IdentityDeps = Pick<RegionContext, 'store' | 'providers' | 'identityClient'>;

/** Provisions a principal in its cloud. Its project is held from before that until the cloud has deleted it. */
export function identityProvisioner({ store, providers, identityClient }: IdentityDeps): Provisioner<typeof Identity> {
  return {
    async provision({ metadata }) {
      const name = metadata.annotations?.[annotations.description] ?? 'a network';
      const blocked = await holdProject(identityClient, Identity, metadata, name);
      if (blocked) return blocked;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const ensured = await cloud.identities.ensure(inCloud(metadata));
        if (ensured.state === 'pending') return whileBusy(ensured);
        return done({
          conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: 'it exists in the cloud' }],
        });
      });
    },
    async deprovision({ metadata }) {
      const waiting = await waitForOwned(store, Identity, metadata);
      if (waiting) return waiting;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await cloud.identities.remove(inCloud(metadata));
        if (removed.state === 'pending') return whileBusy(removed);
        await releaseProject(identityClient, Identity, metadata);
        return done();
      });
    },
  };
}

function inCloud(metadata: Identity['metadata']): IdentityReference {
  return { id: metadata.name, ...placementOf(metadata) };
}
