import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { Problem } from '../../errors/index.ts';
import type { Route } from '../../http/index.ts';
import { openBench, TestAuthenticator, thingId, thingRoutes, validThing } from '../../http/things.fixture.ts';
import type { ApiOperation } from './operations.ts';
import { replays } from './replay.ts';
import { servedApi } from './served.ts';
import { inProcess, type ContractStage } from './stage.ts';

function changed(operationId: string, change: (route: Route) => Partial<Route>): readonly Route[] {
  return thingRoutes.map((route) => (route.operationId === operationId ? { ...route, ...change(route) } : route));
}

/** The findings of the matching checks for one operation of a service with these routes. */
async function findings(promise: RegExp, operation: string, routes: readonly Route[]): Promise<readonly string[]> {
  await using bench = await openBench({ routes, contract: 'reported' });
  await bench.makeThing(thingId(1));
  const service = {
    name: 'things',
    version: '1',
    authenticator: new TestAuthenticator(),
    authorizationServer: 'https://identity.example.com',
  };
  const stage: ContractStage = {
    ...inProcess({ ...service, routes }, bench.app, () => validThing),
    callers: { everything: { authorization: 'Bearer admin' }, nothing: { authorization: 'Bearer bystander' } },
    variable: (_name, existence) => thingId(existence === 'present' ? 1 : 9),
  };
  const { published } = await servedApi({ ...service, routes: thingRoutes });
  const contract = published.filter(({ name }: ApiOperation) => name === operation);
  if (contract.length !== 1) throw new Error(`things do not have ${operation}`);
  const ours = new Map((await stage.served()).declared.map((declared) => [declared.name, declared]));
  const checks = Object.entries(replays).filter(([name]) => promise.test(name));
  const found: string[] = [];
  for (const one of contract)
    for (const [, replay] of checks) found.push(...(await replay(stage, one, ours.get(one.name) ?? one)));
  return found;
}

const item = '/api/v2/things/{thingID}';
const operations = ['POST /api/v2/things', `GET ${item}`, `PUT ${item}`, `POST ${item}/start`, `DELETE ${item}`];

describe('a replay', () => {
  it.each(operations)('finds nothing wrong with %s as it should be', async (operation) => {
    expect(await findings(/./, operation, thingRoutes)).toEqual([]);
  });

  it('finds an identifier that is not checked', async () => {
    const lax = changed('getThing', ({ params }) => ({
      params: JSON.parse(JSON.stringify(params).replace('"format":"uuid"', '"format":"uri-reference"')) as NonNullable<
        typeof params
      >,
    }));
    expect(await findings(/^an invalid identifier/, `GET ${item}`, lax)).toEqual([
      expect.stringContaining('401'),
      expect.stringContaining('invalid path/query element'),
    ]);
  });

  it('finds an operation without authentication', async () => {
    expect(
      await findings(
        /^without a token/,
        `GET ${item}`,
        changed('getThing', () => ({ security: 'anonymous' })),
      ),
    ).not.toEqual([]);
  });

  it('finds a body that is not checked before rights', async () => {
    const late = changed('createThing', () => ({
      body: Type.Any(),
      handler: () => Promise.reject(new Problem('forbidden', 'no')),
    }));
    expect(await findings(/^a malformed/, 'POST /api/v2/things', late)).toEqual([
      expect.stringContaining('was answered with 403'),
      expect.stringContaining('was answered with 403'),
    ]);
  });

  it('finds rights that are not checked', async () => {
    const open = changed('startThing', () => ({ handler: () => ({ status: 202 }) }));
    expect(await findings(/^without the right/, `POST ${item}/start`, open)).toEqual([
      expect.stringContaining('was answered with 202'),
    ]);
    expect(await findings(/^an object that does not exist/, `POST ${item}/start`, open)).toEqual([
      expect.stringContaining('was answered with 202'),
    ]);
  });

  it('finds rights that are checked before the object', async () => {
    const early = changed('startThing', () => ({ handler: () => Promise.reject(new Problem('forbidden', 'no')) }));
    expect(await findings(/^of two faults/, `POST ${item}/start`, early)).toEqual([
      expect.stringMatching(/^with something absent and no right was answered with 403/),
    ]);
  });

  it.each([
    ['another status', { status: 200 }, 'which the contract does not declare'],
    ['a body where there is none', { status: 202, body: {} }, 'has a body'],
  ])('finds an answer with %s', async (_name, reply, finding) => {
    expect(
      await findings(
        /^a valid/,
        `POST ${item}/start`,
        changed('startThing', () => ({ handler: () => reply })),
      ),
    ).toEqual([expect.stringContaining(finding)]);
  });

  it('finds a response that does not match its declaration, and a list that is empty and proves nothing', async () => {
    expect(
      await findings(
        /^a valid/,
        `GET ${item}`,
        changed('getThing', () => ({ handler: () => ({ status: 200, body: { metadata: {} } }) })),
      ),
    ).toContainEqual(expect.stringContaining('must have required property'));
    expect(
      await findings(
        /^a valid/,
        'GET /api/v2/things',
        changed('listThings', () => ({ handler: () => ({ status: 200, body: [] }) })),
      ),
    ).toEqual([expect.stringContaining('checks nothing')]);
  });

  it('finds a response that does not match the declaration of the service, although the contract accepts it', async () => {
    const stricter = changed('getThing', () => ({ responses: { 200: Type.Object({ mood: Type.String() }) } }));
    expect(await findings(/^a valid/, `GET ${item}`, stricter)).toEqual([
      expect.stringContaining("does not match the service's own declaration"),
    ]);
  });

  it('finds null instead of an absent property', async () => {
    const empty = changed('getThing', () => ({
      responses: { 200: Type.Any() },
      handler: () => ({ status: 200, body: { metadata: { description: null } } }),
    }));
    expect(await findings(/^a valid/, `GET ${item}`, empty)).toContainEqual(
      expect.stringContaining('has null for description'),
    );
  });

  it('finds a body that refuses unknown properties', async () => {
    const strict = changed('createThing', ({ body }) => ({ body: { ...body, additionalProperties: false } }));
    expect(await findings(/^a valid/, 'POST /api/v2/things', strict)).toEqual([
      expect.stringContaining('was answered with 400'),
    ]);
  });
});
