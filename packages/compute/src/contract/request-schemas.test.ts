import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { standardRoutes, type Route } from '@unikorn/core/http';
import { keptUnknowns, unboundedPlaces } from '@unikorn/core/testing';

import { startCompute, type RunningCompute } from '../testing/index.ts';

let running: RunningCompute;
let routes: readonly Route[];

beforeAll(async () => {
  running = await startCompute();
  routes = [running.identity, running.region, running.compute].flatMap(({ service }) => [...standardRoutes(service), ...service.routes]);
});
afterAll(() => running.stop());

describe('every operation of every service', () => {
  it('has requests at all', () => {
    expect(routes.filter(({ body }) => body).length).toBeGreaterThan(20);
  });

  it('drops or refuses a field that it does not know, however deep it is', () => {
    expect(routes.flatMap(keptUnknowns)).toEqual([]);
  });

  it('takes nothing that a caller could make as large as they like', () => {
    expect(routes.flatMap(unboundedPlaces)).toEqual([]);
  });
});
