import { describe, expect, it, onTestFinished } from 'vitest';

import { Lease } from '@unikorn/core/controller';
import { ReferenceRecord } from '@unikorn/core/references';
import { parseReference } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { openEventStream } from '@unikorn/core/testing';
import { carriers, passing } from '@unikorn/core/testing/carriers';
import { identityKinds } from '@unikorn/identity';
import { Allocation, Group, Project, ServiceAccount } from '@unikorn/identity/kinds';
import { regionKinds } from '@unikorn/region';
import { Network, Server } from '@unikorn/region/kinds';

import { ComputeInstance, computeKinds } from './kinds/index.ts';
import { monitorPeriod_ms, startSeparately } from './testing/separate-stores.fixture.ts';
import { debianImage, standardFlavor, ubuntuImage } from './testing/index.ts';

interface Shown {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
  readonly spec: { readonly imageId: string };
}

it('every stored kind belongs to one service, except for those of core', () => {
  const ofCore = [ReferenceRecord.group, Lease.group];
  const groups = [identityKinds, regionKinds, computeKinds].map((kinds) =>
    [...new Set(kinds.map(({ group }) => group))].filter((group) => !ofCore.includes(group)),
  );
  expect(groups).toEqual([['identity.unikorn-cloud.org'], ['region.unikorn-cloud.org'], ['compute.unikorn-cloud.org']]);
  expect(computeKinds).not.toContain(ReferenceRecord);
});

describe.each(carriers)('services with separate stores, which call each other %s', (carrier) => {
  it('take an instance through creation, monitoring, change and deletion', { timeout: 120_000 }, async () => {
    const scene = await startSeparately(carrier);
    onTestFinished(() => scene.stop());
    const { world, clients, organizationId, projectId, regionId, identity, region, compute } = scene;
    const place = { organizationId, projectId };
    const is = (status: string) => (shown: Shown) => shown.metadata.provisioningStatus === status;
    const reading = (service: typeof region, path: string) => async () =>
      (await service.request('GET', path)).body as Shown;

    const network = await region.request('POST', '/region/api/v2/networks', {
      metadata: { name: 'frontend' },
      spec: { ...place, regionId, prefix: '10.0.0.0/24', dnsNameservers: [] },
    });
    const networkId = (network.body as Shown).metadata.id;
    await scene.eventually(reading(region, `/region/api/v2/networks/${networkId}`), is('provisioned'));

    const wanted = { flavorId: standardFlavor, imageId: ubuntuImage, deletionProtection: true };
    const body = { metadata: { name: 'web-1' }, spec: { ...wanted, ...place, networkId } };
    const created = await compute.request('POST', '/compute/api/v2/instances', body);
    expect(created).toMatchObject({ status: 201 });
    const { id } = (created.body as Shown).metadata;
    const path = `/compute/api/v2/instances/${id}`;
    const instance = reading(compute, path);
    await scene.eventually(instance, is('provisioned'));

    const charges = async () => (await identity.store.list(Allocation)).items.filter(({ spec }) => spec.id === id);
    const references = async () => {
      const stored = await Promise.all([region, identity].map(({ store }) => store.list(ReferenceRecord)));
      return stored
        .flatMap(({ items }) => items)
        .filter(({ spec }) => parseReference(spec.reference).id === id)
        .map(({ spec }) => spec.used.kind)
        .toSorted();
    };
    const findings = async () => {
      const metric = compute.telemetry.registry.getSingleMetric('unikorn_compute_monitor_findings');
      const { values = [] } = (await metric?.get()) ?? {};
      return values.filter(({ value }) => value > 0).map(({ labels }) => labels['checker']);
    };
    const held = [Network.id, Project.id].toSorted();
    expect(await charges()).toHaveLength(1);
    expect(await references()).toEqual(held);
    await world.advance(3 * monitorPeriod_ms);
    expect(await findings()).toEqual([]);

    // The monitor finds a missing charge and a missing reference in the stores of other services, and stores them
    // again.
    const principal = { actor: 'jane@example.com', ...place };
    await passing(world, clients.identityClient.release(principal, place, { kind: ComputeInstance.id, id }));
    const used = { what: 'network', id: networkId } as const;
    const user = `${ComputeInstance.id}/${id}`;
    await passing(world, clients.regionClient.letGo({ principal, impersonate: false }, used, user));
    expect(await charges()).toEqual([]);
    expect(await references()).toEqual([Project.id]);
    await scene.eventually(references, (seen) => seen.length === 2);
    await scene.eventually(charges, (seen) => seen.length === 1);
    await scene.eventually(findings, (seen) => seen.length === 0);

    const changed = { ...wanted, imageId: debianImage, deletionProtection: false };
    expect(await compute.request('PUT', path, { metadata: { name: 'web-1' }, spec: changed })).toMatchObject({
      status: 202,
    });
    await scene.eventually(instance, is('provisioned'));
    expect((await region.store.get(Server, id))?.spec.image).toMatchObject({ id: debianImage });
    await scene.eventually(references, (seen) => !seen.includes(Project.id));

    expect(await compute.request('DELETE', path)).toMatchObject({ status: 202 });
    await scene.eventually(
      () => compute.request('GET', path),
      ({ status }) => status === 404,
    );
    expect(await region.store.get(Server, id)).toBeUndefined();
    expect(await charges()).toEqual([]);
    expect(await references()).toEqual([]);
    await world.advance(3 * monitorPeriod_ms);
    expect(await findings()).toEqual([]);
  });
});

it('a revoked token and a lost right end requests and streams in other processes within five seconds', async () => {
  const scene = await startSeparately('over HTTP');
  onTestFinished(() => scene.stop());
  const { world, identity, region, compute, robot } = scene;
  const authorization = `Bearer ${robot.token}`;
  const paths = [
    [region, '/region/api/v2/networks'],
    [compute, '/compute/api/v2/instances'],
  ] as const;
  const streams = await Promise.all(
    paths.map(([{ server }, path]) => passing(world, openEventStream(server, path, { authorization }))),
  );
  for (const stream of streams) await passing(world, stream.has('synced'));
  const { organizationId, projectId, regionId } = scene;
  const createNetwork = async (name: string) => {
    const spec = { organizationId, projectId, regionId, prefix: '10.0.0.0/24', dnsNameservers: [] };
    return (await region.request('POST', '/region/api/v2/networks', { metadata: { name }, spec })).status;
  };
  expect(await createNetwork('first')).toBe(201);
  const five = async () => {
    for (let steps = 0; steps < 50; steps++) await world.advance(100);
  };
  await five();
  expect(streams.map((stream) => stream.ended())).toEqual([false, false]);

  const group = await identity.store.get(Group, robot.groupId);
  await modify(identity.store, Group, robot.groupId, (held) => ({ ...held, spec: { ...held.spec, roleIDs: [] } }));
  await five();
  expect(await createNetwork('second')).toBe(403);
  await modify(identity.store, Group, robot.groupId, (held) => ({ ...held, spec: group?.spec ?? held.spec }));

  await identity.store.delete(ServiceAccount, robot.id);
  await five();
  expect(streams.map((stream) => stream.ended())).toEqual([true, true]);
  for (const [{ request }, path] of paths) expect((await request('GET', path)).status).toBe(401);
});
