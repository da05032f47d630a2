import { describe, expect, it } from 'vitest';
import { Type } from 'typebox';

import { allowsOrganization } from '../access/index.ts';
import { Problem } from '../errors/index.ts';
import { labels, newMetadata } from '../resource/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, virtualWorld } from '../testing/index.ts';
import { IdempotencyRecord, itemRoute, readItemRoute } from './index.ts';
import {
  openBench,
  presentThing,
  Thing,
  thingId,
  thingItem,
  ThingRead,
  validThing,
  type Bench,
} from './things.fixture.ts';

const url = `/api/v2/things/${thingId(1)}`;

describe('reading one object', () => {
  it('returns its version, and 304 to callers that have it', async () => {
    await using bench = await openBench();
    const { metadata } = await bench.makeThing(thingId(1));
    const read = await bench.call('GET', url);
    expect(read.headers.etag).toBe(`"${metadata.resourceVersion}"`);
    const again = await bench.call('GET', url, { headers: { 'if-none-match': `"0", ${String(read.headers.etag)}` } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', read.headers.etag]);
    await bench.call('PUT', url, { body: { ...validThing, spec: { colour: 'blue' } } });
    expect((await bench.call('GET', url, { headers: { 'if-none-match': String(read.headers.etag) } })).statusCode).toBe(
      200,
    );
  });
});

describe('changing one object', () => {
  it('is refused with 412 when it is no longer at the version that If-Match names', async () => {
    await using bench = await openBench();
    await bench.makeThing(thingId(1));
    const etag = String((await bench.call('GET', url)).headers.etag);
    const change = (colour: string, ifMatch: string) =>
      bench.call('PUT', url, { body: { ...validThing, spec: { colour } }, headers: { 'if-match': ifMatch } });
    expect((await change('blue', etag)).statusCode).toBe(202);
    const stale = await change('red', etag);
    expect([stale.statusCode, stale.json<{ error: string }>().error]).toEqual([412, 'conflict']);
    expect((await bench.call('DELETE', url, { headers: { 'if-match': etag } })).statusCode).toBe(412);
    expect((await change('red', '*')).statusCode).toBe(202);
  });

  it.each([
    ['with If-Match is refused with 412', true, true, 412],
    ['without it is refused with 409', true, false, 409],
    ['does not turn the own conflict of a handler into another', false, true, 409],
  ])('that loses a race %s', async (_name, raced, conditional, status) => {
    const routes = [
      itemRoute({
        method: 'PUT',
        path: '/api/v2/things/{thingID}',
        operationId: 'raceThing',
        summary: 'Change a thing that somebody else changes at the same time',
        tags: ['Things'],
        security: 'bearer',
        params: Type.Object({ thingID: Type.String() }),
        responses: { 202: null },
        item: { kind: Thing, param: 'thingID', access: { order: 'load first', allows: () => true } },
        verb: 'update',
        handler: async ({ runtime: { store } }, { metadata }) => {
          if (!raced) throw new Problem('conflict', 'the name is taken');
          await store.update(Thing, { metadata, spec: { colour: 'blue' } });
          await store.update(Thing, { metadata, spec: { colour: 'private' } });
          return { status: 202 };
        },
      }),
    ];
    await using bench = await openBench({ routes });
    const { metadata } = await bench.makeThing(thingId(1));
    const response = await bench.call('PUT', url, {
      headers: conditional ? { 'if-match': `"${metadata.resourceVersion}"` } : {},
    });
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([status, 'conflict']);
    expect((await bench.store.get(Thing, thingId(1)))?.spec.colour).toBe(raced ? 'blue' : 'red');
  });
});

describe('changing an object that its controller is busy with', () => {
  /** A change during which the controller writes the status a number of times. */
  async function changed(notes: number, decide?: (bench: Bench) => Promise<unknown>) {
    let left = notes;
    const routes = [
      itemRoute({
        method: 'PUT',
        path: '/api/v2/things/{thingID}',
        operationId: 'noteThing',
        summary: 'Change a thing that somebody takes notes of',
        tags: ['Things'],
        security: 'bearer',
        params: Type.Object({ thingID: Type.String() }),
        responses: { 202: null },
        item: { kind: Thing, param: 'thingID', access: { order: 'load first', allows: () => true } },
        verb: 'update',
        handler: async ({ runtime: { store } }, { metadata }) => {
          if (left-- > 0) await store.updateStatus(Thing, { metadata, status: { observedGeneration: left } });
          await decide?.(bench);
          await store.update(Thing, { metadata, spec: { colour: 'blue' } });
          return { status: 202 };
        },
      }),
    ];
    await using bench = await openBench({ routes });
    await bench.makeThing(thingId(1));
    const { statusCode } = await bench.call('PUT', url);
    return { statusCode, colour: (await bench.store.get(Thing, thingId(1)))?.spec.colour };
  }

  it('succeeds, because a status write is not a decision', async () => {
    expect(await changed(3)).toEqual({ statusCode: 202, colour: 'blue' });
  });

  it('fails after too many status writes', async () => {
    expect(await changed(1000)).toEqual({ statusCode: 409, colour: 'red' });
  });

  it('is refused if another change happened in between', async () => {
    const decide = async ({ store }: Bench) => {
      const thing = await store.get(Thing, thingId(1));
      if (thing && thing.spec.colour === 'red') await store.update(Thing, { ...thing, spec: { colour: 'private' } });
    };
    expect(await changed(0, decide)).toEqual({ statusCode: 409, colour: 'private' });
  });
});

describe('changing an object that is being deleted', () => {
  async function makeGoing({ store }: Bench): Promise<void> {
    const metadata = newMetadata(
      thingId(1),
      { name: 'going' },
      { organizationId: 'o1', projectId: 'p1' },
      { subject: 'test' },
    );
    await store.create(Thing, {
      metadata: { ...metadata, finalizers: ['test.unikorn-cloud.org/hold'] },
      spec: { colour: 'red' },
    });
    await store.delete(Thing, thingId(1));
  }

  it('is refused, after rights and before anything else, and changes nothing', async () => {
    await using bench = await openBench();
    await makeGoing(bench);
    const change = (as: string, headers = {}) =>
      bench.call('PUT', url, { as, headers, body: { ...validThing, spec: { colour: 'blue' } } });
    for (const headers of [{}, { 'if-match': '"0"' }]) {
      const refused = await change('member', headers);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        400,
        { error: 'invalid_request', error_description: `thing ${thingId(1)} is being deleted` },
      ]);
    }
    expect((await change('reader')).statusCode).toBe(403);
    expect((await bench.store.get(Thing, thingId(1)))?.spec.colour).toBe('red');
  });

  it('does not prevent another deletion or an action', async () => {
    await using bench = await openBench();
    await makeGoing(bench);
    expect((await bench.call('DELETE', url)).statusCode).toBe(202);
    expect((await bench.call('POST', `${url}/start`)).statusCode).toBe(202);
  });

  it('is 422 for a kind that declares it', async () => {
    const item = { ...thingItem, whileDeleted: 'unprocessable_content' } as const;
    const routes = [
      itemRoute({
        method: 'PUT',
        path: '/api/v2/things/{thingID}',
        operationId: 'putThing',
        summary: 'Change a thing',
        tags: ['Things'],
        security: 'bearer',
        params: Type.Object({ thingID: Type.String() }),
        responses: { 202: null },
        item,
        verb: 'update',
        handler: () => ({ status: 202 }),
      }),
    ];
    await using bench = await openBench({ routes });
    await makeGoing(bench);
    expect((await bench.call('PUT', url)).statusCode).toBe(422);
  });
});

describe('two deletions of an object at the same time', () => {
  /** A deletion that another one overtakes: the object is then marked, or already gone. */
  async function overtaken(finalizers: readonly string[]) {
    const world = virtualWorld();
    let isOvertaken = false;
    const store = interpose(openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] }), async (call, happen) => {
      if (call.verb === 'delete' && !isOvertaken) {
        isOvertaken = true;
        await store.delete(Thing, thingId(1));
      }
      return happen();
    });
    await using bench = await openBench({ world, store });
    const { metadata } = await bench.makeThing(thingId(1));
    await store.update(Thing, { metadata: { ...metadata, finalizers }, spec: { colour: 'red' } });
    return (await bench.call('DELETE', url)).statusCode;
  }

  it('both succeed, as if they had come one after the other', async () => {
    expect(await overtaken(['test.unikorn-cloud.org/hold'])).toBe(202);
  });

  it('a deletion of an object that is gone meanwhile is not a conflict', async () => {
    expect(await overtaken([])).toBe(202);
  });

  it('a deletion of an object that was replaced meanwhile does not delete the new one', async () => {
    const world = virtualWorld();
    let isReplaced = false;
    const store = interpose(openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] }), async (call, happen) => {
      if (call.verb === 'delete' && !isReplaced) {
        isReplaced = true;
        await store.delete(Thing, thingId(1));
        await bench.makeThing(thingId(1));
      }
      return happen();
    });
    await using bench = await openBench({ world, store });
    await bench.makeThing(thingId(1));
    expect((await bench.call('DELETE', url)).statusCode).toBe(404);
    expect(await store.get(Thing, thingId(1))).toBeDefined();
  });
});

describe('an object behind a generation 1 path', () => {
  const routes = [
    readItemRoute({
      path: '/api/v1/organizations/{organizationID}/things/{thingID}',
      operationId: 'getOrganizationThing',
      summary: 'Read a thing',
      tags: ['Things'],
      security: 'bearer',
      params: Type.Object({ organizationID: Type.String(), thingID: Type.String() }),
      response: ThingRead,
      item: {
        kind: Thing,
        param: 'thingID',
        access: {
          order: 'check first',
          allows: (verb, { acl, params }) =>
            allowsOrganization(acl, 'test:things', verb, params['organizationID'] ?? ''),
          belongs: ({ metadata }, { params }) => metadata.labels?.[labels.organization] === params['organizationID'],
        },
        hidden: ({ spec }) => spec.colour === 'private',
      },
      present: presentThing,
    }),
  ];

  it.each([
    ['no right beats a missing object', 'foreign', 9, 403],
    ['a missing object is 404 for those who have the right', 'o1', 9, 404],
    ['an object of another organization is 404', 'o1', 2, 404],
    ['a hidden object is 404', 'o1', 3, 404],
    ['an own object is shown', 'o1', 1, 200],
  ])('%s', async (_name, organization, number, status) => {
    await using bench = await openBench({ routes });
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2), { organizationId: 'o2' });
    await bench.makeThing(thingId(3), { colour: 'private' });
    expect(
      (await bench.call('GET', `/api/v1/organizations/${organization}/things/${thingId(number)}`)).statusCode,
    ).toBe(status);
  });
});
