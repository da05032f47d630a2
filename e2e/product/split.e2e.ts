import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { encodePrincipal } from '@unikorn/core/access';
import { testAuthority, type KeyPair } from '@unikorn/core/testing/certificates';
import { roleIdOf } from '@unikorn/identity';
import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import { freePort } from '../free-port.fixture.ts';
import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { eventually, send, type ServiceName } from './running.fixture.ts';

const host = '127.0.0.1';
const authority = testAuthority();
const folder = mkdtempSync(join(tmpdir(), 'unikorn-split-'));
const agent = new Agent({ keepAlive: true });
const services = ['identity', 'region', 'compute'] as const;

interface Ports {
  readonly open: number;
  readonly services: number;
}

async function portsOf(): Promise<Ports> {
  return { open: await freePort(host), services: await freePort(host) };
}

function certificateFolder(service: ServiceName): string {
  const path = join(folder, service);
  const { certificate, key } = authority.issue(`unikorn-${service}`);
  mkdirSync(path);
  writeFileSync(join(path, 'tls.crt'), certificate);
  writeFileSync(join(path, 'tls.key'), key);
  writeFileSync(join(path, 'ca.crt'), authority.certificate);
  return path;
}

const ports: Readonly<Record<ServiceName, Ports>> = {
  identity: await portsOf(),
  region: await portsOf(),
  compute: await portsOf(),
};

/** One service in its own process, with its own store. */
function start(service: ServiceName): Unikorn {
  const address = (of: ServiceName) => `https://${host}:${ports[of].services}/${of}`;
  return new Unikorn(
    [
      ...['serve', '--ephemeral', '--log-level', 'silent', '--only', service],
      ...['--port', String(ports[service].open), '--services-port', String(ports[service].services)],
      ...['--certificates', certificateFolder(service), '--public-url', 'https://cloud.example.com'],
      ...['--identity-url', address('identity'), '--region-url', address('region')],
    ],
    { UNIKORN_PARENT: String(process.pid) },
  );
}

const processes = new Map(services.map((service) => [service, start(service)]));
let token = '';

beforeAll(async () => {
  for (const started of processes.values()) await started.ready();
  token = processes.get('identity')?.credentials().adminToken ?? '';
});
afterAll(async () => {
  agent.destroy();
  for (const started of [...processes.values()].toReversed()) await started.kill('SIGTERM');
  rmSync(folder, { recursive: true });
});

interface Shown {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
  readonly status: { readonly powerState?: string; readonly accessToken: string };
}

/** A call of a user, at the public port of a service. */
async function call(service: ServiceName, method: string, path: string, payload?: object, as = token) {
  const answer = await send(agent, `http://${host}:${ports[service].open}/${service}${path}`, {
    method,
    headers: { authorization: `Bearer ${as}` },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : (JSON.parse(answer.body) as Shown) };
}

async function create(service: ServiceName, path: string, payload: object, as = token): Promise<string> {
  const { status, body } = await call(service, 'POST', path, payload, as);
  if (status >= 300 || !body) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
  return body.metadata.id;
}

it('an instance runs although identity, region and compute are three processes with three stores', async () => {
  const organizationId = await create('identity', '/api/v1/organizations', {
    metadata: { name: 'acme' },
    spec: { organizationType: 'adhoc' },
  });
  const within = `/api/v1/organizations/${organizationId}`;
  const groupId = await create('identity', `${within}/groups`, {
    metadata: { name: 'administrators' },
    spec: { serviceAccountIDs: [], roleIDs: [roleIdOf('administrator')] },
  });
  const projectId = await create('identity', `${within}/projects`, {
    metadata: { name: 'website' },
    spec: { groupIDs: [groupId] },
  });
  const account = await call('identity', 'POST', `${within}/serviceaccounts`, {
    metadata: { name: 'robot' },
    spec: { groupIDs: [groupId] },
  });
  const robot = account.body?.status.accessToken ?? '';

  const regionId = await create('region', '/api/v2/regions', {
    metadata: { name: 'north' },
    spec: { type: 'simulated', simulated: {} },
  });
  const instantly = { call_ms: 0, build_ms: 0, power_ms: 0, delete_ms: 0 };
  await call('region', 'PUT', `/api/v2/regions/${regionId}/simulation`, instantly);
  const place = { organizationId, projectId };
  const network = { ...place, regionId, prefix: '10.0.0.0/24', dnsNameservers: [] };
  const networkId = await create('region', '/api/v2/networks', { metadata: { name: 'front' }, spec: network }, robot);
  const [flavor, image] = [
    defaultCatalogue.flavors.find(({ name }) => name === 'sim-standard-4'),
    defaultCatalogue.images.find(({ name }) => name === 'debian-13-amd64'),
  ];
  const spec = { ...place, networkId, flavorId: flavor?.id, imageId: image?.id };
  const instanceId = await create('compute', '/api/v2/instances', { metadata: { name: 'web-1' }, spec }, robot);
  const path = `/api/v2/instances/${instanceId}`;
  await eventually(
    () => call('compute', 'GET', path, undefined, robot),
    ({ body }) => body?.metadata.provisioningStatus === 'provisioned' && body.status.powerState === 'Running',
  );

  expect((await call('compute', 'DELETE', path, undefined, robot)).status).toBe(202);
  await eventually(
    () => call('compute', 'GET', path, undefined, robot),
    ({ status }) => status === 404,
  );
});

it('a process serves only the API of its own parts', async () => {
  const status = async (service: ServiceName, path: string) =>
    (await send(agent, `http://${host}:${ports[service].open}${path}`, { method: 'GET' })).statusCode;
  for (const service of services)
    for (const other of services)
      expect([service, other, await status(service, `/${other}/readyz`)]).toEqual([
        service,
        other,
        service === other ? 200 : 404,
      ]);
});

/** A service call to region over TLS, with the status of its answer, or the failure of the connection. */
function asService(pair: Partial<KeyPair>, headers: Readonly<Record<string, string>> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      `https://${host}:${ports.region.services}/region/api/v2/regions`,
      {
        ca: authority.certificate,
        ...(pair.certificate === undefined ? {} : { cert: pair.certificate, key: pair.key }),
        headers: { 'x-principal': encodePrincipal({ actor: 'ann@example.com' }), ...headers },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on('error', () => {
      resolve('refused');
    });
    sent.end();
  });
}

it('the port for services accepts only services of the platform', async () => {
  const compute = authority.issue('unikorn-compute');
  expect(await asService(compute)).toBe(200);
  expect(await asService({})).toBe('refused');
  expect(await asService(testAuthority('another').issue('unikorn-compute'))).toBe('refused');
  expect(await asService(authority.issue('unikorn-stranger'))).toBe(401);
  const claim = {
    'ssl-client-cert': encodeURIComponent(compute.certificate),
    'ssl-client-verify': 'SUCCESS',
  };
  expect(await asService(authority.issue('unikorn-stranger'), claim)).toBe(401);
  const open = await send(agent, `http://${host}:${ports.region.open}/region/api/v2/regions`, {
    method: 'GET',
    headers: { ...claim, 'x-principal': encodePrincipal({ actor: 'ann@example.com' }) },
  });
  expect(open.statusCode).toBe(401);
});
