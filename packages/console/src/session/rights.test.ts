import { expect, it } from 'vitest';

import { rightsOf } from './rights.ts';

const read = [{ name: 'compute:instances', operations: ['read' as const] }];

it('nothing is offered before the rights are known', () => {
  const rights = rightsOf(undefined);
  expect([rights.known, rights.mayAnything(), rights.may('compute:instances', 'read')]).toEqual([false, false, false]);
});

it('somebody with a right in one project has none in another', () => {
  const rights = rightsOf({ projects: [{ id: 'website', endpoints: read }] });
  expect([rights.mayAnything(), rights.mayAnything('website'), rights.mayAnything('research')]).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([{ global: read }, { organization: { id: 'acme', endpoints: read } }])(
  'rights of the platform or the organization count in every project: %j',
  (acl) => {
    expect(rightsOf(acl).mayAnything('research')).toBe(true);
  },
);

it('an access list without permissions opens nothing', () => {
  expect(rightsOf({ organization: { id: 'acme', endpoints: [] }, projects: [] }).mayAnything()).toBe(false);
});
