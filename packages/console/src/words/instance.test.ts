import { expect, it } from 'vitest';

import { instanceWords } from './instance.ts';

it('one and many are written as English has them', () => {
  expect([instanceWords.form.misfits(1), instanceWords.form.misfits(2)]).toEqual([
    '1 image does not fit this flavor',
    '2 images do not fit this flavor',
  ]);
  expect(instanceWords.bulk.title('Delete', 1)).toBe('Delete: 1 instance');
});
