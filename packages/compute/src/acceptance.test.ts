import { request as httpRequest } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Principal } from '@unikorn/core/access';
import { WatchCache } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import type { AuditRecord } from '@unikorn/core/http';
import { deterministicId, finalizers, findCondition, labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import type { Around } from '@unikorn/core/testing';
import { Allocation } from '@unikorn/identity/kinds';
import type { RegionClient } from '@unikorn/region/client';
import { Network, Server } from '@unikorn/region/kinds';
import type { Knobs } from '@unikorn/region/providers/simulated';

import {
  base64,
  flavors,
  idsOf,
  images,
  mentioning,
  reasonOf,
  seen,
  startInstances,
  type Instances,
  type Seen,
} from './handlers/instances/instances.fixture.ts';
import { ComputeInstance } from './kinds/index.ts';
import { linkTag } from './link/index.ts';
import { checkers } from './monitor/finding.ts';
import { effects, type Plan } from './plan/index.ts';
import { debianImage, gpuFlavor, LegacyInstance, ubuntuImage } from './testing/index.ts';

// One test for each row of the lists that the service was built by, named after the row: the checklist for instances
// (§9), the caveats of the original (§11), and the defects found while reading it (§12). The details of each row are
// tested beside the code that implements it.

const nothing: Around = (_call, happen) => happen();
const calm: Partial<Knobs> = { service: 'up', buildFailureRate: 0, build_ms: 0, delete_ms: 0 };

let compute: Instances;
/** Intercepts the calls of the services to their store. */
let between = nothing;
/** Whether calls to region or the quota ledger fail. */
let away: 'region' | 'ledger' | undefined;
/** The calls to the client of region. */
const asked: string[] = [];
/** The calls about servers and charges, by instance id, with the organization. */
const done: { readonly call: string; readonly id: string; readonly organizationId: string | undefined }[] = [];
const doneAbout = (id: string) => done.filter((one) => one.id === id).map(({ call }) => call);
const note = (call: string, id: string, { organizationId }: Principal) => done.push({ call, id, organizationId });
const audited: AuditRecord[] = [];

function observed(regionClient: RegionClient): RegionClient {
  const told = Object.entries(regionClient).map(
    ([name, ask]: [string, (...parts: readonly unknown[]) => Promise<unknown>]) => {
      const observe = (...parts: readonly unknown[]) => {
        asked.push(name);
        return away === 'region' && /server/i.test(name)
          ? Promise.reject(new Problem('server_error', 'region does not answer'))
          : ask(...parts);
      };
      return [name, observe] as const;
    },
  );
  const all = Object.fromEntries(told) as unknown as RegionClient;
  return {
    ...all,
    createServer: (on, body) => (
      note('create', deterministicId(body.spec.networkId, body.metadata.name), on.principal),
      all.createServer(on, body)
    ),
    deleteServer: (on, id) => (note('delete', id, on.principal), all.deleteServer(on, id)),
    power: (on, id, verb) => (note(verb, id, on.principal), all.power(on, id, verb)),
  };
}

beforeAll(async () => {
  compute = await startInstances({
    around: (call, happen) => between(call, happen),
    regionClient: observed,
    identityClient: (identityClient) => ({
      ...identityClient,
      release: (principal, scope, resource) => {
        if (away === 'ledger') return Promise.reject(new Problem('server_error', 'the ledger does not answer'));
        note('release', resource.id, principal);
        return identityClient.release(principal, scope, resource);
      },
    }),
    onAudit: (record) => audited.push(record),
  });
});
afterEach(async () => {
  between = nothing;
  away = undefined;
  await turn(calm);
});
afterAll(() => compute.stop());

const turn = (knobs: Partial<Knobs>) => compute.operator(compute.regionId).turn(knobs);
const provisioned = async (name: string, spec?: object, metadata?: object): Promise<string> => {
  const { id } = seen(await compute.create(name, spec, metadata)).metadata;
  await compute.until(id, 'provisioned');
  return id;
};
const stored = async (id: string): Promise<ComputeInstance> => {
  const instance = await compute.store.get(ComputeInstance, id);
  if (!instance) throw new Error(`there is no instance ${id}`);
  return instance;
};
const available = async (id: string) =>
  findCondition((await compute.store.get(ComputeInstance, id))?.status?.conditions, 'Available');
const server = (id: string) => compute.store.get(Server, id);
const allocations = async (id: string) =>
  (await compute.store.list(Allocation)).items.filter(({ spec }) => spec.kind === ComputeInstance.id && spec.id === id);
const remove = async (id: string) => {
  await compute.ask('DELETE', `/${id}`);
  await compute.gone(id);
};
const verb = (id: string, word: string) => compute.ask('POST', `/${id}/${word}`);
const plan = async (id: string, name: string, spec: object) =>
  (await compute.ask('POST', `/${id}/plan`, { metadata: { name }, spec: { ...compute.wanted, ...spec } })).body as Plan;
/** A server whose tag names an instance. */
const stray = async (name: string, instanceId: string) => {
  const on = { principal: compute.scope, impersonate: false };
  return (
    await compute.toRegion.createServer(on, {
      metadata: { name, tags: [{ name: linkTag, value: instanceId }] },
      spec: { ...compute.wanted, networkId: compute.networkId },
    })
  ).metadata.id;
};
/** A record as the original left it. No request creates such a record. */
const legacy = async (name: string, without: readonly string[] = []) => {
  const { metadata } = await stored(await provisioned(`model-of-${name}`));
  const kept = Object.entries({ ...metadata.labels, [labels.name]: name }).filter(
    ([label]) => !without.includes(label),
  );
  return (
    await compute.store.create(LegacyInstance, {
      metadata: { name: compute.world.uuid(), labels: Object.fromEntries(kept) },
      spec: { ...compute.wanted, pause: true },
    })
  ).metadata.name;
};
const counted = async (name: string): Promise<Readonly<Record<string, number>>> => {
  const { values = [] } = (await compute.telemetry.registry.getSingleMetric(name)?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels: by, value }) => [Object.values(by).join(' '), value]));
};
const findings = () => counted('unikorn_compute_monitor_findings');
const unlucky: Around = (call, happen) =>
  call.verb === 'create' && call.kind.id === ComputeInstance.id
    ? Promise.reject(new Problem('storage_unavailable', 'the store cannot be written'))
    : happen();

describe('§9 acceptance checklist for instances', () => {
  test('Same (network, name) twice -> 201 then 409; allocation count back to one. Delete, wait, recreate -> same ID.', async () => {
    const { id } = seen(await compute.create('twice')).metadata;
    expect((await compute.create('twice')).status).toBe(409);
    expect(await allocations(id)).toHaveLength(1);
    await remove(id);
    expect(await allocations(id)).toEqual([]);
    expect(seen(await compute.create('twice')).metadata.id).toBe(id);
  });

  test('PUT with another name -> 422 before any region call. PUT while deleting -> 400.', async () => {
    const id = await provisioned('named');
    asked.length = 0;
    expect((await compute.update(id, 'renamed')).status).toBe(422);
    expect(asked).toEqual([]);
    await turn({ delete_ms: 60_000 });
    await compute.ask('DELETE', `/${id}`);
    expect((await compute.update(id, 'named')).status).toBe(400);
  });

  test('baremetal image + VM flavor -> 400; virtualized + bare-metal flavor -> 400; any + either -> accepted.', async () => {
    expect((await compute.create('metal-on-vm', { imageId: images.metal })).status).toBe(400);
    expect((await compute.create('vm-on-metal', { flavorId: flavors.metal, imageId: ubuntuImage })).status).toBe(400);
    expect((await compute.create('any-on-vm', { imageId: debianImage })).status).toBe(201);
    expect((await compute.create('any-on-metal', { flavorId: flavors.metal, imageId: debianImage })).status).toBe(201);
  });

  test('CA + `echo hi` user data -> 422; CA + gzip -> 422; CA of another project -> 422.', async () => {
    const own = await compute.authority();
    const foreign = await compute.authority(await compute.found.project(compute.organizationId));
    const wishes = [
      { sshCertificateAuthorityId: own, userData: base64('echo hi') },
      { sshCertificateAuthorityId: own, userData: base64(Uint8Array.of(0x1f, 0x8b, 8, 0)) },
      { sshCertificateAuthorityId: foreign },
    ];
    for (const wish of wishes) expect((await compute.create('trusting', wish)).status).toBe(422);
  });

  test('Over quota -> 403 and no record; store failure after charge -> allocation removed.', async () => {
    const { create, ask, charged, limit } = await compute.openTenant();
    await limit({ servers: 1, gpus: 0 });
    expect((await create('gpu', { flavorId: gpuFlavor })).status).toBe(403);
    expect((await ask('GET')).body).toEqual([]);
    between = unlucky;
    expect((await create('unlucky')).status).toBe(503);
    await compute.eventually(charged, ({ servers }) => servers === 0);
    expect((await ask('GET')).body).toEqual([]);
  });

  test('Flavor change -> old server deleted (repeated deletes are harmless), then exactly one create once it is gone; Available goes False/Provisioning, then True.', async () => {
    const id = await provisioned('resized');
    const before = (await server(id))?.metadata.uid;
    await turn({ delete_ms: 5_000 });
    await compute.update(id, 'resized', { flavorId: gpuFlavor });
    await compute.eventually(
      () => server(id),
      (going) => going?.metadata.deletionTimestamp !== undefined,
    );
    expect(await available(id)).toMatchObject({ status: 'False', reason: 'Provisioning' });
    expect(doneAbout(id)).toEqual(['create', 'delete']);
    await compute.until(id, 'provisioned');
    expect((await server(id))?.metadata.uid).not.toBe(before);
    expect(doneAbout(id).filter((call) => call === 'create')).toHaveLength(2);
    expect(await available(id)).toMatchObject({ status: 'True' });
  });

  test('Zero or two tagged servers -> verb fails, nothing is sent to any server.', async () => {
    const id = await provisioned('claimed');
    const bare = await legacy('bare');
    const twin = await stray('twin', id);
    expect((await verb(bare, 'start')).status).toBe(409);
    expect((await verb(id, 'stop')).status).toBe(500);
    expect([...doneAbout(bare), ...doneAbout(id), ...doneAbout(twin)]).toEqual(['create']);
    await compute.store.delete(Server, twin);
  });

  test('Delete -> server delete first; allocation is deleted strictly after the server is gone; finalizer last.', async () => {
    const id = await provisioned('leaving');
    await turn({ delete_ms: 5_000 });
    await compute.ask('DELETE', `/${id}`);
    await compute.world.advance(3_000);
    expect(doneAbout(id)).toEqual(['create', 'delete']);
    expect(await allocations(id)).toHaveLength(1);
    expect((await stored(id)).metadata.finalizers).toContain(finalizers.framework);
    await compute.gone(id);
    expect(doneAbout(id)).toEqual(['create', 'delete', 'release']);
    expect(await allocations(id)).toEqual([]);
  });

  test('Network gets a deletion time -> all labelled instances get one; unlabelled ones do not.', async () => {
    const networkId = await compute.openNetwork('doomed');
    const ids = [await provisioned('labelled', { networkId }), await provisioned('labelled-too', { networkId })];
    const unlabelled = await legacy('unlabelled', [labels.network]);
    await turn({ delete_ms: 60_000 });
    await compute.store.delete(Network, networkId, { propagation: 'foreground' });
    await compute.world.settle();
    const isGoing = async (id: string) => (await stored(id)).metadata.deletionTimestamp !== undefined;
    expect([...(await Promise.all(ids.map(isGoing))), await isGoing(unlabelled)]).toEqual([true, true, false]);
  });

  test('Snapshot with tags `a=1`, `compute.unikorn-cloud.org:x=2` -> region receives `a=1` and the provenance tag only.', async () => {
    const id = await provisioned('pictured');
    const tags = [
      { name: 'a', value: '1' },
      { name: 'compute.unikorn-cloud.org:x', value: '2' },
    ];
    const image =
      seen(await compute.ask('POST', `/${id}/snapshot`, { metadata: { name: 'picture', tags } })).metadata.tags ?? [];
    const ours = image.filter(({ name }) => !name.startsWith('images.'));
    expect(ours).toEqual([
      { name: 'a', value: '1' },
      { name: 'compute.unikorn-cloud.org:instance-id', value: id },
    ]);
  });
});

describe('§11 caveats of the original, and what the better system does', () => {
  test('Instance-to-server link is implicit, tag-based', async () => {
    const id = await provisioned('linked');
    expect((await stored(id)).status).toMatchObject({ serverId: id });
    expect(await server(id)).toMatchObject({ metadata: { name: id }, spec: { tags: [{ name: linkTag, value: id }] } });
  });

  test('Correctness depends on the tag staying exclusive', async () => {
    const spec = { ...compute.wanted, networkId: compute.networkId };
    for (const name of [linkTag, 'compute.unikorn-cloud.org:instance-id']) {
      const metadata = { name: 'forged', tags: [{ name, value: 'x' }] };
      expect((await compute.create('forged', {}, metadata)).status).toBe(400);
      expect(
        (
          await compute.request('POST', '/region/api/v2/servers', {
            token: compute.operatorToken,
            body: { metadata, spec },
          })
        ).status,
      ).toBe(400);
    }
  });

  test('Handler demands exactly one match, controller takes the first', async () => {
    const id = await provisioned('disputed');
    const twin = await stray('disputed-twin', id);
    expect(reasonOf(await verb(id, 'stop'))).toContain('more than one machine');
    expect((await compute.until(id, 'error')).metadata['provisioningStatusDetail']).toMatchObject({
      message: mentioning('more than one machine'),
    });
    await compute.store.delete(Server, twin);
    await compute.until(id, 'provisioned');
    expect((await verb(id, 'stop')).status).toBe(202);
  });

  test('Flavor/image update is a hidden destructive rebuild', async () => {
    const id = await provisioned('rebuilt');
    const body = { metadata: { name: 'rebuilt' }, spec: { ...compute.wanted, imageId: debianImage } };
    expect(await compute.ask('PUT', `/${id}?maxDisruption=restart`, body)).toMatchObject({
      status: 409,
      body: { plan: { action: 'rebuild', losses: ['the root disk'] } },
    });
    await turn({ build_ms: 60_000 });
    await compute.ask('PUT', `/${id}?maxDisruption=rebuild`, body);
    const { metadata, status } = await compute.eventually(
      () => compute.read(id),
      (one) => one.status['replacement'] !== undefined,
    );
    expect(metadata.provisioningStatus).toBe('provisioning');
    expect(status['replacement']).toMatchObject({
      action: 'rebuild',
      changes: [{ field: 'imageId', from: ubuntuImage, to: debianImage }],
    });
    await compute.eventually(
      () => compute.ask('GET', `/${id}/explain`),
      ({ body: explained }) => JSON.stringify(explained).includes('Rebuilding'),
    );
    await compute.until(id, 'provisioned');
    const { body: history } = await compute.ask('GET', `/${id}/history`);
    expect(history).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'rebuild',
          outcome: 'begun',
          message: `spec.imageId from ${ubuntuImage} to ${debianImage}`,
        }),
      ]),
    );
  });

  test('Rebuild heuristic incomplete, live migration not modelled', async () => {
    const id = await provisioned('replaced');
    const planned = await plan(id, 'replaced', { sshCertificateAuthorityId: await compute.authority() });
    expect(planned).toMatchObject({
      action: 'recreate',
      losses: expect.arrayContaining(['the root disk']) as unknown,
      warnings: [mentioning('before the new one is created'), mentioning('private address is kept')],
    });
    expect(Object.values(effects).map(({ disruption }) => disruption)).toEqual(
      expect.arrayContaining(['in-place', 'rebuild', 'recreate']),
    );
    expect(Object.keys(effects).sort()).toEqual([
      'allowedSourceAddresses',
      'flavorId',
      'imageId',
      'publicIP',
      'securityGroups',
      'sshCertificateAuthorityId',
      'userData',
    ]);
  });

  test('Reverse lookup lists everything and scans', async () => {
    const id = await provisioned('reversed');
    const listed: string[] = [];
    between = (call, happen) => (call.verb === 'list' && listed.push(call.kind.id), happen());
    const scanned = vi.spyOn(WatchCache.prototype, 'list');
    const { metadata, status } = (await server(id)) ?? {};
    if (!metadata) throw new Error('there is no server');
    await compute.store.updateStatus(Server, { metadata, status: { ...status, publicIP: '203.0.113.9' } });
    await compute.world.settle();
    expect((await stored(id)).status).toMatchObject({ publicIp: '203.0.113.9' });
    expect(listed).toEqual([]);
    expect(scanned).not.toHaveBeenCalled();
    scanned.mockRestore();
  });

  test('Missing or duplicate reverse mapping is silently dropped', async () => {
    const id = await provisioned('mapped');
    const count = async (fault: string) =>
      Object.values(await counted(`unikorn_compute_reverse_map_${fault}_total`))[0] ?? 0;
    const before = [await count('missing'), await count('duplicate')] as const;
    const strays = [await stray('of-nobody', compute.world.uuid()), await stray('of-somebody', id)];
    await compute.eventually(
      () => count('missing'),
      (now) => now > before[0],
    );
    await compute.eventually(
      () => count('duplicate'),
      (now) => now > before[1],
    );
    await compute.eventually(
      findings,
      (found) => (found['orphan-server'] ?? 0) > 0 && (found['duplicate-link'] ?? 0) > 0,
      300_000,
    );
    for (const one of strays) await compute.store.delete(Server, one);
  });

  test('Project-namespace transition debt', async () => {
    const project = await compute.found.project(compute.organizationId);
    const networkId = await compute.openNetwork('flat', project);
    const id = seen(await compute.create('flat', { projectId: project, networkId })).metadata.id;
    expect(idsOf(await compute.ask('GET', `?projectID=${project}`))).toEqual([id]);
    expect(ComputeInstance.indexedLabels).toEqual(
      expect.arrayContaining([labels.organization, labels.project, labels.region, labels.network]),
    );
  });

  test('Region client rebuilt each reconcile, token/cache churn', async () => {
    const tenant = await compute.openTenant();
    const [own, theirs] = [await provisioned('served'), seen(await tenant.create('served')).metadata.id];
    await tenant.until(theirs, 'provisioned');
    await Promise.all([remove(own), tenant.ask('DELETE', `/${theirs}`)]);
    await tenant.gone(theirs);
    // The service has one client. Calls of a second client would be missing here. The principal is part of each call.
    const doneFor = (id: string) =>
      done.filter((one) => one.id === id).map(({ call, organizationId }) => [call, organizationId]);
    for (const [id, { organizationId }] of [
      [own, compute],
      [theirs, tenant],
    ] as const)
      expect(doneFor(id)).toEqual(['create', 'delete', 'release'].map((call) => [call, organizationId]));
  });

  test('Allocation annotation preserved by hand', async () => {
    const id = await provisioned('charged', { networking: { publicIP: true } });
    await modify(compute.store, ComputeInstance, id, ({ metadata, spec }) => ({
      metadata: { ...metadata, annotations: {} },
      spec,
    }));
    expect((await compute.update(id, 'charged')).status).toBe(202);
    expect(await allocations(id)).toMatchObject([
      {
        spec: {
          allocations: expect.arrayContaining([
            expect.objectContaining({ kind: 'publicips', committed: 0 }),
          ]) as unknown,
        },
      },
    ]);
    await remove(id);
    expect(await allocations(id)).toEqual([]);
  });

  test('Update path re-parses the network label and 500s when corrupt', async () => {
    const whole = await stored(await provisioned('whole'));
    const carried = Object.fromEntries(
      Object.entries(whole.metadata.labels ?? {}).filter(([label]) => label !== labels.network),
    );
    await expect(
      compute.store.create(ComputeInstance, {
        metadata: { name: compute.world.uuid(), labels: carried },
        spec: whole.spec,
      }),
    ).rejects.toThrow('network-id: must be set');
    const damaged = await legacy('damaged', [labels.network]);
    expect(await compute.update(damaged, 'damaged')).toMatchObject({
      status: 409,
      body: { error_description: mentioning('is damaged') },
    });
    await compute.eventually(findings, (found) => (found['incomplete-record'] ?? 0) > 0, 300_000);
    await compute.eventually(
      () => compute.ask('GET', `/${damaged}/history`),
      ({ body }) => JSON.stringify(body).includes('incomplete-record'),
    );
  });

  test('UUIDv5 uniqueness does not cover older random IDs', async () => {
    const old = await legacy('ancient');
    const before = await compute.charged();
    const answers = await Promise.all(Array.from({ length: 5 }, () => compute.create('ancient')));
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
    expect(reasonOf(answers[0] ?? { body: {} })).toContain('metadata.name: the network has an instance called ancient');
    expect(await compute.charged()).toEqual(before);
    expect((await compute.create('ancient', { networkId: await compute.openNetwork('elsewhere') })).status).toBe(201);
    await compute.store.delete(ComputeInstance, old);
    await compute.gone(old);
    expect((await compute.create('ancient')).status).toBe(201);
  });

  test('Admission cannot repair corrupt state', async () => {
    const id = await provisioned('drifting');
    await compute.toIdentity.release({ actor: 'test', ...compute.scope }, compute.scope, {
      kind: ComputeInstance.id,
      id,
    });
    expect(await allocations(id)).toEqual([]);
    await compute.eventually(
      () => allocations(id),
      (found) => found.length === 1,
      300_000,
    );
  });

  test('Region is both oracle and executor; compute observes nothing', async () => {
    const settled = await provisioned('observed');
    expect((await compute.read(settled)).status['observedAt']).toMatch(/^2026-/);
    away = 'region';
    const { id } = seen(await compute.create('cut-off')).metadata;
    const { metadata } = await compute.eventually(
      () => compute.read(id),
      (one) => JSON.stringify(one).includes('cannot be reached'),
    );
    expect(metadata['provisioningStatusDetail']).toMatchObject({
      reason: 'DependencyFailed',
      message: 'its region cannot be reached at the moment: region does not answer',
    });
    expect((await compute.read(settled)).metadata.provisioningStatus).toBe('provisioned');
    away = undefined;
    await compute.until(id, 'provisioned');
  });

  test('Monitor has no checkers', async () => {
    const orphan = await stray('orphan', compute.world.uuid());
    const found = await compute.eventually(findings, (one) => (one['orphan-server'] ?? 0) > 0, 300_000);
    expect(Object.keys(found).sort()).toEqual([...checkers].sort());
    expect(checkers).toEqual(
      expect.arrayContaining([
        'orphan-server',
        'instance-without-server',
        'allocation-drift',
        'stuck-provisioning',
        'stuck-deleting',
        'stale-status',
      ]),
    );
    await compute.store.delete(Server, orphan);
    await compute.eventually(findings, (one) => one['orphan-server'] === 0, 300_000);
  });

  test('Status/deletion propagation depends on label/tag completeness', async () => {
    const before = (await findings())['incomplete-record'] ?? 0;
    await legacy('incomplete', [labels.network, labels.region]);
    await compute.eventually(findings, (found) => (found['incomplete-record'] ?? 0) > before, 300_000);
  });

  test('Network-deletion bridge lives outside the core and is easy to forget', async () => {
    const networkId = await compute.openNetwork('bridged');
    const id = await provisioned('bridged', { networkId });
    await compute.store.delete(Network, networkId, { propagation: 'foreground' });
    await compute.gone(id);
    await compute.eventually(
      () => compute.store.get(Network, networkId),
      (network) => network === undefined,
    );
    expect([await server(id), await allocations(id)]).toEqual([undefined, []]);
  });

  test('Best-effort sagas, no log', async () => {
    const { create, charged } = await compute.openTenant();
    const unfinished = async () =>
      (await compute.call('GET', '/api/v1/sagas', { token: compute.operatorToken })).body as readonly unknown[];
    between = unlucky;
    away = 'ledger';
    expect((await create('abandoned')).status).toBe(503);
    between = nothing;
    expect(await unfinished()).toMatchObject([
      { name: 'compute.instance.write', state: 'unwinding', message: 'the ledger does not answer' },
    ]);
    expect(await charged()).toMatchObject({ servers: 1 });
    away = undefined;
    await compute.eventually(charged, ({ servers }) => servers === 0);
    await compute.eventually(unfinished, (left) => left.length === 0);
  });

  test('v1/version-label/provider-history debt (region)', async () => {
    const { body } = await compute.request('GET', '/compute/openapi.json');
    const paths = Object.keys((body as { readonly paths: object }).paths).filter((path) => !path.includes('/v2/'));
    expect(paths.filter((path) => /instance|cluster|server/.test(path))).toEqual([]);
  });

  test('Documentation gaps of helper packages', async () => {
    const { body } = await compute.request('GET', '/compute/openapi.json');
    const operations = Object.values(
      (body as { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>> })
        .paths,
    ).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(15);
    expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  });
});

describe('§12 additional defects', () => {
  test('Operational verbs need only read', async () => {
    const id = await provisioned('guarded');
    const { token } = await compute.found.robot(compute.organizationId, ['auditor']);
    const as = async (method: 'GET' | 'POST', word: string, body?: object) =>
      (await compute.call(method, `/api/v2/instances/${id}${word}`, { token, ...(body ? { body } : {}) })).status;
    expect(await as('GET', '')).toBe(200);
    const refused = [
      await as('POST', '/start'),
      await as('POST', '/stop'),
      await as('POST', '/reboot'),
      await as('POST', '/snapshot', { metadata: { name: 'copy' } }),
      await as('GET', '/sshkey'),
      await as('GET', '/consolesession'),
    ];
    expect(new Set(refused)).toEqual(new Set([403]));
  });

  test('Security groups checked with service rights', async () => {
    const { securityGroup } = await compute.openTenant();
    expect(
      await compute.create('intruding', { networking: { securityGroups: [await securityGroup()] } }),
    ).toMatchObject({ status: 404, body: { error_description: mentioning('spec.networking.securityGroups.0') } });
    const elsewhere = await compute.securityGroup('elsewhere', await compute.openNetwork('of-the-group'));
    expect(await compute.create('intruding', { networking: { securityGroups: [elsewhere] } })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('must be of the same network') },
    });
  });

  test('Network tenancy not compared with the request', async () => {
    const networkId = await compute.openNetwork('of-a-sibling', await compute.found.project(compute.organizationId));
    expect(await compute.create('astray', { networkId })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.networkId') },
    });
  });

  test('Public-IP kind mismatch with identity', async () => {
    const { create, charged, limit } = await compute.openTenant();
    await limit({ servers: 5, publicips: 1 });
    expect((await create('public', { networking: { publicIP: true } })).status).toBe(201);
    expect(await charged()).toMatchObject({ publicips: 1 });
    expect(await create('public-too', { networking: { publicIP: true } })).toMatchObject({
      status: 403,
      body: { error_description: mentioning('publicips') },
    });
  });

  test('Quota 403 can mask duplicate 409', async () => {
    const { create, charged, limit } = await compute.openTenant();
    await limit({ servers: 1 });
    expect([(await create('only')).status, (await create('only')).status, (await create('other')).status]).toEqual([
      201, 409, 403,
    ]);
    expect(await charged()).toMatchObject({ servers: 1 });
  });

  test('Update loses pause, creator, foreign metadata; no modified-by/time', async () => {
    const id = await provisioned('kept');
    const foreign = { 'example.com/owner': 'somebody' };
    await modify(compute.store, ComputeInstance, id, ({ metadata, spec }) => ({
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...foreign } },
      spec: { ...spec, pause: true },
    }));
    const { metadata: before } = await compute.read(id);
    await compute.world.advance(60_000);
    const after = seen(await compute.update(id, 'kept', {}, { description: 'changed' }));
    expect(after.metadata).toMatchObject({
      createdBy: before['createdBy'],
      description: 'changed',
      modifiedBy: before['createdBy'],
      modifiedTime: expect.stringMatching(/^2026-/) as unknown,
    });
    expect(await stored(id)).toMatchObject({ metadata: { annotations: foreign }, spec: { pause: true } });
  });

  test('Server `error` shown as endless `provisioning`', async () => {
    await turn({ buildFailureRate: 1 });
    const { id } = seen(await compute.create('broken')).metadata;
    const { metadata } = await compute.until(id, 'error');
    expect(metadata['provisioningStatusDetail']).toMatchObject({
      reason: 'Errored',
      message: expect.stringMatching(/./) as unknown,
    });
  });

  test('Verb errors flattened to 500', async () => {
    const id = await provisioned('stopped', { sshCertificateAuthorityId: await compute.authority() });
    await verb(id, 'stop');
    await compute.eventually(
      () => compute.read(id),
      ({ status }) => status['powerState'] === 'Stopped',
    );
    expect(await verb(id, 'stop')).toMatchObject({
      status: expect.toBeOneOf([400, 409]) as unknown,
      body: { error_description: expect.stringMatching(/./) as unknown },
    });
    expect((await compute.ask('GET', `/${id}/sshkey`)).status).toBe(404);
  });

  test('v2 create and bodiless verbs leave no audit record', async () => {
    audited.length = 0;
    const id = await provisioned('audited');
    await verb(id, 'reboot');
    await compute.ask('DELETE', `/${id}`);
    const told = audited
      .filter(({ component }) => component.name === 'compute')
      .map(({ operation, result, actor }) => [operation.id, result.status, actor.subject !== '']);
    expect(told).toEqual([
      ['createInstance', 201, true],
      ['rebootInstance', 202, true],
      ['deleteInstance', 202, true],
    ]);
  });

  test('Compensation runs on the request context (client disconnect cancels it)', async () => {
    const tenant = await compute.openTenant();
    const [reached, gone] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    between = async (call, happen) => {
      if (call.verb !== 'create' || call.kind.id !== ComputeInstance.id) return happen();
      reached.resolve(undefined);
      await gone.promise;
      return unlucky(call, happen);
    };
    const url = await compute.server.listen({ port: 0, host: '127.0.0.1' });
    const client = httpRequest(`${url}/compute/api/v2/instances`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    });
    client.on('error', () => undefined).end(JSON.stringify(tenant.bodyOf('forsaken')));
    await reached.promise;
    expect(await tenant.charged()).toMatchObject({ servers: 1 });
    client.destroy();
    gone.resolve(undefined);
    await compute.eventually(tenant.charged, ({ servers }) => servers === 0);
  });

  test('Description phrase on create lacks a space before the ID', async () => {
    const id = await provisioned('described');
    const { body } = await compute.request('GET', `/region/api/v2/servers/${id}`, { token: compute.operatorToken });
    expect((body as Seen).metadata['description']).toBe(`the machine of instance ${id}`);
  });

  // The contract allows such names, and Terraform states contain them. They stay valid; the guest decides about its
  // host name.
  test('Names may contain `_`, `.` and upper case but become host names', async () => {
    const id = await provisioned('Web_1.example');
    expect((await compute.read(id)).metadata.name).toBe('Web_1.example');
    for (const name of ['-web', 'web-', 'a b', 'a'.repeat(64)]) expect((await compute.create(name)).status).toBe(400);
  });
});
