import { expect, it } from 'vitest';

import { lineOf } from './sparkline.tsx';

it('values end at the right edge, and the highest one is at the top', () => {
  expect(lineOf([0, 5, 10], 3)).toBe('M0.0 23.0L60.0 12.5L120.0 2.0');
  expect(lineOf([0, 1], 3)).toBe('M60.0 23.0L120.0 2.0');
  expect(lineOf([], 3)).toBe('');
});
