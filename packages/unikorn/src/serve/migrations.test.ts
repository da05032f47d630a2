import { expect, it } from 'vitest';

import { ComputeInstance } from '@unikorn/compute';
import { standardFlavor, startCompute, ubuntuImage } from '@unikorn/compute/testing';
import { runMigrations } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { deterministicId, finalizers, newMetadata, labels, referenceOf } from '@unikorn/core/resource';
import { Project } from '@unikorn/identity/kinds';
import { Identity, Network, SSHCertificateAuthority } from '@unikorn/region/kinds';

import { controlPlaneMigrations } from './migrations.ts';

it('a migrated state of the previous version has references for all uses, and is otherwise unchanged', async () => {
  const compute = await startCompute();
  const { store, world, telemetry, organizationId, projectId, regionId, networkId } = compute;
  const scope = { organizationId, projectId };
  // The old form: references are finalizers, and instances have no references.
  for (const { metadata } of (await store.list(ReferenceRecord)).items)
    await store.delete(ReferenceRecord, metadata.name);
  const [identity] = (await store.list(Identity)).items;
  const user = referenceOf(Identity, identity?.metadata.name ?? '');
  const project = await store.get(Project, projectId);
  if (!project) throw new Error('there is no project');
  await store.update(Project, {
    ...project,
    metadata: { ...project.metadata, finalizers: [...(project.metadata.finalizers ?? []), user] },
  });
  const authority = world.uuid();
  await store.create(SSHCertificateAuthority, {
    metadata: newMetadata(authority, { name: 'ca' }, scope, { subject: 'test' }),
    spec: { publicKey: 'k' },
  });
  const id = deterministicId(networkId, 'old');
  const metadata = newMetadata(
    id,
    { name: 'old' },
    scope,
    { subject: 'test' },
    { labels: { [labels.region]: regionId, [labels.network]: networkId } },
  );
  await store.create(ComputeInstance, {
    metadata: { ...metadata, finalizers: [finalizers.framework] },
    spec: {
      flavorId: standardFlavor,
      imageId: ubuntuImage,
      pause: true,
      sshCertificateAuthorityId: authority,
      deletionProtection: true,
    },
  });

  await runMigrations({ store, world, telemetry }, controlPlaneMigrations());

  const references = (await store.list(ReferenceRecord)).items.map(({ spec: { used, reference, name, protects } }) => [
    used.kind,
    used.id,
    reference,
    name,
    protects,
  ]);
  const instance = referenceOf(ComputeInstance, id);
  expect(references).toHaveLength(4);
  expect(references).toEqual(
    expect.arrayContaining([
      [Project.id, projectId, user, undefined, undefined],
      [Project.id, projectId, instance, 'instance old', true],
      [Network.id, networkId, instance, 'instance old', true],
      [SSHCertificateAuthority.id, authority, instance, 'instance old', undefined],
    ]),
  );
  expect((await store.get(Project, projectId))?.metadata.finalizers).toEqual(project.metadata.finalizers);
  expect((await store.get(SSHCertificateAuthority, authority))?.metadata.finalizers).toEqual([finalizers.framework]);
  expect((await compute.request('DELETE', `/region/api/v2/networks/${networkId}`)).status).toBe(409);
  await compute.stop();
});
