import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import { readPage } from './page.ts';
import { openBench, Thing, thingId, type Bench } from './things.fixture.ts';

async function ids(
  bench: Bench,
  url: string,
): Promise<{ readonly ids: readonly number[]; readonly next: string | undefined; readonly link: string | undefined }> {
  const response = await bench.call('GET', url);
  expect(response.statusCode).toBe(200);
  const { continue: next, link } = response.headers;
  return {
    ids: response.json<{ metadata: { id: string } }[]>().map(({ metadata }) => Number(metadata.id.slice(-12))),
    next: next === undefined ? undefined : String(next),
    link: link === undefined ? undefined : String(link),
  };
}

describe('a list in pages', () => {
  it('every traversal shows each visible object once, in full pages, whatever hidden objects are between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (hidden, limit) => {
          await using bench = await openBench();
          for (const [index, isHidden] of hidden.entries())
            await bench.makeThing(thingId(index), { colour: isHidden ? 'private' : 'red' });
          const expected = [...hidden.keys()].filter((index) => hidden[index] === false);
          const pages: (readonly number[])[] = [];
          let url: string | undefined = `/api/v2/things?limit=${limit}`;
          while (url !== undefined) {
            const page = await ids(bench, url);
            pages.push(page.ids);
            url =
              page.next === undefined
                ? undefined
                : `/api/v2/things?limit=${limit}&continue=${encodeURIComponent(page.next)}`;
          }
          expect(pages.flat()).toEqual(expected);
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('the Link header leads to the next page with the same filters', async () => {
    await using bench = await openBench();
    for (let number = 1; number <= 3; number++) await bench.makeThing(thingId(number));
    const first = await ids(bench, '/api/v2/things?limit=2&organizationID=o1');
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.link ?? '') ?? [];
    expect(next).toContain('organizationID=o1');
    const second = await ids(bench, next);
    expect([first.ids, second.ids, second.next, second.link]).toEqual([[1, 2], [3], undefined, undefined]);
  });

  it('a token never reveals the position of a hidden object', async () => {
    await using bench = await openBench();
    await bench.makeThing(thingId(1));
    await bench.makeThing(thingId(2), { colour: 'private' });
    await bench.makeThing(thingId(3));
    await bench.makeThing(thingId(4), { colour: 'private' });
    const { next = '' } = await ids(bench, '/api/v2/things?limit=2');
    const readable = next + Buffer.from(next, 'base64url').toString();
    expect(readable).not.toContain(thingId(4));
    expect(readable).not.toContain(thingId(2));
  });

  it('a token that is not one of ours is refused as a bad request', async () => {
    await using bench = await openBench();
    const response = await bench.call('GET', '/api/v2/things?limit=2&continue=nonsense');
    expect(response.statusCode).toBe(400);
  });

  it('hidden objects are skipped in large steps', async () => {
    await using bench = await openBench();
    for (let number = 0; number < 60; number++)
      await bench.makeThing(thingId(number), { colour: number < 55 ? 'private' : 'red' });
    let calls = 0;
    const counted: Pick<Store, 'list'> = {
      list: (kind, query) => {
        calls++;
        return bench.store.list(kind, query);
      },
    };
    const page = await readPage(
      { world: bench.world, store: { ...bench.store, list: counted.list } },
      Thing,
      { selector: [], visible: ({ spec }) => spec.colour === 'red' },
      1,
    );
    expect(page.items.map(({ metadata }) => metadata.name)).toEqual([thingId(55)]);
    expect(calls).toBeLessThanOrEqual(3);
    expect(limits.pageItems).toBeGreaterThan(60);
  });
});

describe('a whole list', () => {
  it('is an empty array for callers without rights, and for a query about foreign organizations', async () => {
    await using bench = await openBench();
    await bench.makeThing(thingId(1));
    expect((await bench.call('GET', '/api/v2/things', { as: 'stranger' })).json()).toEqual([]);
    expect((await bench.call('GET', '/api/v2/things?organizationID=foreign')).json()).toEqual([]);
    expect((await ids(bench, '/api/v2/things?organizationID=o1&organizationID=foreign')).ids).toEqual([1]);
  });

  it('continues beyond the size of a page', async () => {
    await using bench = await openBench();
    const many = limits.pageItems + 20;
    for (let number = 0; number < many; number++) await bench.makeThing(thingId(number));
    expect((await ids(bench, '/api/v2/things')).ids).toEqual([...Array(many).keys()]);
  });
});
