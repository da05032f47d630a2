import { describe, expect, it } from 'vitest';

import { isOtherData } from './index.ts';

describe('user data', () => {
  it.each([
    [undefined, undefined, false],
    [undefined, '', false],
    ['YQ==', 'YQ==', false],
    ['YQ==', undefined, true],
    ['YQ==', 'Yg==', true],
  ])('%o and %o are other data: %o', (before, after, other) => {
    expect(isOtherData(before, after)).toBe(other);
  });
});
