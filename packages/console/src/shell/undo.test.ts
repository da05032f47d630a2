import { expect, it } from 'vitest';

import { restoreAll } from './undo.ts';

it('each change is taken back; what another user changed, and what is refused, stays and is named', async () => {
  const refusal = new Error('the instance is being deleted');
  const kept = await restoreAll([
    { name: 'web-1', restore: () => Promise.resolve(true) },
    { name: 'web-2', restore: () => Promise.resolve(false) },
    { name: 'web-3', restore: () => Promise.reject(refusal) },
  ]);
  expect(kept).toEqual([{ name: 'web-2' }, { name: 'web-3', error: refusal }]);
});
