import { expect, it } from 'vitest';

import { commonReason } from './actions.ts';

it('an action on several objects is refused only if it is refused for each of them', () => {
  expect(commonReason(['it is running', undefined])).toBeUndefined();
  expect(commonReason(['it is running', 'it is running'])).toBe('it is running');
  expect(commonReason(['it is running', 'it is being deleted'])).toBe('it is running; it is being deleted');
  expect(commonReason([])).toBeUndefined();
});
