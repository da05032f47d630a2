import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fieldLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import { openBench, openStream, Thing, thingId, type Bench } from './things.fixture.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await named(1, 'Web-1');
  await named(2, 'database');
  await named(3, 'old-web');
  await named(4, 'web-foreign', 'foreign');
});
afterEach(() => bench[Symbol.asyncDispose]());

async function named(number: number, name: string, organizationId = 'o1'): Promise<void> {
  await bench.makeThing(thingId(number), { organizationId });
  await rename(number, name);
}

async function rename(number: number, name: string): Promise<void> {
  const object = await bench.store.get(Thing, thingId(number));
  if (!object) throw new Error(`there is no thing ${number}`);
  const { metadata, spec } = object;
  await bench.store.update(Thing, {
    metadata: { ...metadata, labels: { ...metadata.labels, [labels.name]: name } },
    spec,
  });
}

async function found(query: string): Promise<readonly number[]> {
  const response = await bench.call('GET', `/api/v2/things?${query}`);
  expect(response.statusCode).toBe(200);
  return response.json<{ metadata: { id: string } }[]>().map(({ metadata }) => Number(metadata.id.slice(-12)));
}

describe('the search of a list', () => {
  it.each([
    ['a part of the name, whatever its case', 'wEB', [1, 3]],
    ['an id', thingId(2).toUpperCase(), [2]],
    ['the beginning of ids', thingId(2).slice(0, 8), [1, 2, 3]],
    ['no other part of an id', thingId(2).slice(-8), []],
    ['nothing that is there', 'webs', []],
    ['an empty text', '', [1, 2, 3]],
    ['a text with signs of patterns', '.*', []],
  ])('finds %s', async (_case, text, numbers) => {
    expect(await found(`search=${encodeURIComponent(text)}`)).toEqual(numbers);
  });

  it('finds nothing of others, and is combined with the other filters', async () => {
    expect(await found('search=web&organizationID=foreign')).toEqual([]);
    expect(await found('search=web&organizationID=o1')).toEqual([1, 3]);
  });

  it('is read in full pages, and the link to the next one has it', async () => {
    const first = await bench.call('GET', '/api/v2/things?search=web&limit=1');
    expect(first.json()).toMatchObject([{ metadata: { name: 'Web-1' } }]);
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(first.headers['link'])) ?? [];
    const second = await bench.call('GET', next);
    expect(second.json()).toMatchObject([{ metadata: { name: 'old-web' } }]);
    expect(second.headers).not.toHaveProperty('continue');
  });

  it('is refused with the body of the contract if it is too long', async () => {
    expect(await found(`search=${'x'.repeat(fieldLimits.search)}`)).toEqual([]);
    const response = await bench.call('GET', `/api/v2/things?search=${'x'.repeat(fieldLimits.search + 1)}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('search') as string,
    });
  });

  it('limits a stream too: an object comes and goes with its name', async () => {
    const stream = await openStream(bench, '/api/v2/things?search=web');
    await stream.has('synced');
    await rename(2, 'web-2');
    await rename(1, 'api-1');
    await stream.has('deleted');
    const told = stream.events.map(({ event, data }) => {
      const id = (data as { metadata?: { id: string } }).metadata?.id;
      return id === undefined ? event : `${event} ${Number(id.slice(-12))}`;
    });
    expect(told).toEqual(['added 1', 'added 3', 'synced', 'added 2', 'deleted 1']);
    stream.close();
  });
});
