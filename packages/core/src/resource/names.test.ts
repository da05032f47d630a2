import { expect, it } from 'vitest';

import { isDisplayName } from './index.ts';

it.each(['a', '9', 'My-host_1.example', 'a'.repeat(63)])('%s is a display name', (name) => {
  expect(isDisplayName(name)).toBe(true);
});

it.each(['', '-a', 'a-', '_', '.a', 'a b', 'ü', 'a/b', 'a\n', 'a'.repeat(64)])('%j is none', (name) => {
  expect(isDisplayName(name)).toBe(false);
});
