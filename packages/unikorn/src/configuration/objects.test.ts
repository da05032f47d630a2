import { expect, it } from 'vitest';

import { objectLimits } from '@unikorn/core/limits';

import { resolved } from './resolve.ts';

it('the limits of objects are those of the table, unless they are configured', () => {
  expect(resolved([]).configuration.objects).toEqual(objectLimits);
});
