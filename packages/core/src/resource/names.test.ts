import { expect, it } from 'vitest';

import { displayNamePattern } from './index.ts';

const pattern = new RegExp(displayNamePattern);

it.each(['a', '9', 'My-host_1.example', 'a'.repeat(63)])('%s is a display name', (name) => {
  expect(name).toMatch(pattern);
});

it.each(['', '-a', 'a-', '_', '.a', 'a b', 'ü', 'a/b', 'a\n', 'a'.repeat(64)])('%j is not a display name', (name) => {
  expect(name).not.toMatch(pattern);
});
