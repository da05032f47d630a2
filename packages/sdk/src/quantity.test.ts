import { describe, expect, it } from 'vitest';

import { parseQuantity, quantityText } from './quantity.ts';

describe('quantities', () => {
  it('are shown in the largest exact unit, and can be written so', () => {
    expect(quantityText(1024 ** 4, 'binary')).toBe('1 TiB');
    expect(quantityText(1536 * 1024 ** 3, 'binary')).toBe('1536 GiB');
    expect(quantityText(0, 'binary')).toBe('0 B');
    expect(parseQuantity('2TiB')).toBe(2 * 1024 ** 4);
    expect(parseQuantity('20')).toBe(20);
  });
});
