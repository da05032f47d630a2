import { defineMigration, objectsOf, type Migration } from '@unikorn/core/migration';
import { leaseMigration } from '@unikorn/core/parts';
import { moveFinalizers } from '@unikorn/core/references';
import { finalizers, withFinalizer } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';

import { Network, SSHCertificateAuthority } from './kinds/index.ts';

/** Changes of the data that region stores, oldest first. */
export const regionMigrations: readonly Migration[] = [
  defineMigration({ name: 'region-network-references', run: ({ store }) => moveFinalizers(store, Network) }),
  defineMigration({
    // An authority that is being deleted now waits for its users.
    name: 'region-authorities-held',
    run: async ({ store }) => {
      for await (const { metadata } of objectsOf(store, SSHCertificateAuthority)) {
        if (metadata.deletionTimestamp !== undefined) continue;
        await modify(store, SSHCertificateAuthority, metadata.name, (authority) => ({
          ...authority,
          metadata: { ...authority.metadata, finalizers: withFinalizer(authority.metadata, finalizers.framework) },
        }));
      }
    },
  }),
  leaseMigration({ name: 'region-leases-of-parts', from: 'region-controllers' }),
];
