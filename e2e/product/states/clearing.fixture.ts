import { labels } from '@unikorn/core/resource';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { leftBehind } from '@unikorn/region/testing';

import { controlPlaneKinds } from '../../../packages/unikorn/src/serve/control-plane.ts';
import { stateFile } from '../../../packages/unikorn/src/state-directory.ts';
import type { ServiceName } from '../running.fixture.ts';
import type { Ask } from './opened.fixture.ts';

interface Listed {
  readonly metadata: { readonly id: string; readonly name: string };
  readonly spec: { readonly deletionProtection?: boolean };
}

const patience_ms = 300_000;
const platform = 'platform';
const instantly = {
  call_ms: 0,
  build_ms: 0,
  power_ms: 0,
  delete_ms: 0,
  image_ms: 0,
  loadBalancer_ms: 0,
  fileStorage_ms: 0,
};

/**
 * Deletes all resources of tenants in the order that users would need: users of a resource first. Calls back when only
 * file storage is left that uses networks.
 */
export async function clearEverything(ask: Ask, onlyStorageLeft: () => Promise<void>): Promise<void> {
  const list = async (service: ServiceName, path: string) =>
    (await ask(service, 'GET', path)).body as readonly Listed[];
  const must = async (service: ServiceName, method: string, path: string, body?: object) => {
    const answer = await ask(service, method, path, body ? { body } : {});
    if (answer.status >= 300)
      throw new Error(`${method} ${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const clear = async (service: ServiceName, path: string, stays: (each: Listed) => boolean = () => false) => {
    for (const { metadata } of (await list(service, path)).filter((each) => !stays(each)))
      await must(service, 'DELETE', `${path}/${metadata.id}`);
    await emptied(async () =>
      (await list(service, path)).filter((each) => !stays(each)).map(({ metadata }) => `${path}/${metadata.id}`),
    );
  };
  const regions = await list('region', '/api/v2/regions');
  for (const { metadata } of regions)
    await must('region', 'PUT', `/api/v2/regions/${metadata.id}/simulation`, instantly);
  for (const { metadata, spec } of await list('compute', '/api/v2/instances')) {
    if (spec.deletionProtection)
      await must('compute', 'PUT', `/api/v2/instances/${metadata.id}`, {
        metadata: { name: metadata.name },
        spec: { ...spec, deletionProtection: false },
      });
  }
  await clear('compute', '/api/v2/instances');
  for (const collection of ['loadbalancers', 'securitygroups']) await clear('region', `/api/v2/${collection}`);
  await onlyStorageLeft();
  for (const collection of ['filestorage', 'sshcertificateauthorities', 'networks'])
    await clear('region', `/api/v2/${collection}`);
  const tenants = (await list('identity', '/api/v1/organizations')).filter(
    ({ metadata }) => metadata.name !== platform,
  );
  for (const { metadata } of tenants) {
    for (const region of regions) await clearImages(ask, metadata.id, region.metadata.id);
    await clear('identity', `/api/v1/organizations/${metadata.id}/projects`);
  }
  await clear('identity', '/api/v1/organizations', ({ metadata }) => metadata.name === platform);
}

async function clearImages(ask: Ask, organizationId: string, regionId: string): Promise<void> {
  const owned = (
    await ask('region', 'GET', `/api/v2/regions/${regionId}/images?organizationID=${organizationId}&scope=owned`)
  ).body as readonly Listed[];
  for (const { metadata } of owned)
    await ask('region', 'DELETE', `/api/v1/organizations/${organizationId}/regions/${regionId}/images/${metadata.id}`);
}

async function emptied(look: () => Promise<readonly string[]>): Promise<void> {
  const end = systemWorld.monotonic_ms() + patience_ms;
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    if (systemWorld.monotonic_ms() > end) throw new Error(`not deleted: ${left.join(', ')}`);
    await systemWorld.sleep(100);
  }
}

/** The data of tenants that is left in a state without a server, except for data that is kept on purpose. */
export async function leftovers(directory: string): Promise<readonly string[]> {
  const store = await openSqliteStore({
    path: stateFile(directory),
    world: systemWorld,
    telemetry: silentTelemetry(),
    kinds: controlPlaneKinds,
  });
  try {
    const left = new Set(await leftBehind(store));
    for (const kind of controlPlaneKinds.filter((each) => !remembered.includes(each.kind))) {
      for (const { metadata } of (await store.list(kind)).items) {
        const organization = metadata.labels?.[labels.organization];
        if (organization !== undefined && !(await isPlatform(organization))) left.add(`${kind.kind} ${metadata.name}`);
      }
    }
    return [...left];
  } finally {
    await store.close();
  }

  async function isPlatform(id: string): Promise<boolean> {
    const [organizations] = controlPlaneKinds.filter(({ kind }) => kind === 'Organization');
    return (
      organizations !== undefined && (await store.get(organizations, id))?.metadata.labels?.[labels.name] === platform
    );
  }
}

/** Histories and records of deleted resources are kept. */
const remembered: readonly string[] = ['InstanceHistory', 'GoneInstance', 'ResourceHistory', 'GoneResource'];
