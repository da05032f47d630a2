import { beforeEach, describe, expect, it } from 'vitest';

import { defined } from '../../defined.ts';
import type { Resource } from '../../kinds/index.ts';
import { matching, type Selector } from '../selector.ts';
import type { ListQuery, ReadOptions, Store } from '../store.ts';
import { eventsUntil, expectProblem, names, useStore, type StoreHarness } from './harness.ts';
import { colour, team, tier, Widget, widget } from './kinds.ts';

async function allPages(
  store: Store,
  { selector = [], limit, cached }: Pick<ListQuery, 'selector' | 'cached'> & { readonly limit: number },
): Promise<Resource<Widget>[][]> {
  const pages: Resource<Widget>[][] = [];
  let token: string | undefined;
  do {
    const page = await store.list(Widget, { selector, limit, ...defined({ cached, continue: token }) });
    pages.push([...page.items]);
    token = page.continue;
  } while (token !== undefined);
  return pages;
}

export function describeLists(harness: StoreHarness): void {
  describeReads(harness, 'lists', {});
  // With several stores, one of them may not have the latest changes of another in its copy.
  if (!harness.several) describeReads(harness, 'cached lists', { cached: true });
}

function describeReads(harness: StoreHarness, title: string, options: ReadOptions): void {
  describe(title, () => {
    const current = useStore(harness);

    beforeEach(async () => {
      const { store } = current();
      const labels = [
        { [team]: 'red', [tier]: 'one', [colour]: 'green' },
        { [team]: 'red', [tier]: 'two' },
        { [team]: 'blue', [tier]: 'one', [colour]: 'white' },
        { [team]: 'grey' },
        {},
      ];
      await Promise.all(labels.map((each, index) => store.create(Widget, widget(`w${index}`, { labels: each }))));
      // The first list of a kind makes an engine fill its copy.
      await store.list(Widget, { limit: 2, ...options });
    });

    const found = async (selector: Selector) =>
      names((await current().store.list(Widget, { selector, ...options })).items);

    it('a list without a selector contains every object in order of name', async () => {
      expect(names((await current().store.list(Widget, options)).items)).toEqual(['w0', 'w1', 'w2', 'w3', 'w4']);
    });

    it.each<[string, Selector, string[]]>([
      ['an indexed label', matching({ [team]: 'red' }), ['w0', 'w1']],
      ['one of several values', matching({ [team]: ['blue', 'red', 'nobody'] }), ['w0', 'w1', 'w2']],
      ['two indexed labels', matching({ [team]: ['red', 'blue'], [tier]: 'one' }), ['w0', 'w2']],
      ['the less selective label alone', matching({ [tier]: 'one' }), ['w0', 'w2']],
      ['a label without an index', matching({ [colour]: 'white' }), ['w2']],
      ['labels with and without an index', matching({ [tier]: 'one', [colour]: 'green' }), ['w0']],
      ['no value at all', matching({ [team]: [] }), []],
      [
        'a value excluded, which objects without the label pass',
        [{ key: team, operator: 'notIn', values: ['red'] }],
        ['w2', 'w3', 'w4'],
      ],
      ['a label present', [{ key: tier, operator: 'exists' }], ['w0', 'w1', 'w2']],
      ['a label absent', [{ key: tier, operator: 'absent' }], ['w3', 'w4']],
      [
        'the same label twice',
        [...matching({ [team]: ['red', 'blue'] }), ...matching({ [team]: ['blue', 'grey'] })],
        ['w2'],
      ],
    ])('objects are found by %s', async (_, selector, expected) => {
      expect(await found(selector)).toEqual(expected);
    });

    it.each<[string, Selector, number]>([
      ['everything', [], 5],
      ['an indexed label', matching({ [team]: 'red' }), 2],
      ['one of several values', matching({ [team]: ['blue', 'red', 'nobody'] }), 3],
      ['two indexed labels', matching({ [team]: ['red', 'blue'], [tier]: 'one' }), 2],
      ['a label without an index', matching({ [colour]: 'white' }), 1],
      ['no value at all', matching({ [team]: [] }), 0],
      ['a value that no object has', matching({ [team]: 'nobody' }), 0],
      ['a value excluded', [{ key: team, operator: 'notIn', values: ['red'] }], 3],
      [
        'the same label twice',
        [...matching({ [team]: ['red', 'blue'] }), ...matching({ [team]: ['blue', 'grey'] })],
        1,
      ],
    ])('objects are counted by %s, and no further than asked', async (_, selector, expected) => {
      for (const most of [1, 2, 10])
        expect(await current().store.countUpTo(Widget, selector, most, options)).toBe(Math.min(expected, most));
    });

    it('a page ends early at a number of bytes, holds one object at least, and goes on without gap or duplicate', async () => {
      const { store } = current();
      const whole = await store.list(Widget, options);
      for (const bytes of [1, JSON.stringify(whole.items[0]).length + 1, 1_000_000]) {
        const seen: string[] = [];
        const sizes: number[] = [];
        let token: string | undefined;
        do {
          const page = await store.list(Widget, {
            limit: 4,
            bytes,
            ...options,
            ...defined({ continue: token }),
          });
          sizes.push(page.items.length);
          seen.push(...names(page.items));
          token = page.continue;
        } while (token !== undefined);
        expect(seen).toEqual(names(whole.items));
        expect(sizes[0]).toBe(bytes === 1 ? 1 : bytes === 1_000_000 ? 4 : 2);
      }
    });

    it('a page that ends early is of the objects that match', async () => {
      const page = await current().store.list(Widget, {
        selector: matching({ [colour]: 'white' }),
        bytes: 1,
        ...options,
      });
      expect(names(page.items)).toEqual(['w2']);
    });

    it('an object is found by its current labels', async () => {
      const { store } = current();
      const object = await store.get(Widget, 'w0');
      if (!object) throw new Error('it was created');
      await store.update(Widget, { ...object, metadata: { ...object.metadata, labels: { [team]: 'grey' } } });
      expect(await found(matching({ [team]: 'red' }))).toEqual(['w1']);
      expect(await found(matching({ [tier]: 'one' }))).toEqual(['w2']);
      expect(await found(matching({ [team]: 'grey' }))).toEqual(['w0', 'w3']);
      await store.delete(Widget, 'w0');
      expect(await found(matching({ [team]: 'grey' }))).toEqual(['w3']);
    });

    it.each([1, 2, 3, 5, 10])('pages of %i contain every object once, in order', async (limit) => {
      const pages = await allPages(current().store, { limit, ...options });
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(names(pages.flat())).toEqual(['w0', 'w1', 'w2', 'w3', 'w4']);
    });

    it('pages of a selection contain only objects that match', async () => {
      const pages = await allPages(current().store, {
        selector: [{ key: tier, operator: 'exists' }],
        limit: 2,
        ...options,
      });
      expect(pages.map(names)).toEqual([['w0', 'w1'], ['w2']]);
    });

    it('every page has the version of the first page, and a watch from it misses nothing', async () => {
      const { store } = current();
      const first = await store.list(Widget, { limit: 2, ...options });
      await store.create(Widget, widget('w00'));
      const rest = await store.list(Widget, { limit: 9, continue: first.continue ?? '', ...options });
      expect(rest.resourceVersion).toBe(first.resourceVersion);
      const [event] = await eventsUntil(store, Widget, { from: first.resourceVersion }, () => true);
      expect(event).toMatchObject({ type: 'added', object: { metadata: { name: 'w00' } } });
    });

    it('a garbled continue token is refused', async () => {
      await expectProblem(
        current().store.list(Widget, { limit: 2, continue: 'bm90IG91cnM', ...options }),
        'invalid_request',
      );
    });

    it('a list sees every write acknowledged before it', async () => {
      const { store } = current();
      for (let round = 0; round < 20; round++) {
        await store.create(Widget, widget(`x${round}`, { labels: { [team]: 'x' } }));
        expect(await found(matching({ [team]: 'x' }))).toHaveLength(round + 1);
      }
      for (let round = 0; round < 20; round++) {
        await store.delete(Widget, `x${round}`);
        expect(await found(matching({ [team]: 'x' }))).toHaveLength(19 - round);
      }
    });

    it('a list does not show an object that is removed with its last finalizer', async () => {
      const { store } = current();
      const finalizers = ['example.com/held'];
      await store.create(Widget, widget('held', { finalizers, labels: { [team]: 'x' } }));
      const marked = await store.delete(Widget, 'held');
      if (!marked) throw new Error('it has a finalizer');
      expect(await found(matching({ [team]: 'x' }))).toEqual(['held']);
      await store.update(Widget, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
      expect(await found(matching({ [team]: 'x' }))).toEqual([]);
    });
  });
}
