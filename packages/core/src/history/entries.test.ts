import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bytesOf, inOrder, trimmed } from './entries.ts';
import type { HistoryEntry } from './kinds.ts';

const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;

const entry: fc.Arbitrary<HistoryEntry> = fc.record({
  time: fc.nat(59).map(time),
  type: fc.constantFrom('intent', 'transition', 'call'),
  action: fc.constantFrom('stop', 'power'),
  outcome: fc.constantFrom('done', 'failed'),
});

const count = (entries: readonly HistoryEntry[], chosen: (entry: HistoryEntry) => boolean = () => true) =>
  entries.filter(chosen).reduce((sum, { times = 1 }) => sum + times, 0);

describe('entries of a history', () => {
  it('are all kept in order of time, and repetitions are counted', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (added) => {
        const entries = inOrder(added);
        expect(count(entries)).toBe(added.length);
        expect(count(entries, ({ type }) => type === 'intent')).toBe(
          entries.filter(({ type }) => type === 'intent').length,
        );
        expect(entries.map((one) => one.time)).toEqual(entries.map((one) => one.time).toSorted());
      }),
    );
  });

  it('have the last time of a repeated event', () => {
    const call = { type: 'call', action: 'deleteServer', outcome: 'done' } as const;
    expect(inOrder([3, 1, 2].map((second) => ({ ...call, time: time(second) })))).toEqual([
      { ...call, time: time(1), times: 3, lastTime: time(3) },
    ]);
  });

  it('take no more bytes than the capacity, whatever characters they have', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const long = fc.record({
      time: fc.constant(time(1)),
      lastTime: fc.constant(time(2)),
      times: fc.constant(Number.MAX_SAFE_INTEGER),
      uid: fc.uuid(),
      traceId: fc.constant('0'.repeat(32)),
      type: fc.constant('transition' as const),
      action: text,
      outcome: text,
      actor: text,
      message: text,
      cause: text,
      changes: fc.array(fc.record({ field: text, action: text }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(long, { maxLength: 5 }), fc.nat(10_000), (added, bytes) => {
        const { entries } = trimmed(added, { entries: 5, bytes });
        expect(entries.reduce((sum, one) => sum + bytesOf(one), 0)).toBeLessThanOrEqual(bytes);
      }),
    );
  });

  it('are never more than the capacity, in number or in bytes, and requests stay longest', () => {
    const flapping = Array.from({ length: 40 }, (_, index): HistoryEntry => ({
      time: time(30),
      type: 'transition',
      action: 'power',
      outcome: String(index),
      message: 'x'.repeat(100),
    }));
    const entries: readonly HistoryEntry[] = [
      { time: time(1), type: 'intent', action: 'stop', outcome: 'accepted' },
      ...flapping,
    ];
    for (const capacity of [
      { entries: 10, bytes: Infinity },
      { entries: Infinity, bytes: 2_000 },
    ]) {
      const kept = trimmed(entries, capacity);
      expect(kept.entries.length).toBeLessThanOrEqual(capacity.entries);
      expect(Buffer.byteLength(JSON.stringify(kept.entries))).toBeLessThanOrEqual(capacity.bytes + 100);
      expect(kept.dropped).toBe(entries.length - kept.entries.length);
      expect(kept.entries[0]).toMatchObject({ type: 'intent' });
      expect(kept.entries.at(-1)).toMatchObject({ outcome: '39' });
    }
    expect(trimmed(entries, { entries: 0, bytes: 0 })).toEqual({ entries: [], dropped: 41 });
  });
});
