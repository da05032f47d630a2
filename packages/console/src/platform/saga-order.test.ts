import { expect, it } from 'vitest';

import { serviceOf } from './saga-order.ts';

it('the service is the first word of the name', () => {
  expect(serviceOf({ name: 'region.network.create' })).toBe('region');
});
