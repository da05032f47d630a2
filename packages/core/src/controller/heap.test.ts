import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Heap } from './heap.ts';

describe('Heap', () => {
  it('returns items in order, whatever was added and removed', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ value: fc.integer(), stays: fc.boolean() })), (wanted) => {
        const heap = new Heap<{ value: number; stays: boolean; position: number }>((a, b) => a.value < b.value);
        const items = wanted.map((item) => ({ ...item, position: 0 }));
        for (const item of items) heap.push(item);
        for (const item of items) if (!item.stays) heap.remove(item);
        const out: number[] = [];
        for (let item = heap.pop(); item; item = heap.pop()) out.push(item.value);
        expect(out).toEqual(
          items
            .filter(({ stays }) => stays)
            .map(({ value }) => value)
            .sort((a, b) => a - b),
        );
      }),
    );
  });
});
