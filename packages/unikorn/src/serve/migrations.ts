import { ComputeInstance, computeMigrations, referencesOf } from '@unikorn/compute';
import { defineMigration, MigrationRecord, objectsOf, type Migration } from '@unikorn/core/migration';
import { inBatches, recordReference } from '@unikorn/core/references';
import type { Store } from '@unikorn/core/store';
import { identityMigrations } from '@unikorn/identity';
import { Project } from '@unikorn/identity/kinds';
import { regionMigrations } from '@unikorn/region';
import { Network, SecurityGroup, SSHCertificateAuthority } from '@unikorn/region/kinds';

import type { PartName } from '../parts/table.ts';

/** Must run before the services start, so that the state is in the format of this version. */
export function controlPlaneMigrations(): readonly Migration[] {
  return [...identityMigrations, ...regionMigrations, instanceReferences, ...computeMigrations];
}

/**
 * The migrations of a process that runs only some parts: those of the services whose API it runs. The others belong to
 * states in which one process did everything.
 */
export function migrationsOf(parts: readonly PartName[]): readonly Migration[] {
  return [
    ...(parts.includes('identity/api') ? identityMigrations : []),
    ...(parts.includes('region/api') ? regionMigrations : []),
    ...(parts.includes('compute/api') ? computeMigrations : []),
  ];
}

/** Whether an earlier process has used this state. Every first start records its migrations. */
export async function hasMigrated({ store }: { readonly store: Store }): Promise<boolean> {
  return (await store.list(MigrationRecord, { limit: 1 })).items.length > 0;
}

/** The kinds that instances use. */
const used = {
  network: Network,
  securityGroup: SecurityGroup,
  sshCertificateAuthority: SSHCertificateAuthority,
  project: Project,
} as const;

/**
 * Instances of older versions had no references. This migration writes the references of compute's instances to
 * resources of region and identity, so it needs the one store of all three services. Services with separate stores
 * never had such a state.
 */
const instanceReferences = defineMigration({
  name: 'compute-instance-references',
  run: async ({ store }) => {
    let some: ComputeInstance[] = [];
    for await (const instance of objectsOf(store, ComputeInstance)) {
      some.push(instance);
      if (some.length < 200) continue;
      await inBatches(some, (each) => recordReferences(store, each));
      some = [];
    }
    await inBatches(some, (each) => recordReferences(store, each));
  },
});

/** Writes references to the existing resources that the instance uses. */
async function recordReferences(store: Store, instance: ComputeInstance): Promise<void> {
  for (const {
    used: { what, id },
    holder,
  } of referencesOf(instance)) {
    const kind = used[what];
    if (await store.get(kind, id))
      await recordReference(store, kind, { name: id, labels: instance.metadata.labels ?? {} }, holder);
  }
}
