import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';

import { httpChannel, type HttpChannel } from '@unikorn/core/calls';
import { listenForServices } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { runMigrations } from '@unikorn/core/migration';
import type { Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, isWrite, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { passing } from '@unikorn/core/testing/carriers';
import { testAuthority } from '@unikorn/core/testing/certificates';
import { CertificateFiles } from '@unikorn/core/tls';
import { markStarted, platformToken } from '@unikorn/identity';
import { noSecrets } from '@unikorn/region';

import { Api } from '../serve/api.ts';
import { controlPlaneKinds, createControlPlane, type ControlPlane } from '../serve/control-plane.ts';
import { seedDemo } from '../serve/demo.ts';
import { migrationsOf } from '../serve/migrations.ts';
import { remoteServices } from './choice.ts';
import { roleOf, rulesOf } from './rules.ts';
import { partTable, serviceOf, type PartName } from './table.ts';

/** The kinds that a part has used, by how it used them. */
interface Uses {
  readonly read: Set<string>;
  readonly written: Set<string>;
}

/** A store that notes which kinds its user reads and writes. */
function noting(store: Store, uses: Uses): Store {
  const noted = interpose(store, (call, happen) => {
    (isWrite(call) ? uses.written : uses.read).add(call.kind.id);
    return happen();
  });
  return {
    ...noted,
    watch: (kind, query) => {
      uses.read.add(kind.id);
      return store.watch(kind, query);
    },
  };
}

async function bootstrap({ identity }: ControlPlane): Promise<void> {
  await identity?.bootstrapAdministrator({ subject: 'admin@example.com' });
}

function answered(status: number, text: string, url: string): unknown {
  if (status >= 300) throw new Error(`${url} answered ${status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Every part of the platform as a process of its own, on one store, in virtual time. */
async function startEveryPart() {
  const world = virtualWorld();
  const telemetry = silentTelemetry();
  const store = openMemoryStore({ world, kinds: controlPlaneKinds });
  const authority = testAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'unikorn-rules-'));
  const stop = new AbortController();
  const uses = new Map<PartName, Uses>();
  const closing: (() => Promise<unknown>)[] = [];
  const ports = new Map<string, number>();
  const servers = new Map<string, FastifyInstance>();
  let token = '';

  const certificatesOf = async (service: string) => {
    const { certificate, key } = authority.issue(`unikorn-${service}`);
    for (const [name, text] of Object.entries({
      'tls.crt': certificate,
      'tls.key': key,
      'ca.crt': authority.certificate,
    }))
      writeFileSync(join(folder, name), text);
    return CertificateFiles.open(folder, { world, telemetry });
  };

  for (const { name } of partTable) {
    const used: Uses = { read: new Set(), written: new Set() };
    uses.set(name, used);
    const own = noting(store, used);
    const certificates = await certificatesOf(serviceOf(name));
    const channelTo = (service: string): HttpChannel | undefined => {
      if (!remoteServices([name]).some((each) => each === service)) return undefined;
      const baseUrl = `https://127.0.0.1:${ports.get(service) ?? 0}/${service}`;
      const channel = httpChannel({ baseUrl, world, tls: () => certificates.current });
      closing.push(() => channel.close());
      return channel;
    };
    await runMigrations({ store: own, world, telemetry: silentTelemetry() }, migrationsOf([name]));
    const plane = await createControlPlane({
      store: own,
      world,
      telemetry: silentTelemetry(),
      publicUrl: 'https://cloud.example.com',
      encryptionKey: new Uint8Array(32),
      administrator: 'admin@example.com',
      secrets: noSecrets,
      parts: (each) => each === name,
      remote: { identity: channelTo('identity'), region: channelTo('region') },
    });
    if (name === 'identity/api') await plane.identity?.openKeys();
    const listeners = name.endsWith('/api')
      ? [await listenForServices(plane.server, { host: '127.0.0.1', port: 0, certificates, world })]
      : [];
    for (const { port } of listeners) ports.set(serviceOf(name), port);
    if (name.endsWith('/api')) servers.set(serviceOf(name), plane.server);
    const running = plane.run(stop.signal, listeners);
    closing.push(() => running);
    if (name === 'identity/api') {
      token = await passing(world, platformToken({ store: own, world }));
      await passing(world, bootstrap(plane));
      await markStarted({ store: own, world });
    }
  }
  onTestFinished(async () => {
    stop.abort();
    await passing(world, Promise.all(closing.map((close) => close())));
    await store.close();
    rmSync(folder, { recursive: true });
  });
  /** Sends requests to the process of the service in their path. */
  const router = {
    inject: (request: { readonly url: string }) => {
      const server = servers.get(request.url.split('/')[1] ?? '');
      if (!server) throw new Error(`no process serves ${request.url}`);
      return passing(world, Promise.resolve(server.inject(request)));
    },
  } as unknown as FastifyInstance;
  const call = async <T>(method: string, url: string, payload?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await router.inject({ method: method as 'GET', url, headers, ...(payload ? { payload } : {}) });
    return answered(answer.statusCode, answer.body, url) as T;
  };
  const eventually = async (look: () => Promise<boolean>) => {
    for (let looks = 0; looks < 600; looks++) {
      if (await look()) return;
      await world.advance(200);
    }
    throw new Error('the condition did not become true');
  };
  return { world, store, uses, api: new Api(router, token), call, eventually };
}

function idsOf(kinds: readonly Kind[]): readonly string[] {
  return kinds.map(({ id }) => id);
}

interface Listed {
  readonly metadata: { readonly id: string; readonly name: string; readonly provisioningStatus: string };
}

it('every part uses only the kinds that its rules allow', { timeout: 300_000 }, async () => {
  const { uses, api, call, eventually, world } = await startEveryPart();
  const demo = await seedDemo(api);
  const place = { organizationId: demo.organizationId, projectId: demo.projectId };
  await call('POST', '/region/api/v2/loadbalancers', {
    metadata: { name: 'front' },
    spec: {
      networkId: demo.networkId,
      publicIP: false,
      listeners: [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }],
    },
  });
  const classes = await call<readonly Listed[]>('GET', '/region/api/v2/filestorageclasses');
  const storageClass = classes.find(({ metadata }) => metadata.name === 'files-north');
  await call('POST', '/region/api/v2/filestorage', {
    metadata: { name: 'shared' },
    spec: {
      ...place,
      regionId: demo.regionId,
      storageClassId: storageClass?.metadata.id,
      sizeGiB: 1,
      storageType: { NFS: { rootSquash: true } },
    },
  });
  const all = async (path: string) => call<readonly Listed[]>('GET', path);
  await eventually(async () => {
    const listed = await Promise.all(
      ['/compute/api/v2/instances', '/region/api/v2/loadbalancers', '/region/api/v2/filestorage'].map(all),
    );
    return listed
      .flat()
      .filter(({ metadata }) => metadata.name !== 'trainer')
      .every(({ metadata }) => metadata.provisioningStatus === 'provisioned');
  });
  await world.advance(130_000);
  const organization = `/identity/api/v1/organizations/${demo.organizationId}`;
  await call('DELETE', organization + `/projects/${demo.projectId}`);
  await call('DELETE', organization + `/projects/${demo.secondaryProjectId}`);
  await eventually(async () => (await all(`${organization}/projects`)).length === 0);
  await call('DELETE', organization);
  await eventually(async () => (await all('/identity/api/v1/organizations')).length === 0);
  // The sweepers of histories run once an hour.
  await world.advance(3700_000);

  for (const [part, { written, read }] of uses) {
    const { writes, reads } = rulesOf(part);
    expect([part, [...written].filter((id) => !idsOf(writes).includes(id))]).toEqual([part, []]);
    expect([part, [...read].filter((id) => !idsOf([...writes, ...reads]).includes(id))]).toEqual([part, []]);
  }
});

it('no part but an API has more rules than its own work needs', () => {
  for (const { name } of partTable.filter((part) => !part.name.endsWith('/api')))
    for (const kind of ['signingkeys', 'userpasswords', 'idempotencyrecords'])
      expect([name, JSON.stringify(roleOf(name)).includes(kind)]).toEqual([name, false]);
  const foreign = (service: string) =>
    ['identity', 'region', 'compute'].filter((other) => other !== service).map((other) => `${other}.unikorn-cloud.org`);
  for (const { name } of partTable)
    for (const group of foreign(serviceOf(name)))
      expect([name, roleOf(name).filter(({ apiGroups }) => apiGroups.includes(group))]).toEqual([name, []]);
});
