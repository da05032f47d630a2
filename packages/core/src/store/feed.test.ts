import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Resource } from '../kinds/index.ts';
import { Feed, type FeedChange, type Wake } from './feed.ts';

const object: Resource = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '' }, spec: {} };
const change = (version: number): FeedChange => ({ version, type: 'modified', object });

describe('the feed', () => {
  it('remembers no more than a quarter over its capacity, and answers for exactly what it remembers', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }), fc.integer({ min: 1, max: 10 }), (kinds, capacity) => {
        const feed = new Feed({ head: 1, capacity });
        for (const [index, kind] of kinds.entries()) feed.announce(kind, change(index + 2));
        for (let version = 1; version <= feed.head; version++) {
          const expected = kinds.flatMap((kind, index) => (kind === 'a' && index + 2 > version ? [index + 2] : []));
          const known = feed.after('a', version, Infinity);
          if (known) expect(known.map((each) => each.version)).toEqual(expected);
          else expect(feed.head - version).toBeGreaterThan(capacity - 1);
        }
      }),
    );
  });

  it('hands out no more than asked for', () => {
    const feed = new Feed({ head: 1, capacity: 100 });
    for (let version = 2; version < 20; version++) feed.announce('a', change(version));
    expect(feed.after('a', 5, 3)?.map(({ version }) => version)).toEqual([6, 7, 8]);
  });

  it('wakes those who wait for the kind, once, and nobody else', () => {
    const feed = new Feed({ head: 1, capacity: 100 });
    const woken: (readonly [string, Wake])[] = [];
    feed.next('a', (wake) => woken.push(['a', wake]));
    feed.next('b', (wake) => woken.push(['b', wake]));
    feed.next('a', (wake) => woken.push(['cancelled', wake]))();
    feed.announce('c', change(2));
    feed.announce('a', change(3));
    feed.announce('a', change(4));
    expect(woken).toEqual([['a', { reason: 'change', head: 2 }]]);
    feed.bookmark();
    expect(woken.slice(1)).toEqual([['b', { reason: 'bookmark', head: 4 }]]);
  });
});
