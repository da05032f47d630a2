import { ComputeInstance, computeMigrations, referencesOf } from '@unikorn/compute';
import { defineMigration, objectsOf, type Migration } from '@unikorn/core/migration';
import { inBatches, recordReference } from '@unikorn/core/references';
import type { Store } from '@unikorn/core/store';
import { identityMigrations } from '@unikorn/identity';
import { Project } from '@unikorn/identity/kinds';
import { regionMigrations } from '@unikorn/region';
import { Network, SecurityGroup, SSHCertificateAuthority } from '@unikorn/region/kinds';

/** Must run before the services start, so that they find the state in the form of this version. */
export function controlPlaneMigrations(): readonly Migration[] {
  return [...identityMigrations, ...regionMigrations, instanceReferences, ...computeMigrations];
}

/** The kinds that instances use. */
const used = {
  network: Network,
  securityGroup: SecurityGroup,
  sshCertificateAuthority: SSHCertificateAuthority,
  project: Project,
} as const;

/**
 * Instances of older versions had no references. This writes beside resources of region and identity what instances of
 * compute use, so it belongs to the process that has the one store of all three. Services that have stores of their own
 * never had that state.
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

/** To the resources that the instance uses and that exist. */
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
