import { describe, expect, it } from 'vitest';

import type { Life } from './lives.fixture.ts';
import { resourceTypes, type Attributes } from './resources.fixture.ts';
import { called, publicKey, ssh, type Stage } from './stage.fixture.ts';
import { Workspace, type Configuration } from './workspace.fixture.ts';

const { project, network, securityGroup, sshCertificateAuthority, fileStorage, instance } = resourceTypes;

/** The values of an instance with the required fields only, and these changes. */
export function instanceAttributes(
  { networkId, flavorId, imageId }: Stage,
  name: string,
  changes: Attributes = {},
): Attributes {
  return {
    ...called(name),
    networkId,
    flavorId,
    imageId,
    sshCertificateAuthorityId: null,
    userData: null,
    securityGroups: null,
    allowedSourceAddresses: null,
    publicIP: null,
    ...changes,
  };
}

/** The life of each resource. The stage is known when the tests run. */
export function describeLives(at: () => Stage, lives: readonly Life[]): void {
  describe.each(lives)('$like, as Terraform manages it', (life) => {
    it('is created, planned without changes, imported, changed, replaced and deleted', () => live(at(), life));
  });
}

/** One life of a resource, from its creation to its deletion. */
export async function live(stage: Stage, { type, first, change, replacement }: Life): Promise<void> {
  const { terraform } = stage;
  let wanted = first(stage);
  let held = await terraform.create(type, wanted);
  const settled = async () => {
    const imported = await terraform.read(type, held.id);
    expect(terraform.plan(type, imported, wanted)).toEqual({ action: 'nothing' });
  };
  await settled();
  if (change) {
    wanted = { ...wanted, ...change(stage) };
    expect(terraform.plan(type, held, wanted)).toMatchObject({ action: 'update' });
    held = await terraform.update(type, held, wanted);
    await settled();
  }
  if (replacement) {
    wanted = { ...wanted, ...replacement(stage) };
    expect(terraform.plan(type, held, wanted)).toMatchObject({ action: 'replace' });
    await terraform.destroy(type, held);
    held = await terraform.create(type, wanted);
    await settled();
  }
  await terraform.destroy(type, held);
  expect(await terraform.read(type, held.id)).toBeUndefined();
  // A resource that was deleted outside Terraform counts as deleted.
  await terraform.destroy(type, held);
}

/** A project with all resources, where the region has file storage also with files. */
export function describeConfiguration(at: () => Stage, storage: 'with files' | 'without files'): void {
  describe('a whole configuration', () => {
    const key = publicKey();

    /**
     * A project with all resources. `guarded` says whether its instance uses the security group, and whether the group
     * exists.
     */
    const configuration = (guarded: boolean, description: string | null): Configuration => ({
      project: { type: project, needs: [], wanted: () => ({ ...called('whole'), groupIds: [] }) },
      network: {
        type: network,
        needs: ['project'],
        wanted: (id) => ({
          ...called('whole'),
          description,
          projectId: id('project'),
          regionId: at().regionId,
          prefix: '10.20.0.0/24',
          dnsNameservers: [],
          routes: null,
        }),
      },
      ...(guarded
        ? {
            guard: {
              type: securityGroup,
              needs: ['network'],
              wanted: (id: (block: string) => string) => ({
                ...called('whole'),
                networkId: id('network'),
                rules: [ssh],
              }),
            },
          }
        : {}),
      authority: {
        type: sshCertificateAuthority,
        needs: ['project'],
        wanted: (id) => ({ ...called('whole'), projectId: id('project'), publicKey: key }),
      },
      ...(storage === 'with files'
        ? {
            files: {
              type: fileStorage,
              needs: ['project', 'network'],
              wanted: (id: (block: string) => string) => ({
                ...called('whole'),
                description,
                projectId: id('project'),
                storageClassId: at().storageClassId,
                sizeGiB: 1,
                rootSquash: true,
                networkIds: [id('network')],
              }),
            },
          }
        : {}),
      machine: {
        type: instance,
        needs: ['project', 'network', 'authority', ...(guarded ? ['guard'] : [])],
        wanted: (id) =>
          instanceAttributes(at(), 'whole', {
            description,
            projectId: id('project'),
            networkId: id('network'),
            sshCertificateAuthorityId: id('authority'),
            securityGroups: guarded ? [id('guard')] : null,
          }),
      },
    });

    it('is applied, planned without changes, changed, and destroyed completely', async () => {
      const { client, terraform } = at();
      const workspace = new Workspace(terraform);
      const [first, second] = [configuration(true, null), configuration(false, 'changed')];
      await workspace.apply(first);
      expect(await workspace.plan(first)).toEqual({});
      expect(await workspace.plan(second)).toEqual({
        network: 'update',
        ...(storage === 'with files' ? { files: 'update' } : {}),
        machine: 'update',
        guard: 'delete',
      });
      await workspace.apply(second);
      expect(await workspace.plan(second)).toEqual({});
      const projectId = workspace.id('project');
      await workspace.destroy();
      const left = await Promise.all(
        ['networks', 'securitygroups', 'sshcertificateauthorities', 'filestorage'].map((kind) =>
          client.list('region', `/api/v2/${kind}?projectID=${projectId}`),
        ),
      );
      expect([...left.flat(), ...(await client.list('compute', `/api/v2/instances?projectID=${projectId}`))]).toEqual(
        [],
      );
      expect(await workspace.plan(first)).toEqual(
        Object.fromEntries(Object.keys(first).map((name) => [name, 'create'])),
      );
    });
  });
}
