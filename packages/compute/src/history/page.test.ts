import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { HistoryEntry } from '../kinds/index.ts';
import { appended, entriesPerDay } from './page.ts';

const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;

const entry: fc.Arbitrary<HistoryEntry> = fc.record({
  time: fc.nat(59).map(time),
  type: fc.constantFrom('intent', 'transition', 'call'),
  action: fc.constantFrom('stop', 'power'),
  outcome: fc.constantFrom('done', 'failed'),
});

const count = (entries: readonly HistoryEntry[], chosen: (entry: HistoryEntry) => boolean = () => true) => entries.filter(chosen).reduce((sum, { times = 1 }) => sum + times, 0);

describe('a page of history', () => {
  it('keeps everything that happened, in its order whatever is written first, and counts what repeats itself', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), fc.nat(30), (added, first) => {
        const { entries, dropped } = appended(appended({ entries: [] }, added.slice(0, first)), added.slice(first));
        expect(dropped).toBeUndefined();
        expect(count(entries)).toBe(added.length);
        expect(count(entries, ({ type }) => type === 'intent')).toBe(entries.filter(({ type }) => type === 'intent').length);
        expect(entries.map((one) => one.time)).toEqual(entries.map((one) => one.time).toSorted());
      }),
    );
  });

  it('says when something that happened several times in a row did so last', () => {
    const call = { type: 'call', action: 'deleteServer', outcome: 'done' } as const;
    const page = [1, 2, 3].reduce<ReturnType<typeof appended>>((before, second) => appended(before, [{ ...call, time: time(second) }]), { entries: [] });
    expect(page).toEqual({ entries: [{ ...call, time: time(1), times: 3, lastTime: time(3) }] });
  });

  it('never outgrows its limit, and keeps what people asked for longest', () => {
    const flapping = Array.from({ length: 2 * entriesPerDay }, (_, index): HistoryEntry => ({ time: time(30), type: 'transition', action: 'power', outcome: String(index) }));
    const page = appended({ entries: [{ time: time(1), type: 'intent', action: 'stop', outcome: 'accepted' }] }, flapping);
    expect(page.entries).toHaveLength(entriesPerDay);
    expect(page.dropped).toBe(entriesPerDay + 1);
    expect(page.entries[0]).toMatchObject({ type: 'intent' });
    expect(page.entries.at(-1)).toMatchObject({ outcome: String(2 * entriesPerDay - 1) });
    expect(appended(page, flapping.slice(0, 1)).dropped).toBe(entriesPerDay + 2);
  });
});
