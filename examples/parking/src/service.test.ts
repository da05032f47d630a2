import { afterEach, describe, expect, it } from 'vitest';

import { Lot, Permit } from './kinds/index.ts';
import { startParking } from './parking.fixture.ts';

const cleanups: (() => Promise<void>)[] = [];

async function parking() {
  const started = await startParking();
  cleanups.push(() => started.stop());
  return started;
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

describe('parking', () => {
  it('a permit charges a space, opens the gate and says so', async () => {
    const { world, gate, call, createLot, park } = await parking();
    const lotId = await createLot(2);
    const created = await park(lotId, 'UNI-1');
    expect(created).toMatchObject({
      status: 201,
      body: { metadata: { createdBy: 'tester@example.com' }, status: { space: 1 } },
    });
    const id = created.body?.metadata?.id ?? '';
    await world.until(
      async () => (await call('GET', `/permits/${id}`)).body?.metadata?.provisioningStatus === 'provisioned',
    );
    expect(gate.plates).toEqual(['UNI-1']);
    expect(await call('GET', `/lots/${lotId}`)).toMatchObject({ body: { status: { free: 1 } } });
  });

  it('a full lot and a plate that is there already are refused and charge nothing', async () => {
    const { call, createLot, park, store } = await parking();
    const lotId = await createLot(1);
    await park(lotId, 'UNI-1');
    expect(await park(lotId, 'UNI-2')).toMatchObject({
      status: 403,
      body: { error: 'forbidden', error_description: expect.stringContaining('no free space') as string },
    });
    expect(await park(lotId, 'UNI-1')).toMatchObject({ status: 409, body: { error: 'conflict' } });
    expect(await call('GET', `/lots/${lotId}`)).toMatchObject({ body: { status: { free: 0 } } });
    expect((await store.list(Permit)).items).toHaveLength(1);
  });

  it('racing creates never take more spaces than there are', async () => {
    const { createLot, park, store } = await parking();
    const lotId = await createLot(3);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, number) => park(lotId, `UNI-${number}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect((await store.get(Lot, lotId))?.status?.occupants).toHaveLength(3);
  });

  it('a deleted permit gives its space back after the gate has forgotten the car', async () => {
    const { world, gate, call, createLot, park, store } = await parking();
    const lotId = await createLot(1);
    const { body } = await park(lotId, 'UNI-1');
    const id = body?.metadata?.id ?? '';
    await world.until(async () => (await store.get(Permit, id))?.status?.admittedAt !== undefined);
    expect((await call('DELETE', `/lots/${lotId}`)).status).toBe(403);
    expect((await call('DELETE', `/permits/${id}`)).status).toBe(202);
    await world.until(async () => (await call('GET', `/permits/${id}`)).status === 404);
    expect(gate.plates).toEqual([]);
    expect(await call('GET', `/lots/${lotId}`)).toMatchObject({ body: { status: { free: 1 } } });
    expect((await call('DELETE', `/lots/${lotId}`)).status).toBe(202);
  });

  it('another organization sees and reaches nothing', async () => {
    const { call, createLot, park } = await parking();
    const lotId = await createLot(1);
    const { body } = await park(lotId, 'UNI-1');
    const id = body?.metadata?.id ?? '';
    expect(await call('GET', '/permits', undefined, 'rival')).toEqual({ status: 200, body: [] });
    expect((await call('GET', `/permits/${id}`, undefined, 'rival')).status).toBe(404);
    expect((await park(lotId, 'UNI-2', 'rival')).status).toBe(404);
  });

  it('a plate that no car has is refused with the field named', async () => {
    const { createLot, park } = await parking();
    expect(await park(await createLot(1), 'no plate')).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('plate') as string },
    });
  });
});
