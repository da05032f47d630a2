import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { waits } from '../../limits.ts';
import { testAuthority, type TestAuthority } from '../../testing/certificates.ts';
import { virtualWorld } from '../../testing/index.ts';
import { serviceAccountAccess } from './access.ts';
import { ClusterClient } from './client.ts';
import { missingRight } from './failure.ts';

/** A server that answers with the credentials of the request. */
async function listen(authority: TestAuthority, port = 0) {
  const { certificate, key } = authority.issue('kubernetes');
  const server = createServer({ cert: certificate, key }, (request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers.authorization));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

it('a pod uses the token and the authority that Kubernetes has replaced, and keeps them while a file is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unikorn-account-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mount = async (authority: TestAuthority, token: string) => {
    await writeFile(join(folder, 'ca.crt'), authority.certificate);
    await writeFile(join(folder, 'token'), `${token}\n`);
  };
  const [first, second] = [testAuthority('first'), testAuthority('second')];
  await mount(first, 'one');
  let server = await listen(first);
  const { port } = server;
  const world = virtualWorld();
  const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
  const client = new ClusterClient(world, await serviceAccountAccess({ world, environment, folder }));
  onTestFinished(() => client.close());
  const shown = async () => (await client.send({ method: 'GET', path: '/' })).body;
  expect(await shown()).toBe('Bearer one');

  await server.close();
  await mount(second, 'two');
  server = await listen(second, port);
  onTestFinished(() => server.close());
  await world.advance(waits.serviceAccountToken_ms);
  expect(await shown()).toBe('Bearer two');

  await rm(join(folder, 'token'));
  await world.advance(waits.serviceAccountToken_ms);
  expect(await shown()).toBe('Bearer two');
});

it.each([
  [
    'servers.region.unikorn-cloud.org is forbidden: User "system:serviceaccount:cloud:unikorn-region-api" cannot list resource "servers" in API group "region.unikorn-cloud.org" in the namespace "cloud"',
    'the service account unikorn-region-api of the namespace cloud may not list servers.region.unikorn-cloud.org in the namespace cloud: add the verb to the Role unikorn-region-api; the chart of this version has it (templates/rbac.yaml), so upgrade the release',
  ],
  [
    'servers.region.unikorn-cloud.org "a" is forbidden: User "jane" cannot update resource "servers/status" in API group "region.unikorn-cloud.org" in the namespace "cloud"',
    'the user jane may not update servers.region.unikorn-cloud.org/status in the namespace cloud: give this user a Role with the verb',
  ],
  ['exceeded quota: objects', undefined],
])('a refusal names the missing right: %s', (message, expected) => {
  expect(missingRight(message)).toBe(expected);
});
