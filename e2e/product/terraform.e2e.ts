import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { absentId } from '@unikorn/identity/testing';

import { eventually } from './running.fixture.ts';
import { Client, Refusal } from './terraform/client.fixture.ts';
import { lives } from './terraform/lives.fixture.ts';
import { resourceTypes, type Attributes } from './terraform/resources.fixture.ts';
import { called, publicKey, ssh, startTerraform, type Stage } from './terraform/stage.fixture.ts';
import { Workspace, type Configuration } from './terraform/workspace.fixture.ts';

const { project, network, securityGroup, sshCertificateAuthority, fileStorage, instance } = resourceTypes;

let stage: Stage;

beforeAll(async () => {
  stage = await startTerraform();
});

afterAll(() => stage.product.stop());

function instanceAttributes(name: string, changes: Attributes = {}): Attributes {
  const { networkId, flavorId, imageId } = stage;
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

describe.each(lives)('$like, as Terraform manages it', ({ type, first, change, replacement }) => {
  it('is created, planned without changes, imported, changed, replaced and deleted', async () => {
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
  });
});

describe('special cases of some resources', () => {
  it('an instance keeps its private address when its image is changed, also when it is rebuilt', async () => {
    const { terraform, client, turn } = stage;
    await turn({ build_ms: 250 });
    const held = await terraform.create(instance, instanceAttributes('rebuilt'));
    expect(held.attributes['privateAddress']).toMatch(/^10\.8\.0\.\d+$/);
    const changed = await terraform.update(
      instance,
      held,
      instanceAttributes('rebuilt', { imageId: '33333333-3333-3333-3333-333333333333' }),
    );
    await eventually(
      () => client.call('compute', 'GET', `/api/v2/instances/${held.id}`),
      (seen) => JSON.stringify(seen).includes('"provisioningStatus":"provisioned"'),
    );
    expect((await terraform.read(instance, held.id))?.attributes).toMatchObject({
      privateAddress: held.attributes['privateAddress'],
      imageId: changed.attributes['imageId'],
    });
    await terraform.destroy(instance, held);
    await turn({ build_ms: 0 });
  });

  it('an instance keeps its private address when its flavor is changed, at all times until the new machine runs', async () => {
    const { terraform, client, turn } = stage;
    await turn({ build_ms: 250, delete_ms: 1_000 });
    const metal = { flavorId: '99999999-9999-9999-9999-999999999999', imageId: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb' };
    const held = await terraform.create(instance, instanceAttributes('resized'));
    await terraform.update(instance, held, instanceAttributes('resized', metal));
    const addresses = new Set<unknown>();
    const seenUntil = (text: string) =>
      eventually(
        async () => {
          addresses.add((await terraform.read(instance, held.id))?.attributes['privateAddress']);
          return client.call('compute', 'GET', `/api/v2/instances/${held.id}`);
        },
        (seen) => JSON.stringify(seen).includes(text),
      );
    await seenUntil('"replacement"');
    await seenUntil('"provisioningStatus":"provisioned"');
    expect([...addresses]).toEqual([held.attributes['privateAddress']]);
    await terraform.destroy(instance, held);
    await turn({ build_ms: 0, delete_ms: 0 });
  });

  it('a change adds its own tag, and removes the tag of the change before', async () => {
    const { terraform, client } = stage;
    const wanted = { ...called('marked'), groupIds: [] };
    let held = await terraform.create(project, wanted);
    const marks = async () =>
      JSON.stringify(await client.call('identity', 'GET', `${project.collection(client.settings)}/${held.id}`)).match(
        /terraform\.nscale\.com\/[0-9a-f-]{36}/g,
      );
    expect(await marks()).toBeNull();
    for (const description of ['once', 'twice'])
      held = await terraform.update(project, held, { ...wanted, description });
    expect(await marks()).toHaveLength(1);
    await terraform.destroy(project, held);
  });

  it('a security group is deleted while an instance is being updated to no longer use it', async () => {
    const { terraform, client, networkId } = stage;
    const dropped = await terraform.create(securityGroup, { ...called('dropped'), networkId, rules: [ssh] });
    const held = await terraform.create(instance, instanceAttributes('guarded', { securityGroups: [dropped.id] }));
    await expect(client.call('region', 'DELETE', `/api/v2/securitygroups/${dropped.id}`)).rejects.toMatchObject({
      status: 403,
      description: expect.stringMatching(/in use/i) as string,
    });
    const [, changed] = await Promise.all([
      terraform.destroy(securityGroup, dropped),
      terraform.update(instance, held, instanceAttributes('guarded')),
    ]);
    expect(await terraform.read(securityGroup, dropped.id)).toBeUndefined();
    await terraform.destroy(instance, changed);
  });

  it('a network that is in use is not deleted, and the error comes at once', async () => {
    const { terraform, networkId } = stage;
    const held = await terraform.create(instance, instanceAttributes('tenant'));
    const refused = await terraform
      .destroy(network, { id: networkId, attributes: {} })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ status: 403 });
    await terraform.destroy(instance, held);
  });

  it('a resource that fails reports its error while Terraform waits for it', async () => {
    const { terraform, turn } = stage;
    await turn({ buildFailureRate: 1 });
    await expect(terraform.create(instance, instanceAttributes('doomed'))).rejects.toThrow(/instance failed/);
    await turn({ buildFailureRate: 0 });
  });
});

describe('data sources of a configuration', () => {
  it('a region, a flavor with a GPU and without, and a storage class of several regions', async () => {
    const { data, regionId, secondaryRegionId, flavorId, storageClassId } = stage;
    expect(await data.region()).toMatchObject({ metadata: { id: regionId, name: 'north' } });
    expect(await data.flavor(flavorId)).toMatchObject({
      metadata: { id: flavorId },
      spec: {
        cpus: expect.any(Number) as number,
        memory: expect.any(Number) as number,
        disk: expect.any(Number) as number,
      },
    });
    const gpu = expect.objectContaining({
      vendor: expect.any(String) as string,
      model: expect.any(String) as string,
      physicalCount: expect.any(Number) as number,
      logicalCount: expect.any(Number) as number,
      memory: expect.any(Number) as number,
    }) as object;
    expect(await data.flavor('22222222-2222-2222-2222-222222222222', secondaryRegionId)).toMatchObject({
      spec: { gpu },
    });
    expect(await data.fileStorageClass(storageClassId, [secondaryRegionId, regionId])).toMatchObject({
      metadata: { id: storageClassId },
      spec: { protocols: ['nfsv4'], regionId },
    });
  });

  it('a missing object is an error', async () => {
    const { data, terraform } = stage;
    await expect(data.region(absentId)).rejects.toThrow(/does not exist/);
    await expect(data.flavor(absentId)).rejects.toThrow(/does not exist/);
    for (const type of Object.values(resourceTypes)) expect(await terraform.read(type, absentId)).toBeUndefined();
  });

  it('the SSH key of an instance, or none if it uses an authority', async () => {
    const { data, terraform, authorityId } = stage;
    const [keyed, certified] = [
      await terraform.create(instance, instanceAttributes('keyed')),
      await terraform.create(instance, instanceAttributes('certified', { sshCertificateAuthorityId: authorityId })),
    ];
    expect(await data.sshKey(keyed.id)).toContain('PRIVATE KEY');
    expect(await data.sshKey(certified.id)).toBeNull();
    await Promise.all([terraform.destroy(instance, keyed), terraform.destroy(instance, certified)]);
  });
});

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
        regionId: stage.regionId,
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
            wanted: (id: (block: string) => string) => ({ ...called('whole'), networkId: id('network'), rules: [ssh] }),
          },
        }
      : {}),
    authority: {
      type: sshCertificateAuthority,
      needs: ['project'],
      wanted: (id) => ({ ...called('whole'), projectId: id('project'), publicKey: key }),
    },
    files: {
      type: fileStorage,
      needs: ['project', 'network'],
      wanted: (id) => ({
        ...called('whole'),
        description,
        projectId: id('project'),
        storageClassId: stage.storageClassId,
        sizeGiB: 1,
        rootSquash: true,
        networkIds: [id('network')],
      }),
    },
    machine: {
      type: instance,
      needs: ['project', 'network', 'authority', ...(guarded ? ['guard'] : [])],
      wanted: (id) =>
        instanceAttributes('whole', {
          description,
          projectId: id('project'),
          networkId: id('network'),
          sshCertificateAuthorityId: id('authority'),
          securityGroups: guarded ? [id('guard')] : null,
        }),
    },
  });

  it('is applied, planned without changes, changed, and destroyed completely', async () => {
    const workspace = new Workspace(stage.terraform);
    const [first, second] = [configuration(true, null), configuration(false, 'changed')];
    await workspace.apply(first);
    expect(await workspace.plan(first)).toEqual({});
    expect(await workspace.plan(second)).toEqual({
      network: 'update',
      files: 'update',
      machine: 'update',
      guard: 'delete',
    });
    await workspace.apply(second);
    expect(await workspace.plan(second)).toEqual({});
    const projectId = workspace.id('project');
    await workspace.destroy();
    const left = await Promise.all(
      ['networks', 'securitygroups', 'sshcertificateauthorities', 'filestorage'].map((kind) =>
        stage.client.list('region', `/api/v2/${kind}?projectID=${projectId}`),
      ),
    );
    expect([
      ...left.flat(),
      ...(await stage.client.list('compute', `/api/v2/instances?projectID=${projectId}`)),
    ]).toEqual([]);
    expect(await workspace.plan(first)).toEqual(Object.fromEntries(Object.keys(first).map((name) => [name, 'create'])));
  });
});

describe('the client that these tests simulate', () => {
  it('retries when the server asks for it, and in no other case', async () => {
    const answers = [429, 429, 200, 503];
    const server = createServer((_request, response) =>
      response.writeHead(answers.shift() ?? 500, { 'retry-after': '0', 'content-type': 'application/json' }).end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new Client(
      { ...stage.client.settings, endpoints: { identity: url, region: url, compute: url } },
      stage.product.send,
    );
    expect(await client.call('region', 'GET', '/')).toEqual({});
    await expect(client.call('region', 'GET', '/')).rejects.toMatchObject({ status: 503 });
    expect(answers).toEqual([]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
