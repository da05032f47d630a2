import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { actionsRoute } from './actions.ts';
import { itemRoute } from './item.ts';
import type { Route } from './route.ts';
import { openBench, Thing, thingId, thingItem, thingRoutes, type Bench } from './things.fixture.ts';

const params = Type.Object({ thingID: Type.String({ format: 'uuid' }) });
const common = { tags: ['Things'], security: 'bearer', params, item: thingItem } as const;
const path = '/api/v2/things/{thingID}';

/** Red things cannot be stopped. For blue ones, only the handler refuses. */
const acting: readonly Route[] = [
  itemRoute({
    ...common,
    method: 'POST',
    path: `${path}/stop`,
    operationId: 'stopThing',
    summary: 'Stop a thing',
    responses: { 202: null },
    verb: 'update',
    actions: ['stop', 'halt'],
    check: ({ spec }) => {
      if (spec.colour === 'red') throw new Problem('invalid_request', 'the thing is red: paint it first');
    },
    handler: (_request, { spec }) => {
      if (spec.colour === 'blue') throw new Problem('conflict', 'the thing is blue');
      return { status: 202 };
    },
  }),
  itemRoute({
    ...common,
    method: 'PUT',
    path: `${path}/paint`,
    operationId: 'paintThing',
    summary: 'Paint a thing',
    responses: { 202: null },
    verb: 'update',
    actions: ['paint'],
    handler: () => ({ status: 202 }),
  }),
];

const routes: readonly Route[] = [
  ...thingRoutes,
  ...acting,
  actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listThingActions',
    words: 'a thing',
    routes: [...thingRoutes, ...acting],
    foresee: ({ spec }) => (spec.colour === 'blue' ? { stop: { reason: 'the thing is blue', fulfilled: true } } : {}),
  }),
];

async function bench(): Promise<Bench> {
  return openBench({ routes });
}

async function actionsOf(stage: Bench, id: string, as?: string): Promise<unknown> {
  return (await stage.call('GET', `/api/v2/things/${id}/actions`, as === undefined ? {} : { as })).json();
}

describe('the actions of an object', () => {
  it('are those that its operations declare, with the reason of the same check that refuses the request', async () => {
    await using stage = await bench();
    await stage.makeThing(thingId(1));
    const reason = 'the thing is red: paint it first';
    expect(await actionsOf(stage, thingId(1))).toEqual([
      { action: 'stop', allowed: false, reason },
      { action: 'halt', allowed: false, reason },
      { action: 'paint', allowed: true },
    ]);
    const refused = await stage.call('POST', `/api/v2/things/${thingId(1)}/stop`);
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { error_description: reason }]);
  });

  it('include refusals of the handler that can be foreseen', async () => {
    await using stage = await bench();
    await stage.makeThing(thingId(1), { colour: 'blue' });
    expect(await actionsOf(stage, thingId(1))).toMatchObject([
      { action: 'stop', allowed: false, reason: 'the thing is blue', fulfilled: true },
      { action: 'halt', allowed: true },
      { action: 'paint', allowed: true },
    ]);
  });

  it('depend on the roles of the caller, and are not shown to callers who may not read the object', async () => {
    await using stage = await bench();
    await stage.makeThing(thingId(1));
    expect(await actionsOf(stage, thingId(1), 'reader')).toMatchObject([
      { action: 'stop', allowed: false, reason: 'your roles do not allow update on this resource' },
      { action: 'halt', allowed: false },
      { action: 'paint', allowed: false },
    ]);
    expect((await stage.call('GET', `/api/v2/things/${thingId(1)}/actions`, { as: 'bystander' })).statusCode).toBe(403);
    expect((await stage.call('GET', `/api/v2/things/${thingId(1)}/actions`, { as: 'stranger' })).statusCode).toBe(404);
  });

  it('do not include a change of an object that is being deleted', async () => {
    await using stage = await bench();
    const { metadata } = await stage.makeThing(thingId(1));
    await stage.store.update(Thing, {
      metadata: { ...metadata, finalizers: ['test'] },
      spec: { colour: 'red' },
    });
    await stage.call('DELETE', `/api/v2/things/${thingId(1)}`);
    const { error_description: reason } = (await stage.call('PUT', `/api/v2/things/${thingId(1)}/paint`)).json<{
      readonly error_description: string;
    }>();
    expect(await actionsOf(stage, thingId(1))).toContainEqual({ action: 'paint', allowed: false, reason });
  });
});
