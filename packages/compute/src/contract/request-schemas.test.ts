import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { standardRoutes, type Route } from '@unikorn/core/http';
import { fieldLimits } from '@unikorn/core/limits';
import { annotations } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { keptUnknowns, unboundedPlaces } from '@unikorn/core/testing';
import { SecurityGroup } from '@unikorn/region/kinds';

import { seen } from '../handlers/instances/instances.fixture.ts';
import { startCompute, type RunningCompute } from '../testing/index.ts';

let running: RunningCompute;
let routes: readonly Route[];

beforeAll(async () => {
  running = await startCompute();
  routes = [running.identity, running.region, running.compute].flatMap(({ service }) => [
    ...standardRoutes(service),
    ...service.routes,
  ]);
});
afterAll(() => running.stop());

describe('every operation of every service', () => {
  it('has at least one request', () => {
    expect(routes.filter(({ body }) => body).length).toBeGreaterThan(20);
  });

  it('drops or refuses unknown fields at every depth', () => {
    expect(routes.flatMap(keptUnknowns)).toEqual([]);
  });

  it('has a limit for everything that a caller can make larger', () => {
    expect(routes.flatMap(unboundedPlaces)).toEqual([]);
  });
});

describe('a value over its limit', () => {
  const groups = '/region/api/v2/securitygroups';
  const write = (metadata: object) =>
    running.request('POST', groups, {
      body: { metadata: { name: 'web', ...metadata }, spec: { networkId: running.networkId, rules: [] } },
    });
  const text = (length: number) => 'x'.repeat(length);
  const tags = (count: number, name = 1, value = 1) => ({
    tags: Array.from({ length: count }, (_, index) => ({ name: `${text(name)}${index}`, value: text(value) })),
  });

  it.each([
    [
      'body.metadata.description: must have at most 4096 characters',
      { description: text(fieldLimits.description + 1) },
    ],
    ['body.metadata.tags: must have at most 64 items', tags(fieldLimits.tags + 1)],
    ['body.metadata.tags.0.name: must have at most 255 characters', tags(1, fieldLimits.tagName)],
    ['body.metadata.tags.0.value: must have at most 512 characters', tags(1, 1, fieldLimits.tagValue + 1)],
  ])('is refused: %s', async (message, metadata) => {
    expect(await write(metadata)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: message },
    });
  });

  it('is refused in a query, too', async () => {
    const many = Array.from({ length: fieldLimits.filterValues + 1 }, () => `networkID=${running.networkId}`).join('&');
    expect(await running.request('GET', `${groups}?${many}`)).toMatchObject({
      status: 400,
      body: { error_description: 'query.networkID: must have at most 100 items' },
    });
  });

  it('stays readable, and can be shortened and deleted, if it was stored before there was a limit', async () => {
    const { id } = seen(await write({ description: 'short' })).metadata;
    const description = text(2 * fieldLimits.description);
    await modify(running.store, SecurityGroup, id, ({ metadata, spec }) => ({
      metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.description]: description } },
      spec,
    }));
    expect(seen(await running.request('GET', `${groups}/${id}`)).metadata).toMatchObject({ description });
    expect(
      (
        await running.request('PUT', `${groups}/${id}`, {
          body: { metadata: { name: 'web', description: 'shorter' }, spec: { rules: [] } },
        })
      ).status,
    ).toBe(202);
    expect((await running.request('DELETE', `${groups}/${id}`)).status).toBe(202);
  });
});
