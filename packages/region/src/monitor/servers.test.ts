import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { findCondition, labels } from '@unikorn/core/resource';

import { Server } from '../kinds/index.ts';
import {
  debianImage,
  period_ms,
  standardFlavor,
  startMonitor,
  ubuntuImage,
  type RunningMonitor,
} from './monitor.fixture.ts';

let monitor: RunningMonitor;
afterEach(() => monitor.stop());

const ran = { phase: 'Running', provisionedAt: '2026-01-01T00:00:00Z' } as const;

async function healthOf(id: string) {
  return findCondition((await monitor.status(id)).conditions, 'Healthy');
}

describe('an observation of the monitor', () => {
  it('is stored soon after the start: phase, health, addresses and the first launch', async () => {
    monitor = await startMonitor();
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.start();
    expect(await monitor.status(id)).toMatchObject({
      phase: 'Running',
      privateIP: expect.stringMatching(/^10\./) as string,
      provisionedAt: '2026-01-01T00:00:00Z',
    });
    expect(await healthOf(id)).toMatchObject({ status: 'True', reason: 'Healthy' });
  });

  it('is one write for each server in a pass, and none without changes', async () => {
    let writes = 0;
    monitor = await startMonitor({
      around: (call, happen) => {
        if (call.verb === 'updateStatus' && call.kind === Server) writes++;
        return happen();
      },
    });
    await monitor.openIdentity(3);
    await monitor.openIdentity(2);
    await monitor.start();
    expect(writes).toBe(5);
    await monitor.nextPass();
    expect(writes).toBe(5);
  });

  it('follows changes that are made directly in the cloud', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [stopped = '', failed = ''],
    } = await monitor.openIdentity(2);
    await monitor.start();
    await monitor.operator().drift(reference.id, stopped, 'stopped');
    await monitor.operator().drift(reference.id, failed, 'failed');
    await monitor.nextPass();
    expect(await monitor.status(stopped)).toMatchObject({ phase: 'Stopped' });
    expect(await healthOf(failed)).toMatchObject({
      status: 'False',
      reason: 'Errored',
      message: 'the host of the machine failed',
    });
  });

  it('is left out for a server that is being deleted', async () => {
    monitor = await startMonitor();
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.store.delete(Server, id);
    await monitor.start();
    expect(await monitor.status(id)).toEqual({});
  });

  it('does not overwrite a concurrent change, and is stored by the next pass', async () => {
    let racing = true;
    monitor = await startMonitor({
      around: async (call, happen) => {
        if (racing && call.verb === 'updateStatus' && call.kind === Server) {
          racing = false;
          const {
            items: [server],
          } = await monitor.store.list(Server);
          if (server)
            await monitor.store.updateStatus(Server, {
              metadata: server.metadata,
              status: { providerCreateFailures: 1 },
            });
        }
        return happen();
      },
    });
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.start();
    expect(await monitor.status(id)).toEqual({ providerCreateFailures: 1 });
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Running', providerCreateFailures: 1 });
  });

  it('is stored for the other servers if it cannot be stored for one', async () => {
    let failing = true;
    monitor = await startMonitor({
      around: (call, happen) => {
        if (!failing || call.verb !== 'updateStatus' || call.kind !== Server) return happen();
        failing = false;
        return Promise.reject(new Problem('storage_unavailable', 'the disk is gone'));
      },
    });
    const { ids } = await monitor.openIdentity(3);
    await monitor.start();
    const phases = async () => Promise.all(ids.map(async (id) => (await monitor.status(id)).phase));
    expect((await phases()).filter((phase) => phase === 'Running')).toHaveLength(2);
    await monitor.nextPass();
    expect(await phases()).toEqual(['Running', 'Running', 'Running']);
    expect(monitor.said('the status of a server could not be stored')).toHaveLength(1);
  });

  it('is stored for the other servers if the region of one is unknown', async () => {
    monitor = await startMonitor();
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.store.create(Server, {
      metadata: { name: monitor.world.uuid(), labels: { [labels.identity]: monitor.world.uuid() } },
      spec: { flavorID: standardFlavor, image: { id: ubuntuImage }, networks: [{ id: 'n' }] },
    });
    await monitor.start();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Running' });
  });

  it('is kept for the next leader: marks are stored', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(5, { status: { ...ran, missingSince: '2025-12-31T23:58:00Z' } });
    await monitor.operator().drift(reference.id, id, 'deleted');
    await monitor.start();
    expect(await monitor.status(id)).toMatchObject({
      missingSince: '2025-12-31T23:58:00Z',
      lostAt: '2026-01-01T00:00:00Z',
    });
  });

  it('continues a rebuild, and never takes it back', async () => {
    monitor = await startMonitor();
    await monitor.operator().turn({ build_ms: 90_000 });
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(1, {
      status: { ...ran, rebuild: { targetImageID: debianImage, state: 'Initiated' } },
    });
    await monitor.world.advance(90_000);
    await monitor.start();
    expect(await monitor.status(id)).toMatchObject({ rebuild: { state: 'Initiated' } });
    await monitor.provider().servers.rebuild(reference, { id, name: 'server-0' }, debianImage);
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Building', rebuild: { state: 'Rebuilding' } });
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Running', rebuild: { state: 'Succeeded' } });
    await monitor.provider().servers.rebuild(reference, { id, name: 'server-0' }, ubuntuImage);
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ rebuild: { state: 'Succeeded' } });
  });
});

describe('a server the provider does not show', () => {
  it('is marked at first, counts as lost only after two periods, and is found again when it appears', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(6, { status: ran });
    await monitor.start();
    await monitor.operator().drift(reference.id, id, 'deleted');
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ missingSince: '2026-01-01T00:01:00Z', phase: 'Running' });
    expect(await healthOf(id)).toMatchObject({ status: 'Unknown', message: 'the provider does not show the machine' });
    await monitor.nextPass();
    expect(await monitor.status(id)).not.toHaveProperty('lostAt');
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({
      missingSince: '2026-01-01T00:01:00Z',
      lostAt: '2026-01-01T00:03:00Z',
    });
    await monitor.provider().servers.ensure(reference, {
      id,
      name: 'server-0',
      flavorId: standardFlavor,
      imageId: ubuntuImage,
      networkId: (await monitor.store.get(Server, id))?.spec.networks[0]?.id ?? '',
      securityGroupIds: [],
      publicIP: 'unwanted',
      allowedAddressPairs: [],
      keyPair: 'none',
      metadata: {},
    });
    await monitor.nextPass();
    expect(await monitor.status(id)).not.toHaveProperty('missingSince');
    expect(await monitor.status(id)).not.toHaveProperty('lostAt');
  });

  it('is not missing if it never ran', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(1, { status: { phase: 'Building' } });
    await monitor.operator().drift(reference.id, id, 'deleted');
    await monitor.start();
    expect(await monitor.status(id)).toEqual({ phase: 'Building' });
  });

  it('does not count as missing if many disappear at once, and the brake is reported', async () => {
    monitor = await startMonitor();
    const { ids } = await monitor.openIdentity(10, { status: ran });
    await monitor.start();
    await monitor.operator().turn({ notFoundRate: 1 });
    await monitor.nextPass();
    await monitor.nextPass();
    for (const id of ids) {
      expect(await monitor.status(id)).not.toHaveProperty('missingSince');
      // No controller acts on it, but the health does not show that all is well.
      expect(await healthOf(id)).toMatchObject({
        status: 'Unknown',
        message: expect.stringContaining('does not show the machine') as string,
      });
    }
    expect(await monitor.metric('unikorn_region_monitor_brake')).toContain(`{region_id="${monitor.regionId}"} 1`);
    expect(await monitor.metric('unikorn_region_monitor_missing')).toContain('} 10');
    expect(
      monitor.said(
        'too many servers are missing at once, or calls failed: no server counts as missing until a pass is plausible again',
      ),
    ).toHaveLength(1);
    await monitor.operator().turn({ notFoundRate: 0 });
    await monitor.nextPass();
    for (const id of ids) expect(await healthOf(id)).toMatchObject({ status: 'True' });
    expect(await monitor.metric('unikorn_region_monitor_brake')).toContain('} 0');
    expect(monitor.said('the provider shows plausible data again')).toHaveLength(1);
  });

  it('loses its mark when the monitor doubts the answer of the cloud', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(10, { status: ran });
    await monitor.operator().drift(reference.id, id, 'deleted');
    await monitor.start();
    expect(await monitor.status(id)).toHaveProperty('missingSince');
    await monitor.operator().turn({ notFoundRate: 1 });
    await monitor.nextPass();
    expect(await monitor.status(id)).not.toHaveProperty('missingSince');
  });

  it('in one region does not brake another', async () => {
    monitor = await startMonitor();
    const other = await monitor.openRegion();
    await monitor.openIdentity(10, { status: ran });
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(10, { status: ran, in: other });
    await monitor.operator().turn({ notFoundRate: 1 });
    await monitor.operator(other).drift(reference.id, id, 'deleted');
    await monitor.start();
    expect(await monitor.status(id)).toHaveProperty('missingSince');
    const brake = await monitor.metric('unikorn_region_monitor_brake');
    expect(brake).toContain(`{region_id="${monitor.regionId}"} 1`);
    expect(brake).toContain(`{region_id="${other}"} 0`);
  });

  it('that was created during the request to the provider is not missing', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(1, { status: { phase: 'Building' } });
    await monitor.operator().drift(reference.id, id, 'deleted');
    await monitor.operator().turn({ call_ms: 1000 });
    await monitor.start();
    const server = await monitor.store.get(Server, id);
    if (server) await monitor.store.updateStatus(Server, { metadata: server.metadata, status: ran });
    await monitor.world.advance(2000);
    expect(await monitor.status(id)).toEqual(ran);
  });
});

describe('a provider that is unavailable', () => {
  it('does not change a phase, is reported once, and needs no help to recover', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(10, { status: ran });
    await monitor.start();
    await monitor.operator().turn({ service: 'down' });
    await monitor.nextPass();
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Running' });
    expect(await healthOf(id)).toMatchObject({
      status: 'Unknown',
      message: expect.stringContaining('does not answer') as string,
    });
    expect(await monitor.metric('unikorn_region_monitor_provider_away')).toContain('} 1');
    expect(monitor.said('the provider does not answer: servers keep their last known status')).toHaveLength(1);
    await monitor.operator().turn({ service: 'up' });
    await monitor.operator().drift(reference.id, id, 'stopped');
    await monitor.nextPass();
    expect(await monitor.status(id)).toMatchObject({ phase: 'Stopped' });
    expect(await monitor.metric('unikorn_region_monitor_provider_away')).toContain('} 0');
    expect(monitor.said('the provider answers again')).toHaveLength(1);
  });

  it('is not asked again in the same pass, so that other regions do not wait for it', async () => {
    monitor = await startMonitor();
    const other = await monitor.openRegion();
    for (let count = 0; count < 16; count++) await monitor.openIdentity(1);
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1, { in: other });
    await monitor.operator().turn({ service: 'down', call_ms: 10_000 });
    await monitor.start();
    await monitor.world.advance(30_000);
    expect(await monitor.status(id)).toMatchObject({ phase: 'Running' });
    expect(await monitor.metric('unikorn_region_monitor_failures_total')).toMatch(
      new RegExp(`"${monitor.regionId}"} [1-4]$`, 'm'),
    );
  });

  it('that fails once is asked again before its answers are doubted', async () => {
    monitor = await startMonitor();
    await monitor.openIdentity(1);
    await monitor.operator().turn({ errorRate: 0.3 });
    await monitor.start();
    for (let pass = 1; pass < 50; pass++) await monitor.nextPass();
    const [, failures] = /} (\d+)$/m.exec(await monitor.metric('unikorn_region_monitor_failures_total')) ?? [];
    // One call in three fails. Two calls in a row fail in one of eleven passes.
    expect(Number(failures)).toBeLessThan(9);
  });
});

describe('the report of the monitor', () => {
  it('counts servers by phase and flavor, by name', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(3);
    await monitor.operator().drift(reference.id, id, 'stopped');
    await monitor.start();
    const states = await monitor.metric('unikorn_region_server_state');
    expect(states).toContain(
      `{region_id="${monitor.regionId}",region_name="sim",state="running",flavor_id="${standardFlavor}",flavor_name="sim-standard-4"} 2`,
    );
    expect(states).toMatch(/state="stopped".* 1/);
    expect(await monitor.metric('unikorn_region_info')).toContain(
      `{region_id="${monitor.regionId}",region_name="sim",type="simulated"} 1`,
    );
  });

  it('has once how long it took until a server was scheduled and first ran', async () => {
    monitor = await startMonitor();
    await monitor.operator().turn({ build_ms: 40_000 });
    await monitor.openIdentity(1);
    await monitor.start();
    for (let pass = 0; pass < 3; pass++) await monitor.nextPass();
    expect(await monitor.metric('unikorn_region_server_provision_duration_seconds')).toMatch(
      /_sum\{.*} 40\n.*_count\{.*} 1/,
    );
    expect(await monitor.metric('unikorn_region_server_scheduling_duration_seconds')).toMatch(
      /_sum\{.*} 0\n.*_count\{.*} 1/,
    );
  });

  it('logs changes of phase and health with the field names of the audit log', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.start();
    await monitor.operator().drift(reference.id, id, 'stopped');
    await monitor.nextPass();
    const subject = {
      resource: { type: 'Server', id },
      scope: { organization: reference.organizationId, project: reference.projectId },
    };
    expect(monitor.said('phase')).toMatchObject([
      { ...subject, phase: { to: 'Running' } },
      { ...subject, phase: { from: 'Running', to: 'Stopped' } },
    ]);
    expect(monitor.said('health')).toMatchObject([
      { ...subject, health: { status: 'True' } },
      { ...subject, health: { status: 'False', reason: 'Degraded' } },
    ]);
  });

  it('counts and names an unknown server once, and does not touch it', async () => {
    monitor = await startMonitor();
    const {
      reference,
      ids: [orphan = ''],
    } = await monitor.openIdentity(2);
    const server = await monitor.store.delete(Server, orphan);
    if (server) await monitor.store.update(Server, { ...server, metadata: { ...server.metadata, finalizers: [] } });
    await monitor.start();
    await monitor.nextPass();
    expect(await monitor.metric('unikorn_region_monitor_orphans')).toContain('} 1');
    expect(monitor.said('the provider has a server that is not in the store: it is left unchanged')).toMatchObject([
      { server: orphan },
    ]);
    expect((await monitor.provider().servers.list(reference)).map(({ id }) => id)).toContain(orphan);
  });

  it('is stopped without waiting for a provider that does not answer, and then writes no more', async () => {
    monitor = await startMonitor();
    const {
      ids: [id = ''],
    } = await monitor.openIdentity(1);
    await monitor.operator().turn({ call_ms: 1000 });
    await monitor.start();
    await monitor.halt();
    await monitor.world.advance(5000);
    expect(await monitor.status(id)).toEqual({});
  });

  it('looks again a period after it began, however long a pass took', async () => {
    monitor = await startMonitor();
    await monitor.openIdentity(1);
    await monitor.operator().turn({ call_ms: 10_000 });
    await monitor.start();
    await monitor.world.advance(3 * period_ms);
    expect(await monitor.metric('unikorn_region_monitor_pass_seconds')).toMatch(/_count 3/);
  });
});
