import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { Feed, type FeedChange, type Wake } from './feed.ts';

const object: Resource = {
  apiVersion: 'x/v1',
  kind: 'X',
  metadata: { name: 'x', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '' },
  spec: {},
};
const change = (version: number, bytes = 1): FeedChange => ({ version, type: 'modified', object, bytes });

describe('the feed', () => {
  it('keeps at most a quarter more than its capacity, and answers exactly for the changes that it keeps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
        fc.integer({ min: 1, max: 10 }),
        (kinds, capacity) => {
          const feed = new Feed({ head: 1, capacity });
          for (const [index, kind] of kinds.entries()) feed.announce(kind, change(index + 2));
          for (let version = 1; version <= feed.head; version++) {
            const expected = kinds.flatMap((kind, index) => (kind === 'a' && index + 2 > version ? [index + 2] : []));
            const known = feed.after('a', version);
            if (known) expect(known.map((each) => each.version)).toEqual(expected);
            else expect(feed.head - version).toBeGreaterThan(capacity - 1);
          }
        },
      ),
    );
  });

  it('keeps at most a quarter more text than its capacity, of however few changes, and always the last change', () => {
    const capacity_bytes = 100;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: capacity_bytes }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const feed = new Feed({ head: 1, capacity: 1_000, capacity_bytes });
        for (const [index, bytes] of sizes.entries()) {
          feed.announce('a', change(index + 2, bytes));
          const oldest =
            Array.from({ length: feed.head }, (_, version) => version + 1).find((version) =>
              feed.after('a', version),
            ) ?? 0;
          const kept = sizes.slice(oldest - 1, index + 1);
          expect(kept.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(capacity_bytes * 1.25);
          expect(kept.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('returns at most a page, by number and by length, and at least one change', () => {
    const feed = new Feed({ head: 1, capacity: 10_000 });
    for (let version = 2; version < 1_000; version++) feed.announce('a', change(version));
    for (let version = 1_000; version < 1_010; version++)
      feed.announce('a', change(version, limits.watchPageBytes * 0.4));
    for (let version = 1_010; version < 1_020; version++)
      feed.announce('a', change(version, limits.watchPageBytes * 2));
    const after = (version: number) => feed.after('a', version)?.map((each) => each.version);
    expect(after(5)).toEqual(Array.from({ length: limits.pageItems }, (_, index) => index + 6));
    expect(after(1_000)).toEqual([1_001, 1_002]);
    expect(after(1_015)).toEqual([1_016]);
  });

  it('wakes the readers of the kind once, and no other readers', () => {
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
