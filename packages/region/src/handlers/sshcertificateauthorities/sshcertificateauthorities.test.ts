import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Project } from '@unikorn/identity/kinds';

import { Server, SSHCertificateAuthority } from '../../kinds/index.ts';
import { publicKeys } from '../../sshca/public-key.fixture.ts';
import { startRegion, type RunningRegion } from '../../testing/index.ts';
import { idsOf, nowhere, openTenant, wire, type Tenant } from '../network-resources.fixture.ts';

let running: RunningRegion;
let tenant: Tenant;
beforeAll(async () => {
  running = await startRegion();
  tenant = await openTenant(running);
});
afterAll(() => running.stop());

function made({ scope, create }: Tenant = tenant, spec: object = {}, metadata?: object) {
  return create('sshcertificateauthorities', { ...scope, publicKey: publicKeys.ed25519, ...spec }, metadata);
}

describe('an SSH certificate authority', () => {
  it('is complete as soon as it is accepted, trimmed, and read back the same', async () => {
    const tags = [{ name: 'a', value: 'b' }];
    const created = await made(tenant, { publicKey: `\n ${publicKeys.ecdsa256} ops@example.com \n` }, { tags });
    const publicKey = `${publicKeys.ecdsa256} ops@example.com`;
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: { ...tenant.scope, tags, provisioningStatus: 'provisioned', healthStatus: 'healthy' },
        spec: { publicKey },
      },
    });
    expect(wire(created)).not.toHaveProperty('status');
    expect((await tenant.ask('GET', `sshcertificateauthorities/${wire(created).metadata.id}`)).body).toEqual(
      created.body,
    );
  });

  it.each([
    ['two keys', `${publicKeys.ed25519}\n${publicKeys.rsa}`, 422],
    ['options', `cert-authority ${publicKeys.ed25519}`, 422],
    ['nothing', '  ', 422],
    ['a book', 'x'.repeat(10_000), 400],
  ])('%s is refused', async (_what, publicKey, status) => {
    expect(await made(tenant, { publicKey })).toMatchObject({
      status,
      body: { error_description: expect.stringContaining('spec.publicKey') as string },
    });
  });

  it('is created only with the right to create, in a project that exists and is not being deleted', async () => {
    const other = await openTenant(running);
    expect((await made(tenant, other.scope)).status).toBe(403);
    expect((await made(tenant, { projectId: nowhere })).status).toBe(404);
    expect((await made(tenant, { projectId: 'web' })).status).toBe(400);
    expect((await made(tenant, { organizationId: '../acme' })).status).toBe(400);
  });

  it('is listed for callers who may read it, filtered by project and tag, and cannot be changed', async () => {
    const lister = await openTenant(running);
    const { id } = wire(await made(lister, {}, { tags: [{ name: 'tier', value: 'web' }] })).metadata;
    expect(
      idsOf(await lister.ask('GET', `sshcertificateauthorities?projectID=${lister.scope.projectId}&tag=tier%3Dweb`)),
    ).toEqual([id]);
    expect(idsOf(await lister.ask('GET', `sshcertificateauthorities?projectID=${nowhere}`))).toEqual([]);
    expect(idsOf(await tenant.ask('GET', 'sshcertificateauthorities'))).not.toContain(id);
    expect((await tenant.ask('GET', `sshcertificateauthorities/${id}`)).status).toBe(404);
    expect((await lister.ask('PUT', `sshcertificateauthorities/${id}`, { metadata: { name: 'new' } })).status).toBe(
      405,
    );
  });

  it('in use by a server cannot be deleted, also long after the server was created; afterwards it can', async () => {
    const networkId = await tenant.network();
    const { id } = wire(await made()).metadata;
    const user = await tenant.server(networkId, { authority: id });
    await running.world.advance(60_000);
    const remove = () => tenant.ask('DELETE', `sshcertificateauthorities/${id}`);
    expect(await remove()).toMatchObject({
      status: 403,
      body: { error_description: expect.stringContaining(`in use by server ${user}`) as string },
    });
    await running.store.delete(Server, user);
    await running.eventually(
      () => running.store.get(Server, user),
      (server) => server === undefined,
    );
    expect([(await remove()).status, (await remove()).status]).toEqual([202, 404]);
    expect(await running.store.get(SSHCertificateAuthority, id)).toBeUndefined();
  });

  it('is deleted with its project', async () => {
    const leaving = await openTenant(running);
    const { id } = wire(await made(leaving)).metadata;
    await running.store.delete(Project, leaving.scope.projectId);
    await running.eventually(
      () => running.store.get(SSHCertificateAuthority, id),
      (authority) => authority === undefined,
    );
    expect([404, 422]).toContain((await made(leaving)).status);
  });
});
