import { expect, it } from 'vitest';

import { roundedBytes } from './rounded-bytes.ts';

it.each([
  [0, '0 B'],
  [1_023, '1,023 B'],
  [310_192, '302.9 KiB'],
  [5 * 1024 ** 3, '5 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(roundedBytes(bytes)).toBe(text);
});
