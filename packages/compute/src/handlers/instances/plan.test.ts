import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { HistoryEntry } from '@unikorn/core/history';
import { modify } from '@unikorn/core/store';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../../kinds/index.ts';
import { exceeds, type Disruption, type Plan } from '../../plan/index.ts';
import { debianImage, gpuFlavor, standardFlavor, ubuntuImage } from '../../testing/index.ts';
import { base64, nowhere, seen, startInstances, type Instances } from './instances.fixture.ts';

/** The worst change of a server that region received. */
function watched(done: Disruption[], regionClient: RegionClient): RegionClient {
  return {
    ...regionClient,
    updateServer: async (on, id, body) => {
      const before = await regionClient.server(on, id);
      done.push(before?.spec.imageId === body.spec.imageId ? 'in-place' : 'rebuild');
      return regionClient.updateServer(on, id, body);
    },
    deleteServer: (on, id) => {
      done.push('recreate');
      return regionClient.deleteServer(on, id);
    },
  };
}

const worstOf = (done: readonly Disruption[]) =>
  done.reduce<Disruption>((worst, next) => (exceeds(next, worst) ? next : worst), 'none');

describe('the plan of an update', () => {
  let compute: Instances;
  let id = '';
  const done: Disruption[] = [];

  beforeAll(async () => {
    compute = await startInstances({ regionClient: (regionClient) => watched(done, regionClient) });
    id = seen(await compute.create('planned', { networking: { publicIP: true } })).metadata.id;
    await compute.until(id, 'provisioned');
  });
  afterAll(() => compute.stop());

  const standing = { networking: { publicIP: true } };
  const body = (spec: object, metadata: object = {}) => ({
    metadata: { name: 'planned', ...metadata },
    spec: { ...compute.wanted, ...spec },
  });
  const planned = async (spec: object, metadata?: object) =>
    (await compute.ask('POST', `/${id}/plan`, body(spec, metadata))).body as Plan;
  const put = (query: string, spec: object, metadata?: object) =>
    compute.ask('PUT', `/${id}?${query}`, body(spec, metadata));
  const stored = () => compute.store.get(ComputeInstance, id);

  it('shows a rebuild before it happens: the action, the changed field, and the losses', async () => {
    expect(await planned(standing)).toMatchObject({ action: 'none', changes: [], losses: [], blockers: [] });
    expect(await planned({ ...standing, imageId: debianImage })).toMatchObject({
      action: 'rebuild',
      changes: [{ field: 'spec.imageId', from: ubuntuImage, to: debianImage, action: 'rebuild' }],
      losses: ['the root disk'],
    });
    expect(await planned({ ...standing, flavorId: gpuFlavor })).toMatchObject({
      action: 'recreate',
      changes: [{ field: 'spec.flavorId', from: standardFlavor, to: gpuFlavor, action: 'recreate' }],
      losses: ['the root disk', 'the public address', 'the MAC address'],
    });
    expect(await planned({})).toMatchObject({
      action: 'in-place',
      changes: [{ field: 'spec.networking.publicIP', from: true, to: false }],
      losses: ['the public address'],
    });
    expect(await planned(standing, { description: 'new' })).toMatchObject({
      action: 'none',
      changes: [{ field: 'metadata.description', to: 'new', action: 'none' }],
    });
  });

  it('shows the charge and the remaining quota', async () => {
    await compute.limit({ gpus: 40, publicips: 5, servers: 10 });
    const { quota } = await planned({ flavorId: gpuFlavor });
    expect(quota).toEqual([
      { kind: 'gpus', delta: expect.any(Number) as unknown, free: 40 },
      { kind: 'publicips', delta: -1, free: 4 },
      { kind: 'servers', delta: 0, free: 9 },
    ]);
    expect(quota[0]?.delta).toBeGreaterThan(0);
    await compute.limit({ gpus: 0 });
    expect((await planned({ flavorId: gpuFlavor })).blockers).toMatchObject([{ reason: 'quota_exceeded' }]);
    await compute.limit({ gpus: 40 });
  });

  it('changes nothing and charges nothing', async () => {
    const [before, charged] = [await stored(), await compute.charged()];
    await planned({ flavorId: gpuFlavor });
    expect(await stored()).toEqual(before);
    expect(await compute.charged()).toEqual(charged);
  });

  it('shows the reasons for a refusal as blockers, and refuses only malformed requests', async () => {
    expect((await planned(standing, { name: 'other' })).blockers).toMatchObject([
      { reason: 'unprocessable_content', message: expect.stringContaining('metadata.name') as unknown },
    ]);
    expect((await planned({ ...standing, imageId: nowhere })).blockers).toMatchObject([
      { reason: 'invalid_request', message: expect.stringContaining('spec.imageId') as unknown },
    ]);
    expect((await planned({ networking: { securityGroups: [nowhere] } })).blockers).toMatchObject([
      { reason: 'not_found', message: expect.stringContaining('securityGroups') as unknown },
    ]);
    expect(await compute.ask('POST', `/${id}/plan`, { metadata: { name: 'planned' } })).toMatchObject({ status: 400 });
  });

  it('is for those who may update', async () => {
    const { token } = await compute.found.robot(compute.organizationId, ['auditor']);
    const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
    const ask = (as: string) =>
      compute.call('POST', `/api/v2/instances/${id}/plan`, { token: as, body: body(standing) });
    expect([(await ask(token)).status, (await ask(stranger.token)).status]).toEqual([403, 404]);
  });

  it('is in the history, with the user who requested it', async () => {
    await planned({ ...standing, imageId: debianImage });
    const { body: entries } = await compute.ask('GET', `/${id}/history`);
    expect((entries as readonly HistoryEntry[]).at(-1)).toMatchObject({
      type: 'plan',
      outcome: 'rebuild',
      actor: expect.any(String) as unknown,
      changes: [{ field: 'spec.imageId', action: 'rebuild' }],
    });
  });

  it('is part of the refusal of an update that exceeds its limit and changes nothing', async () => {
    const before = await stored();
    const refused = await put('maxDisruption=in-place', { ...standing, imageId: debianImage });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'conflict',
        error_description: expect.stringContaining('rebuild') as unknown,
        trace_id: expect.any(String) as unknown,
        plan: { action: 'rebuild', losses: ['the root disk'] },
      },
    });
    expect(await stored()).toEqual(before);
    const { body: entries } = await compute.ask('GET', `/${id}/history`);
    expect((entries as readonly HistoryEntry[]).at(-1)).toMatchObject({
      type: 'intent',
      action: 'update',
      outcome: 'refused',
      message: expect.stringContaining('needs rebuild') as unknown,
    });
    expect((await put('maxDisruption=most', standing)).status).toBe(400);
    expect((await put('maxDisruption=none', standing)).status).toBe(202);
  });

  it('is part of the refusal of an update whose plan is for another body, or no longer valid', async () => {
    const { token } = await planned(standing, { description: 'agreed' });
    expect(await put(`planToken=${token}`, { ...standing, imageId: debianImage })).toMatchObject({
      status: 409,
      body: { plan: { action: 'rebuild' } },
    });
    expect((await put(`planToken=${token}`, standing, { description: 'agreed' })).status).toBe(202);
    const stale = await planned({ ...standing, userData: base64('#!/bin/sh') });
    await compute.update(id, 'planned', { ...standing, afterRebuild: 'start' });
    expect(await put(`planToken=${stale.token}`, { ...standing, userData: base64('#!/bin/sh') })).toMatchObject({
      status: 409,
    });
  });

  it('is no longer valid if the server has changed, although the instance has not', async () => {
    const pause = (paused: boolean) =>
      modify(compute.store, ComputeInstance, id, (instance) => ({
        ...instance,
        spec: { ...instance.spec, pause: paused },
      }));
    await pause(true);
    const { token } = await planned({ ...standing, imageId: debianImage });
    const regionClient = compute.toRegion;
    const on = {
      principal: { organizationId: compute.organizationId, projectId: compute.projectId },
      impersonate: false,
    };
    const server = await regionClient.server(on, id);
    if (!server) throw new Error('there is no server');
    await regionClient.updateServer(on, id, {
      metadata: { name: 'planned', tags: server.metadata.tags ?? [] },
      spec: { ...server.spec, networking: {} },
    });
    expect((await put(`planToken=${token}`, { ...standing, imageId: debianImage })).status).toBe(409);
    await pause(false);
    await compute.world.settle();
    await compute.until(id, 'provisioned');
  });

  it('is never less disruptive than the actual change of the server', async () => {
    const spec = fc.record({
      flavorId: fc.constantFrom(standardFlavor, gpuFlavor),
      imageId: fc.constantFrom(ubuntuImage, debianImage),
      networking: fc.record({
        publicIP: fc.boolean(),
        allowedSourceAddresses: fc.constantFrom([], ['10.1.0.0/24'], ['10.1.0.7/24']),
      }),
      userData: fc.constantFrom('', base64('#!/bin/sh'), base64('#cloud-config\n')),
    });
    await fc.assert(
      fc.asyncProperty(spec, async (wanted) => {
        const { action, token } = await planned(wanted);
        done.length = 0;
        expect((await put(`planToken=${token}&maxDisruption=${action}`, wanted)).status).toBe(202);
        await compute.world.settle();
        await compute.until(id, 'provisioned');
        await compute.world.advance(15_000);
        expect(exceeds(worstOf(done), action)).toBe(false);
        if (action === 'rebuild' || action === 'recreate') expect(worstOf(done)).toBe(action);
      }),
      { numRuns: 12 },
    );
  });

  it('of an instance that is being deleted shows the deletion', async () => {
    await compute.operator(compute.regionId).turn({ delete_ms: 60_000 });
    await compute.ask('DELETE', `/${id}`);
    expect((await planned(standing)).blockers).toMatchObject([
      { reason: 'invalid_request', message: `instance ${id} is being deleted` },
    ]);
    await compute.gone(id);
  });
});
