import { expect, it } from 'vitest';

import { nearestFirst, type FoundResource } from './palette-resources.ts';

const found = (id: string, organizationId: string, projectId: string): FoundResource => ({
  ...{ id, organizationId, projectId, name: id, addresses: [] },
  icon: 'instances',
  page: `/${id}`,
});

it('the resources of the project come first, then those of its organization, each once', () => {
  const [far, near, here, also] = [
    found('far', 'b', 'z'),
    found('near', 'a', 'y'),
    found('here', 'a', 'x'),
    found('also', 'a', 'x'),
  ];
  expect(nearestFirst([far, near, here, far, also, near], { organization: 'a', project: 'x' })).toEqual([
    here,
    also,
    near,
    far,
  ]);
});
