import { expect, it } from 'vitest';

import { contentsOf } from './contents.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ metadata: { name } }));
const none = { instances: [], networks: [], loadBalancers: [], fileStorage: [] };

it('what goes with a project is counted and named, and kinds without any are left out', () => {
  expect(contentsOf({ ...none, instances: named('web-2', 'web-1'), networks: named('frontend') })).toEqual([
    '2 instances: web-1, web-2',
    '1 network: frontend',
  ]);
  expect(contentsOf(none)).toEqual([]);
});

it('of many only the first names are written, and all are counted', () => {
  const many = named(...Array.from({ length: 12 }, (_unused, index) => `web-${10 + index}`));
  expect(contentsOf({ ...none, instances: many })[0]).toMatch(/^12 instances: web-10, .*web-19, …$/);
});
