import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { absentId } from '@unikorn/identity/testing';

import { eventually, startProduct } from './running.fixture.ts';
import { Client, Refusal } from './terraform/client.fixture.ts';
import { lives } from './terraform/lives.fixture.ts';
import { resourceTypes } from './terraform/resources.fixture.ts';
import { describeConfiguration, describeLives, instanceAttributes } from './terraform/sequences.fixture.ts';
import { called, ssh, startTerraform, type Stage } from './terraform/stage.fixture.ts';
import { simulatedRegion } from './test-region.fixture.ts';

const { project, network, securityGroup, instance } = resourceTypes;

let stage: Stage;

beforeAll(async () => {
  const product = await startProduct();
  stage = await startTerraform(product, simulatedRegion(product));
});

afterAll(() => stage.product.stop());

describeLives(() => stage, lives);

describe('special cases of some resources', () => {
  it('an instance keeps its private address when its image is changed, also when it is rebuilt', async () => {
    const { terraform, client, turn } = stage;
    await turn({ build_ms: 250 });
    const held = await terraform.create(instance, instanceAttributes(stage, 'rebuilt'));
    expect(held.attributes['privateAddress']).toMatch(/^10\.8\.0\.\d+$/);
    const changed = await terraform.update(
      instance,
      held,
      instanceAttributes(stage, 'rebuilt', { imageId: '33333333-3333-3333-3333-333333333333' }),
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
    const held = await terraform.create(instance, instanceAttributes(stage, 'resized'));
    await terraform.update(instance, held, instanceAttributes(stage, 'resized', metal));
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
    const held = await terraform.create(
      instance,
      instanceAttributes(stage, 'guarded', { securityGroups: [dropped.id] }),
    );
    await expect(client.call('region', 'DELETE', `/api/v2/securitygroups/${dropped.id}`)).rejects.toMatchObject({
      status: 403,
      description: expect.stringMatching(/in use/i) as string,
    });
    const [, changed] = await Promise.all([
      terraform.destroy(securityGroup, dropped),
      terraform.update(instance, held, instanceAttributes(stage, 'guarded')),
    ]);
    expect(await terraform.read(securityGroup, dropped.id)).toBeUndefined();
    await terraform.destroy(instance, changed);
  });

  it('a network that is in use is not deleted, and the error comes at once', async () => {
    const { terraform, networkId } = stage;
    const held = await terraform.create(instance, instanceAttributes(stage, 'tenant'));
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
    await expect(terraform.create(instance, instanceAttributes(stage, 'doomed'))).rejects.toThrow(/instance failed/);
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
      await terraform.create(instance, instanceAttributes(stage, 'keyed')),
      await terraform.create(
        instance,
        instanceAttributes(stage, 'certified', { sshCertificateAuthorityId: authorityId }),
      ),
    ];
    expect(await data.sshKey(keyed.id)).toContain('PRIVATE KEY');
    expect(await data.sshKey(certified.id)).toBeNull();
    await Promise.all([terraform.destroy(instance, keyed), terraform.destroy(instance, certified)]);
  });
});

describeConfiguration(() => stage, 'with files');

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
