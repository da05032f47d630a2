import { expect, it } from 'vitest';

import { base64, textOf } from './user-data-encoding.ts';

it('user data is the same after it was sent and read', () => {
  const text = '#cloud-config\nmotd: Größe 📦';
  expect(textOf(base64(text))).toBe(text);
  expect(textOf(undefined)).toBe('');
});
