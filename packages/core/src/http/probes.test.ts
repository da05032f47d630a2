import { describe, expect, it } from 'vitest';

import { openMemoryStore } from '../store/sqlite/index.ts';
import { Problem } from '../errors/index.ts';
import { interpose, silentTelemetry, virtualWorld } from '../testing/index.ts';
import { runCrew } from '../controller/crew.ts';
import { WorkQueue } from '../controller/queue.ts';
import { controllerRoutes, createServer, sagaRoutes, type ReadinessChecks } from './index.ts';
import type { UnfinishedSaga } from '../saga/index.ts';
import { openBench, TestAuthenticator } from './things.fixture.ts';

async function serverWith(checks: ReadinessChecks) {
  const world = virtualWorld();
  const service = {
    name: 'things',
    version: '1',
    routes: [],
    authenticator: new TestAuthenticator(),
    authorizationServer: 'https://i',
    checks,
  };
  return {
    world,
    app: await createServer({
      world,
      store: openMemoryStore({ world, kinds: [] }),
      telemetry: silentTelemetry(),
      services: [service],
    }),
  };
}

it('the root answers for all services of a server', async () => {
  const world = virtualWorld();
  const service = (name: string, isReady: boolean) => ({
    name,
    version: '1',
    base: `/${name}` as const,
    routes: [],
    authenticator: new TestAuthenticator(),
    authorizationServer: 'https://i',
    checks: { cloud: () => Promise.resolve(isReady) },
  });
  const app = await createServer({
    world,
    store: openMemoryStore({ world, kinds: [] }),
    telemetry: silentTelemetry(),
    services: [service('things', true), service('others', false)],
  });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  expect((await app.inject('/metrics')).statusCode).toBe(200);
  expect((await app.inject('/things/readyz')).statusCode).toBe(200);
  const ready = await app.inject('/readyz');
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not ready', notReady: ['others/cloud'] }]);
  await app.close();
});

describe('readiness', () => {
  it('names the parts that are not ready, and nothing else', async () => {
    const { app } = await serverWith({
      store: () => Promise.resolve(true),
      identity: () => Promise.resolve(false),
      disk: () => Promise.reject(new Error('secret path')),
    });
    const response = await app.inject('/readyz');
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { status: 'not ready', notReady: ['identity', 'disk'] },
    ]);
    await app.close();
  });

  it('depends on whether the store can be written, and gives the reason if not', async () => {
    const world = virtualWorld();
    const full = new Problem('storage_full', 'there is no room left');
    const store = {
      ...interpose(openMemoryStore({ world, kinds: [] }), (_call, happen) => happen()),
      probe: () => Promise.reject(full),
    };
    const service = {
      name: 'things',
      version: '1',
      routes: [],
      authenticator: new TestAuthenticator(),
      authorizationServer: 'https://i',
    };
    const app = await createServer({ world, store, telemetry: silentTelemetry(), services: [service] });
    const response = await app.inject('/readyz');
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { status: 'not ready', notReady: ['store'], reasons: { store: 'there is no room left' } },
    ]);
    await app.close();
  });

  it('does not wait for a check that never answers', async () => {
    const { app, world } = await serverWith({ stuck: () => new Promise(() => undefined) });
    const pending = app.inject('/readyz');
    await world.advance(5_000);
    expect((await pending).json()).toEqual({ status: 'not ready', notReady: ['stuck'] });
    await app.close();
  });
});

describe('controllers', () => {
  it('are shown with their work to callers with a global right', async () => {
    await using bench = await openBench({ routes: controllerRoutes() });
    bench.authenticator.grants.set('operator', { acl: { global: [{ name: 'core:sagas', operations: ['read'] }] } });
    const stop = new AbortController();
    const queue = new WorkQueue(bench.world);
    queue.add('a', { priority: 'change', cause: 'test', after_ms: 600_000 });
    const crew = {
      name: 'things',
      concurrency: 0,
      handle: () => Promise.resolve('done'),
      retrying: () => 2,
      parked: () => 1,
    };
    const running = runCrew(queue, crew, bench, stop.signal);
    expect((await bench.call('GET', '/api/v1/controllers', { as: 'operator' })).json()).toMatchObject({
      controllers: [{ name: 'things', retrying: 2, parked: 1, delayed: 1 }],
    });
    expect((await bench.call('GET', '/api/v1/controllers', { as: 'admin' })).statusCode).toBe(403);
    stop.abort();
    await bench.world.advance(20_000);
    await running;
    expect((await bench.call('GET', '/api/v1/controllers', { as: 'operator' })).json()).toMatchObject({
      controllers: [],
    });
  });
});

describe('unfinished sagas', () => {
  const saga: UnfinishedSaga = {
    id: 's1',
    name: 'create',
    state: 'stuck',
    step: 'charge',
    startedTime: '2026-01-01T00:00:00Z',
    attempts: 5,
    holder: 'x',
    steps: [{ name: 'charge', state: 'undoing' }],
  };

  it('are shown to callers with a global right', async () => {
    await using bench = await openBench({ routes: sagaRoutes(() => Promise.resolve([saga])) });
    bench.authenticator.grants.set('operator', { acl: { global: [{ name: 'core:sagas', operations: ['read'] }] } });
    expect((await bench.call('GET', '/api/v1/sagas', { as: 'operator' })).json()).toEqual([saga]);
    expect((await bench.call('GET', '/api/v1/sagas', { as: 'admin' })).statusCode).toBe(403);
  });
});
