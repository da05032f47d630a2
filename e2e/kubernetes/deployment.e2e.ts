import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { platformToken, roleIdOf } from '@unikorn/identity';
import { defaultCatalogue } from '@unikorn/region/providers/simulated';
import { testAuthority } from '@unikorn/core/testing/certificates';
import { systemWorld } from '@unikorn/core/world';

import { partTable } from '../../packages/unikorn/src/parts/table.ts';
import { impossible, removeFolder } from '../sandbox.fixture.ts';
import { installRights, templateOf, type Manifest } from './chart.fixture.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';
import { exposeApiServer, startPodNetwork, type ApiServerEndpoint, type PodNetwork } from './pod-network.fixture.ts';
import { Pod, type Deployment } from './pods.fixture.ts';
import { openStore } from './store.fixture.ts';

/*
 * Starts each part as its Deployment says: its command, its environment, its files, its ports, its service account, and
 * a file system that it can only write to where the Deployment mounts a volume for that. There is no kubelet here, so
 * pods are imitated with mount and network namespaces. That needs Linux and root.
 */

const patience_ms = 600_000;
const namespace = 'unikorn-pods';
const administrator = 'admin@example.com';
if (impossible !== undefined) console.log(`skipped: ${impossible}`);

interface Certificate extends Manifest {
  readonly spec: { readonly commonName: string; readonly dnsNames?: readonly string[]; readonly secretName: string };
}

interface Ingress extends Manifest {
  readonly spec: {
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
        }[];
      };
    }[];
  };
}

interface ServiceMonitor extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly { readonly port: string; readonly path: string }[];
  };
}

interface Service extends Manifest {
  readonly metadata: Manifest['metadata'] & { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}

const folder = mkdtempSync(join(tmpdir(), 'unikorn-pods-'));
let cluster: Cluster;
let network: PodNetwork;
let endpoint: ApiServerEndpoint;
let manifests: readonly Manifest[];
const pods: Pod[] = [];

const all = <T extends Manifest>(kind: string) => manifests.filter((manifest): manifest is T => manifest.kind === kind);

async function store(path: string, object: object): Promise<void> {
  const { status, body } = await cluster.call('POST', `/api/v1/namespaces/${namespace}/${path}`, object);
  expect([status, JSON.stringify(body)]).toEqual([201, expect.anything()]);
}

/** The Secrets of the chart, of the operator, and of cert-manager. */
async function storeSecrets(): Promise<void> {
  for (const secret of all('Secret')) await store('secrets', secret);
  const keys = `${Buffer.alloc(32, 7).toString('base64url')}\n`;
  await store('secrets', { metadata: { name: 'encryption' }, stringData: { keys } });
  const authority = testAuthority('services');
  for (const { spec } of all<Certificate>('Certificate')) {
    const { certificate, key } = authority.issue(spec.commonName, spec.dnsNames);
    await store('secrets', {
      metadata: { name: spec.secretName },
      stringData: { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate },
    });
  }
}

beforeAll(async () => {
  if (impossible !== undefined) return;
  cluster = await startCluster();
  manifests = await templateOf(namespace, 'ingress.enabled=true', 'monitoring.serviceMonitor.enabled=true');
  await installRights(cluster, namespace, manifests);
  await storeSecrets();
  network = await startPodNetwork();
  endpoint = await exposeApiServer(cluster, network.host);
  const deployments = all<Deployment>('Deployment');
  const addresses = new Map<string, Awaited<ReturnType<PodNetwork['join']>>>();
  for (const { metadata } of deployments) addresses.set(metadata.name, await network.join());
  // A Service has the name of the Deployment that its selector selects.
  const names = new Map(
    all<Service>('Service').map(({ metadata, spec }) => {
      const [selected] = deployments.filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
      );
      return [
        `${metadata.name}.${namespace}.svc`,
        addresses.get(selected?.metadata.name ?? '')?.address ?? '',
      ] as const;
    }),
  );
  const surroundings = { cluster, namespace, folder, endpoint, names };
  for (const deployment of deployments) {
    const at = addresses.get(deployment.metadata.name);
    if (at) pods.push(await Pod.start(surroundings, deployment, at));
  }
}, patience_ms);

afterAll(async () => {
  if (impossible !== undefined) return;
  await Promise.all(pods.map((pod) => pod.stop()));
  await endpoint.stop();
  await network.stop();
  await cluster.stop();
  removeFolder(folder);
}, patience_ms);

function podOf(part: string): Pod {
  const pod = pods.find(({ name }) => name === `unikorn-${part.replace('/', '-')}`);
  if (!pod) throw new Error(`there is no pod of ${part}`);
  return pod;
}

/** Sends a request of a user the way that the Ingress does. */
async function call(token: string, method: string, path: string, body?: object) {
  const { paths } = all<Ingress>('Ingress')[0]?.spec.rules[0]?.http ?? { paths: [] };
  const route = paths.find((each) => path.startsWith(`${each.path}/`));
  const service = all<Service>('Service').find(({ metadata }) => metadata.name === route?.backend.service.name);
  const target = service?.spec.ports.find(({ name }) => name === route?.backend.service.port.name)?.targetPort;
  expect(target).toBe('http');
  const { address } = podOf(service?.metadata.name.replace('unikorn-', '') ?? '');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', host: 'cloud.example.com' };
  const { status, text } = await send(address, method, path, headers, body && JSON.stringify(body));
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Sends a request to the public port of a pod. */
function send(
  address: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  payload?: string,
) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(`http://${address}:8080${path}`, { method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text });
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

interface Shown {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
  readonly status: { readonly powerState?: string };
}

async function make(token: string, path: string, name: string, spec: object): Promise<string> {
  const { status, body } = await call(token, 'POST', path, { metadata: { name }, spec });
  expect([path, status, JSON.stringify(body)]).toEqual([
    path,
    expect.toSatisfy((each) => each < 300),
    expect.anything(),
  ]);
  return (body as Shown).metadata.id;
}

/** Reads it until the condition holds. */
async function until(token: string, path: string, holds: (status: number, shown: Shown) => boolean): Promise<void> {
  while (true) {
    const { status, body } = await call(token, 'GET', path);
    if (holds(status, body as Shown)) return;
    await systemWorld.sleep(200);
  }
}

describe.skipIf(impossible !== undefined)('the parts as their Deployments start them', () => {
  it('every part has a Deployment, and passes its probes', { timeout: patience_ms }, async () => {
    expect(pods.map(({ name }) => name).toSorted()).toEqual(
      partTable.map(({ name }) => `unikorn-${name.replace('/', '-')}`).toSorted(),
    );
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      await Promise.all(pods.map((pod) => pod.passes(probe)));
  });

  it('every part has metrics where its ServiceMonitor says', { timeout: patience_ms }, async () => {
    const scraped: string[] = [];
    for (const { spec } of all<ServiceMonitor>('ServiceMonitor'))
      for (const service of all<Service>('Service'))
        for (const { port, path } of spec.endpoints) {
          const { labels, name } = service.metadata;
          if (!Object.entries(spec.selector.matchLabels).every(([label, value]) => labels[label] === value)) continue;
          expect(service.spec.ports.find((each) => each.name === port)?.targetPort).toBe('http');
          const { address } = podOf(name.replace('unikorn-', ''));
          const { status, text } = await send(address, 'GET', path, {});
          expect([name, status, text.includes('process_cpu_seconds_total')]).toEqual([name, 200, true]);
          scraped.push(name);
        }
    expect(scraped.toSorted()).toEqual(pods.map(({ name }) => name).toSorted());
  });

  it('the administrator gets a password in a pod of identity', { timeout: patience_ms }, async () => {
    expect(await podOf('identity/api').execute('password', administrator, '--yes')).toMatch(/^[\w-]{20,}\n$/);
  });

  it('an instance is created through the Ingress, runs, and is deleted again', { timeout: patience_ms }, async () => {
    const own = await openStore(cluster, namespace);
    const token = await platformToken({ store: own, world: systemWorld });
    await own.close();
    const organizationId = await make(token, '/identity/api/v1/organizations', 'acme', { organizationType: 'adhoc' });
    const within = `/identity/api/v1/organizations/${organizationId}`;
    const group = await make(token, `${within}/groups`, 'administrators', {
      serviceAccountIDs: [],
      roleIDs: [roleIdOf('administrator')],
    });
    const projectId = await make(token, `${within}/projects`, 'web', { groupIDs: [group] });
    const regionId = await make(token, '/region/api/v2/regions', 'north', { type: 'simulated', simulated: {} });
    const quick = { call_ms: 0, build_ms: 200, power_ms: 100, delete_ms: 100 };
    await call(token, 'PUT', `/region/api/v2/regions/${regionId}/simulation`, quick);
    const networkId = await make(token, '/region/api/v2/networks', 'first', {
      ...{ organizationId, projectId, regionId },
      ...{ prefix: '10.20.0.0/24', dnsNameservers: ['1.1.1.1'] },
    });
    const isReady = (_: number, { metadata }: Shown) => metadata.provisioningStatus === 'provisioned';
    await until(token, `/region/api/v2/networks/${networkId}`, isReady);
    const flavorId = defaultCatalogue.flavors.find(({ name }) => name === 'sim-standard-4')?.id ?? '';
    const imageId = defaultCatalogue.images.find(({ name }) => name === 'debian-13-amd64')?.id ?? '';
    const instanceId = await make(token, '/compute/api/v2/instances', 'hello', {
      ...{ organizationId, projectId, networkId, flavorId, imageId },
    });
    const path = `/compute/api/v2/instances/${instanceId}`;
    await until(token, path, (code, shown) => isReady(code, shown) && shown.status.powerState === 'Running');
    expect((await call(token, 'DELETE', path)).status).toBe(202);
    await until(token, path, (code) => code === 404);
  });

  it('every part writes to its volumes only, and less than they hold', () => {
    // The rest of the file system cannot be written, so a part that tried has failed above.
    const limit_bytes = 64 * 2 ** 20;
    for (const { name, writable } of pods) {
      expect([name, writable.length]).toEqual([name, 2]);
      for (const volume of writable) expect([name, sizeOf(volume) < limit_bytes]).toEqual([name, true]);
    }
  });

  it('every part ends within its grace period', { timeout: patience_ms }, async () => {
    const ends = await Promise.all(pods.map(async (pod) => [pod.name, await pod.stop()] as const));
    expect(ends.filter(([, how]) => how !== 0)).toEqual([]);
  });
});

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
