import { expect, it } from 'vitest';

import { contentsOf } from './contents.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ metadata: { name } }));
const none = { instances: [], networks: [], loadBalancers: [], fileStorage: [] };

it('what goes with a project is counted and named, and kinds without any are left out', () => {
  expect(contentsOf({ ...none, instances: named('web-2', 'web-1'), networks: named('frontend') })).toEqual([
    { kind: 'instances', count: '2 instances', names: 'web-1, web-2' },
    { kind: 'networks', count: '1 network', names: 'frontend' },
  ]);
  expect(contentsOf(none)).toEqual([]);
});

it('of many only the first names are written, and all are counted', () => {
  const many = named(...Array.from({ length: 12 }, (_unused, index) => `web-${10 + index}`));
  const [found] = contentsOf({ ...none, instances: many });
  expect(found?.count).toBe('12 instances');
  expect(found?.names).toMatch(/^web-10, .*web-19, …$/);
});
