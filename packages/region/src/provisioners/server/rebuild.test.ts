import { afterEach, describe, expect, it } from 'vitest';

import { debian, endAll, provisioned, standing, started, ubuntu, until } from './stage.fixture.ts';

afterEach(endAll);

describe('a rebuild', () => {
  it('keeps the server and its addresses, and is provisioning until it is done', async () => {
    const scene = await provisioned({ knobs: { build_ms: 5_000 } });
    const before = (await scene.server())?.status;
    await scene.change({ image: { id: debian } });
    await scene.world.until(async () => (await scene.server())?.status?.rebuild?.state === 'Rebuilding');
    expect((await scene.server())?.status).toMatchObject({ phase: 'Building', rebuild: { targetImageID: debian } });
    expect(await standing(scene)).toBe('Provisioning');
    await until(scene, 'Provisioned');
    expect((await scene.server())?.status).toMatchObject({
      phase: 'Running',
      privateIP: before?.privateIP,
      macAddress: before?.macAddress,
      provisionedAt: before?.provisionedAt,
    });
    expect({ accepted: scene.accepted, incarnations: scene.incarnations.size }).toEqual({
      accepted: [debian],
      incarnations: 1,
    });
  });

  it('of a stopped server settles as stopped', async () => {
    const scene = await provisioned({ knobs: { build_ms: 5_000 } });
    await scene.cloud.servers.power(scene.identity, { id: scene.id, name: 'web' }, 'stop');
    await scene.change({ image: { id: debian } });
    await until(scene, 'Provisioned');
    expect((await scene.server())?.status?.phase).toBe('Stopped');
    expect(scene.accepted).toEqual([debian]);
  });

  it('that fails is given up, and is tried again with another image only', async () => {
    const scene = await provisioned();
    await scene.operator.turn({ buildFailureRate: 1 });
    await scene.change({ image: { id: debian } });
    await until(scene, 'Errored');
    await scene.operator.turn({ buildFailureRate: 0 });
    await scene.change({ tags: [{ name: 'a', value: 'b' }] });
    await until(scene, 'Errored');
    await scene.world.advance(1_800_000);
    expect(scene.accepted).toEqual([debian]);
    await scene.change({ image: { id: ubuntu } });
    await until(scene, 'Provisioned');
    expect(scene.accepted).toEqual([debian, ubuntu]);
  });

  it('waits for what the provider is doing with the server, and for its first boot', async () => {
    const scene = await started({ knobs: { build_ms: 5_000 } });
    await until(scene, 'Provisioning');
    await scene.change({ image: { id: debian } });
    await scene.world.advance(3_000);
    expect(scene.accepted).toEqual([]);
    await until(scene, 'Provisioned');
    expect(scene.accepted).toEqual([debian]);
  });

  it('that the monitor saw done before the controller did is cleared at once', async () => {
    const scene = await provisioned();
    await scene.change({ image: { id: debian } });
    await until(scene, 'Provisioned');
    await scene.note({ rebuild: { targetImageID: debian, state: 'Succeeded' } });
    await scene.world.settle();
    expect((await scene.server())?.status).not.toHaveProperty('rebuild');
    expect(scene.accepted).toEqual([debian]);
  });
});

describe('a change in place', () => {
  it('adds and removes a public address, and the server stays', async () => {
    const scene = await provisioned();
    await scene.change({ publicIPAllocation: { enabled: true } });
    await until(scene, 'Provisioned');
    expect((await scene.server())?.status?.publicIP).toMatch(/^198\.18\./);
    await scene.change({ publicIPAllocation: { enabled: false } });
    await until(scene, 'Provisioned');
    expect((await scene.server())?.status).not.toHaveProperty('publicIP');
    expect(scene.incarnations.size).toBe(1);
  });
});
