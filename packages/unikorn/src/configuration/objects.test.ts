import { expect, it } from 'vitest';

import { objectLimits } from '@unikorn/core/limits';

import { resolved } from './resolve.ts';

it('the numbers of objects are what the table of limits says, unless they are configured', () => {
  expect(resolved([]).configuration.objects).toEqual(objectLimits);
});
