import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { explanationOf, explanationSchema, storedNode } from '../explain/index.ts';
import { labels } from '../resource/index.ts';
import { explainItemRoute } from './index.ts';
import { openBench, openStream, Thing, thingId, thingItem, thingRoutes, type Bench } from './things.fixture.ts';

/** A thing depends on the thing whose name is its colour. */
const explainThing = explainItemRoute({
  tags: ['Things'],
  security: 'bearer',
  path: '/api/v2/things/{thingID}/explain',
  operationId: 'explainThing',
  summary: 'Say why a thing is as it is',
  params: Type.Object({ thingID: Type.String({ format: 'uuid' }) }),
  response: explanationSchema('explanation', ['base', 'thing']),
  item: thingItem,
  explain: async ({ runtime: { store } }, thing) => {
    const common = { of: Thing, readable: true, remedies: {} } as const;
    const base = await store.get(Thing, thing.spec.colour);
    return explanationOf<'base' | 'thing'>({
      nodes: [
        storedNode<'base' | 'thing'>({ ...common, kind: 'base', id: thing.spec.colour, object: base }),
        storedNode<'base' | 'thing'>({ ...common, kind: 'thing', id: thing.metadata.name, object: thing }),
      ],
      graph: [
        { kind: 'base', dependsOn: [] },
        { kind: 'thing', dependsOn: ['base'] },
      ],
      own: ['base', 'thing'],
      whenReady: 'the thing is ready',
    });
  },
});

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ routes: [...thingRoutes, explainThing] });
  await bench.makeThing(thingId(1), { colour: 'red' });
});
afterEach(() => bench[Symbol.asyncDispose]());

const path = `/api/v2/things/${thingId(1)}/explain`;

describe('the explanation of an object', () => {
  it('is given to callers who may read the object', async () => {
    const statuses = ['member', 'reader', 'bystander', 'stranger'].map(
      async (as) => (await bench.call('GET', path, { as })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 404]);
    expect((await bench.call('GET', `/api/v2/things/${thingId(9)}/explain`)).statusCode).toBe(404);
  });

  it('contains its dependencies and remedies', async () => {
    expect((await bench.call('GET', path)).json()).toMatchObject({
      ready: false,
      summary: 'base red: it does not exist',
      nodes: [
        { kind: 'base', id: 'red', state: 'missing', unblockedBy: 'create it again', dependsOn: [] },
        { kind: 'thing', id: thingId(1), state: 'ready', dependsOn: [{ kind: 'base', id: 'red' }] },
      ],
    });
  });
});

describe('the stream of an explanation', () => {
  const summaries = (stream: Awaited<ReturnType<typeof openStream>>) =>
    stream.events.map(({ event, data }) => [event, (data as { summary?: string }).summary]);

  it('begins with the explanation, and sends it again when something that it depends on changes', async () => {
    const stream = await openStream(bench, path);
    await stream.has('synced');
    await bench.makeThing('red');
    await bench.world.advance(6_000);
    await stream.has('modified');
    expect(summaries(stream)).toEqual([
      ['added', 'base red: it does not exist'],
      ['synced', undefined],
      ['modified', 'the thing is ready'],
    ]);
    stream.close();
  });

  it('sends heartbeats instead of unchanged explanations', async () => {
    const stream = await openStream(bench, path);
    await stream.has('synced');
    await bench.world.advance(40_000);
    await stream.has('bookmark', 2);
    expect(stream.events.filter(({ event }) => event === 'modified')).toEqual([]);
    stream.close();
  });

  it('sees a change of the object itself at once', async () => {
    const stream = await openStream(bench, path);
    await stream.has('synced');
    const thing = await bench.store.get(Thing, thingId(1));
    if (thing)
      await bench.store.update(Thing, {
        metadata: { ...thing.metadata, labels: { ...thing.metadata.labels, [labels.name]: 'renamed' } },
        spec: thing.spec,
      });
    await bench.world.advance(600);
    await stream.has('modified');
    expect(JSON.stringify(stream.events.at(-1)?.data)).toContain('renamed');
    stream.close();
  });

  it('ends with its object', async () => {
    const stream = await openStream(bench, path);
    await stream.has('synced');
    await bench.store.delete(Thing, thingId(1));
    await bench.world.advance(600);
    await stream.has('deleted');
    expect(stream.events.at(-1)?.data).toEqual({ metadata: { id: thingId(1) } });
  });

  it('ends when its caller may no longer read the object', async () => {
    const stream = await openStream(bench, path);
    await stream.has('synced');
    bench.authenticator.grants.set('member', { acl: { organizations: [{ id: 'o1' }] } });
    await bench.world.advance(66_000);
    await stream.has('deleted');
  });
});
