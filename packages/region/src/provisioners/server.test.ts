import { afterEach, describe, expect, it } from 'vitest';

import { Server } from '../kinds/index.ts';
import {
  condition,
  debian,
  endAll,
  provisioned,
  started,
  until,
  type Stage,
  type StageOptions,
} from './server/stage.fixture.ts';

const anyText: unknown = expect.any(String);

afterEach(endAll);

describe('the creation of a server', () => {
  it('takes one read, one call and one write on a fast cloud', async () => {
    const scene = await provisioned();
    // Each effect has a point before it and one after it.
    expect(scene.life.cuts).toBe(6);
    expect((await scene.server())?.status).toMatchObject({
      phase: 'Running',
      privateIP: anyText,
      provisionedAt: anyText,
    });
  });

  it('waits for the network without an error, and continues as soon as that is ready', async () => {
    const scene = await started({ network: 'pending' });
    await until(scene, 'DependencyNotReady');
    await scene.world.advance(1_000);
    await scene.makeReady();
    const start = scene.world.now();
    await until(scene, 'Provisioned');
    expect(scene.world.now() - start).toBeLessThan(1_000);
  });

  it('says which certificate authority does not exist', async () => {
    const scene = await started({}, { sshCertificateAuthorityID: 'f0000000-0000-4000-8000-00000000dead' });
    await until(scene, 'DependencyNotFound');
    expect((await condition(scene, 'Available'))?.message).toContain('f0000000-0000-4000-8000-00000000dead');
    expect(scene.incarnations.size).toBe(0);
  });

  it('shows a server that is being built as such until it has run', async () => {
    const scene = await started({ knobs: { build_ms: 10_000 } });
    await until(scene, 'Provisioning');
    expect((await scene.server())?.status).toMatchObject({ phase: 'Building', privateIP: anyText });
    expect((await scene.server())?.status).not.toHaveProperty('provisionedAt');
    await until(scene, 'Provisioned');
    expect((await scene.server())?.status?.phase).toBe('Running');
  });

  it('continues when the cloud has capacity again', async () => {
    const scene = await started({ knobs: { serversPerIdentity: 0 } });
    await until(scene, 'Errored');
    await scene.operator.turn({ serversPerIdentity: 10 });
    await until(scene, 'Provisioned');
  });
});

describe('a creation that the provider fails', () => {
  it('is retried from the start, and the failures are counted', async () => {
    const scene = await started({ knobs: { delete_ms: 5_000, buildFailureRate: 1 } });
    await scene.world.until(async () => (await scene.server())?.status?.providerCreateFailures === 1);
    await scene.operator.turn({ buildFailureRate: 0 });
    await until(scene, 'Provisioned');
    expect(scene.incarnations.size).toBe(2);
    expect((await scene.server())?.status).not.toHaveProperty('providerCreateRetrying');
  });

  it('is given up after as many attempts as are allowed, and says why', async () => {
    const scene = await started({ knobs: { buildFailureRate: 1 } });
    await until(scene, 'Errored');
    await scene.world.advance(600_000);
    expect(scene.incarnations.size).toBe(3);
    expect((await scene.server())?.status?.providerCreateFailures).toBe(3);
    expect((await condition(scene, 'Available'))?.message).toContain('the machine could not be started on its host');
  });

  it('is tried again when an operator resets the count', async () => {
    const scene = await started({ knobs: { buildFailureRate: 1 } });
    await until(scene, 'Errored');
    await scene.operator.turn({ buildFailureRate: 0 });
    await scene.note({ providerCreateFailures: 0 });
    await until(scene, 'Provisioned');
  });

  it('is tried again when the server is changed, even if the provider is unavailable at that time', async () => {
    const scene = await started({ knobs: { buildFailureRate: 1 } });
    await until(scene, 'Errored');
    await scene.operator.turn({ buildFailureRate: 0, service: 'down' });
    await scene.change({ image: { id: debian } });
    await until(scene, 'Provisioning');
    await scene.operator.turn({ service: 'up' });
    await until(scene, 'Provisioned');
    expect(scene.accepted).toEqual([]);
  });

  it('is never tried again for a server that ran, whatever its status', async () => {
    const scene = await provisioned();
    await scene.operator.drift(scene.identity.id, scene.id, 'failed');
    await scene.note({ phase: 'Pending', providerCreateFailures: 0, providerCreateRetrying: true });
    await scene.change({ tags: [{ name: 'a', value: 'b' }] });
    await until(scene, 'Provisioned');
    await scene.world.advance(1_800_000);
    expect(scene.incarnations.size).toBe(1);
    expect(await condition(scene, 'Healthy')).toMatchObject({
      status: 'False',
      reason: 'Errored',
      message: 'the host of the machine failed',
    });
  });
});

describe('a server that ran and is not shown', () => {
  it('is not created again because of missing observations, however many', async () => {
    const scene = await provisioned();
    await scene.operator.drift(scene.identity.id, scene.id, 'deleted');
    await scene.change({ tags: [{ name: 'a', value: 'b' }] });
    await until(scene, 'Provisioning');
    await scene.world.advance(3_600_000);
    expect(scene.incarnations.size).toBe(1);
    expect((await condition(scene, 'Available'))?.message).toBe(
      'the provider does not show the machine; the provider is asked again before the machine is recreated',
    );
  });

  it('is created again once the monitor found it lost, and the message says that its disk is lost', async () => {
    const scene = await provisioned({ knobs: { build_ms: 10_000 } });
    const before = (await scene.server())?.status;
    await scene.operator.drift(scene.identity.id, scene.id, 'deleted');
    await scene.note({ missingSince: '2026-01-01T00:00:00Z', lostAt: '2026-01-01T00:02:00Z' });
    await scene.world.advance(5_000);
    expect((await condition(scene, 'Available'))?.message).toBe(
      'the provider lost the machine; it is being recreated, and its disk is lost',
    );
    await until(scene, 'Provisioned');
    expect(scene.incarnations.size).toBe(2);
    expect((await scene.server())?.status).toMatchObject({ phase: 'Running', provisionedAt: before?.provisionedAt });
    expect((await scene.server())?.status).not.toHaveProperty('missingSince');
  });

  it('is unchanged when it is shown again', async () => {
    const scene = await provisioned();
    await scene.operator.turn({ notFoundRate: 1 });
    await scene.note({ missingSince: '2026-01-01T00:00:00Z' });
    await until(scene, 'Provisioning');
    await scene.operator.turn({ notFoundRate: 0 });
    await until(scene, 'Provisioned');
    expect(scene.incarnations.size).toBe(1);
    expect((await condition(scene, 'Healthy'))?.reason).toBe('Healthy');
  });
});

describe('a cloud that fails, loses answers and does not show what is there', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'makes one server of one, rebuilds it once and leaves nothing behind (seed %i)',
    async (seed) => {
      const knobs = { build_ms: 3_000, delete_ms: 1_000, errorRate: 0.3, lostResponseRate: 0.3, notFoundRate: 0.3 };
      const scene = await provisioned({ seed, knobs });
      await scene.change({ image: { id: debian } });
      await until(scene, 'Provisioned', 3_600_000);
      expect({ accepted: scene.accepted, incarnations: scene.incarnations.size }).toEqual({
        accepted: [debian],
        incarnations: 1,
      });
      await scene.store.delete(Server, scene.id);
      await until(scene, 'gone', 3_600_000);
      await scene.operator.turn({ errorRate: 0, lostResponseRate: 0, notFoundRate: 0 });
      expect(await scene.cloud.servers.list(scene.identity)).toEqual([]);
    },
  );

  it('does not change the shown state of a running server, however long it is unavailable', async () => {
    const scene = await provisioned();
    await scene.operator.turn({ service: 'down' });
    const before = await scene.server();
    await scene.world.advance(3_600_000);
    expect(await scene.server()).toEqual(before);
  });

  it('delays the controller while it is unavailable', async () => {
    const scene = await started({ knobs: { service: 'down' } });
    await until(scene, 'Provisioning');
    await scene.operator.turn({ service: 'up' });
    await until(scene, 'Provisioned');
  });
});

describe('the deletion of a server', () => {
  const states: readonly [string, StageOptions, (scene: Stage) => Promise<unknown>][] = [
    ['that was never realised', { network: 'pending' }, (scene) => until(scene, 'DependencyNotReady')],
    ['that is being built', { knobs: { build_ms: 60_000 } }, (scene) => until(scene, 'Provisioning')],
    ['that could not be created', { knobs: { buildFailureRate: 1 } }, (scene) => until(scene, 'Errored')],
    [
      'that is created again',
      { knobs: { buildFailureRate: 1, delete_ms: 60_000 } },
      (scene) => scene.world.until(async () => (await scene.server())?.status?.providerCreateRetrying ?? false),
    ],
    ['that runs', {}, (scene) => until(scene, 'Provisioned')],
    [
      'that is being rebuilt',
      { knobs: { build_ms: 60_000 } },
      async (scene) => {
        await until(scene, 'Provisioned');
        await scene.change({ image: { id: debian } });
        await scene.world.advance(5_000);
      },
    ],
    [
      'that its provider lost',
      {},
      async (scene) => {
        await until(scene, 'Provisioned');
        await scene.operator.drift(scene.identity.id, scene.id, 'deleted');
        await scene.note({ missingSince: '2026-01-01T00:00:00Z' });
      },
    ],
    [
      'whose provider is away for a while',
      {},
      async (scene) => {
        await until(scene, 'Provisioned');
        await scene.operator.turn({ service: 'down' });
        scene.world.after(30_000, () => void scene.operator.turn({ service: 'up' }));
      },
    ],
    [
      'that is paused',
      {},
      async (scene) => {
        await until(scene, 'Provisioned');
        await scene.change({ pause: true });
      },
    ],
  ];

  it.each(states)('%s leaves nothing behind', async (_name, options, prepare) => {
    const scene = await started(options);
    await prepare(scene);
    await scene.store.delete(Server, scene.id);
    await until(scene, 'gone');
    expect(await scene.cloud.servers.list(scene.identity)).toEqual([]);
  });
});
