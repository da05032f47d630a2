import { expect, it } from 'vitest';

import { askedWords, firstPages, nearestFirst, type FoundResource } from './palette-resources.ts';

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

it('the services search for the longest words, each once', () => {
  expect(askedWords('  Web ')).toEqual(['web']);
  expect(askedWords('a web of Research web')).toEqual(['research', 'web']);
  expect(askedWords('a ')).toEqual([]);
  expect(askedWords('x'.repeat(300))).toEqual(['x'.repeat(256)]);
});

it('a list is read up to the last page that the palette takes, and a search only once', async () => {
  const asked: object[] = [];
  const read = (query: { readonly limit: number; readonly continue?: string; readonly search?: string }) => {
    asked.push(query);
    const next = Number(query.continue ?? 0) + 1;
    return Promise.resolve({ data: [next], response: new Response('', { headers: { continue: String(next) } }) });
  };
  expect(await firstPages(read, {})).toEqual({ items: [1, 2, 3, 4], isPart: true });
  expect(asked).toHaveLength(4);
  asked.length = 0;
  expect(await firstPages(read, { search: 'web' })).toEqual({ items: [1], isPart: true });
  expect(asked).toEqual([{ limit: 500, search: 'web' }]);
});
