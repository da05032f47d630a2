import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { httpChannel, type HttpChannel } from '@unikorn/core/calls';
import { listenForServices } from '@unikorn/core/http';
import { runMigrations } from '@unikorn/core/migration';
import type { Store } from '@unikorn/core/store';
import { silentTelemetry } from '@unikorn/core/testing';
import { testAuthority } from '@unikorn/core/testing/certificates';
import { CertificateFiles } from '@unikorn/core/tls';
import type { World } from '@unikorn/core/world';
import { markStarted, platformToken } from '@unikorn/identity';
import { noSecrets } from '@unikorn/region';

import { Api } from '../serve/api.ts';
import { createControlPlane, type ControlPlane } from '../serve/control-plane.ts';
import { seedDemo } from '../serve/demo.ts';
import { migrationsOf } from '../serve/migrations.ts';
import { remoteServices } from './choice.ts';
import { partTable, serviceOf, type PartName } from './table.ts';

export interface Surroundings {
  readonly world: World;
  /** The store of a part. All of them show the same objects. */
  readonly storeFor: (part: PartName) => Promise<Store>;
  /** Lets time pass until the work is done. */
  readonly passing: <T>(work: Promise<T>) => Promise<T>;
  /** Lets a short time pass. */
  readonly pause: () => Promise<void>;
}

async function bootstrap({ identity }: ControlPlane): Promise<void> {
  await identity?.bootstrapAdministrator({ subject: 'admin@example.com' });
}

function answered(status: number, text: string, url: string): unknown {
  if (status >= 300) throw new Error(`${url} answered ${status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Every part of the platform with its own store, caches and connections, as if it was a process of its own. */
export async function startEveryPart({ world, storeFor, passing, pause }: Surroundings) {
  const telemetry = silentTelemetry();
  const authority = testAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'unikorn-parts-'));
  const stop = new AbortController();
  const closing: (() => Promise<unknown>)[] = [];
  const ports = new Map<string, number>();
  const servers = new Map<string, FastifyInstance>();
  let token = '';

  const certificatesOf = async (service: string) => {
    const { certificate, key } = authority.issue(`unikorn-${service}`);
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return CertificateFiles.open(folder, { world, telemetry });
  };

  for (const { name } of partTable) {
    const store = await storeFor(name);
    const certificates = await certificatesOf(serviceOf(name));
    const channelTo = (service: string): HttpChannel | undefined => {
      if (!remoteServices([name]).some((each) => each === service)) return undefined;
      const baseUrl = `https://127.0.0.1:${ports.get(service) ?? 0}/${service}`;
      const channel = httpChannel({ baseUrl, world, tls: () => certificates.current });
      closing.push(() => channel.close());
      return channel;
    };
    await runMigrations({ store, world, telemetry: silentTelemetry() }, migrationsOf([name]));
    const plane = await createControlPlane({
      store,
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
      token = await passing(platformToken({ store, world }));
      await passing(bootstrap(plane));
      await markStarted({ store, world });
    }
  }
  /** Sends requests to the process of the service in their path. */
  const router = {
    inject: (request: { readonly url: string }) => {
      const server = servers.get(request.url.split('/')[1] ?? '');
      if (!server) throw new Error(`no process serves ${request.url}`);
      return passing(Promise.resolve(server.inject(request)));
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
      await pause();
    }
    throw new Error('the condition did not become true');
  };
  return {
    api: new Api(router, token),
    call,
    eventually,
    async stop() {
      stop.abort();
      await passing(Promise.all(closing.map((close) => close())));
      rmSync(folder, { recursive: true });
    },
  };
}

export type EveryPart = Awaited<ReturnType<typeof startEveryPart>>;

interface Listed {
  readonly metadata: { readonly id: string; readonly name: string; readonly provisioningStatus: string };
}

/**
 * Creates one resource of every type, waits until all are provisioned, and deletes everything with its organization.
 *
 * @param settled Called when everything is provisioned.
 */
export async function liveThrough({ api, call, eventually }: EveryPart, settled: () => Promise<void>): Promise<void> {
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
  const all = (path: string) => call<readonly Listed[]>('GET', path);
  const classes = await all('/region/api/v2/filestorageclasses');
  const storageClassId = classes.find(({ metadata }) => metadata.name === 'files-north')?.metadata.id;
  const storage = { storageClassId, sizeGiB: 1, storageType: { NFS: { rootSquash: true } } };
  await call('POST', '/region/api/v2/filestorage', {
    metadata: { name: 'shared' },
    spec: { ...place, ...storage, regionId: demo.regionId },
  });
  await eventually(async () => {
    const listed = await Promise.all(
      ['/compute/api/v2/instances', '/region/api/v2/loadbalancers', '/region/api/v2/filestorage'].map(all),
    );
    // There is no free GPU for the trainer.
    return listed
      .flat()
      .filter(({ metadata }) => metadata.name !== 'trainer')
      .every(({ metadata }) => metadata.provisioningStatus === 'provisioned');
  });
  await settled();
  const organization = `/identity/api/v1/organizations/${demo.organizationId}`;
  for (const projectId of [demo.projectId, demo.secondaryProjectId])
    await call('DELETE', `${organization}/projects/${projectId}`);
  await eventually(async () => (await all(`${organization}/projects`)).length === 0);
  await call('DELETE', organization);
  await eventually(async () => (await all('/identity/api/v1/organizations')).length === 0);
}
