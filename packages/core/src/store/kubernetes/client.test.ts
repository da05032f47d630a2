import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished, vi } from 'vitest';

import { internalLimits } from '../../limits.ts';
import { virtualWorld } from '../../testing/index.ts';
import { ClusterClient } from './client.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/cloud/leases';

/** An API server that only answers requests for leases. */
async function startBusyServer() {
  const waiting: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith(leases)) response.setHeader('content-type', 'application/json').end('{}');
    else waiting.push(url);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { waiting, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

it('a lease is renewed while every other request waits for its answer', { timeout: 30_000 }, async () => {
  const { waiting, url } = await startBusyServer();
  const client = new ClusterClient(virtualWorld(), {
    server: url,
    tls: () => ({}),
    headers: () => Promise.resolve({}),
  });
  const others = Array.from({ length: 2 * internalLimits.kubernetesConnections }, (_, number) =>
    client.send({ method: 'GET', path: `/apis/example.com/v1/things/${number}` }),
  );
  const ended = Promise.allSettled(others);
  onTestFinished(async () => {
    await client.close();
    await ended;
  });
  await vi.waitFor(() => {
    expect(waiting).toHaveLength(internalLimits.kubernetesConnections);
  });
  expect(await client.send({ method: 'PUT', path: `${leases}/region`, body: '{}' })).toMatchObject({ status: 200 });
});
