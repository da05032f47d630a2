import { expect, it } from 'vitest';

import { typeable } from './hints.ts';

it('a hint has the flags of the place that was typed, except for the one that it is about', () => {
  const options = { project: 'shop', organization: 'demo' };
  expect(typeable('list the existing ones: unikorn network list', {}, options)).toBe(
    'list the existing ones: unikorn network list --organization demo --project shop',
  );
  expect(typeable('list the existing ones: unikorn project list', {}, options)).toBe(
    'list the existing ones: unikorn project list --organization demo',
  );
});
