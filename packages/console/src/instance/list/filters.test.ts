import { expect, it } from 'vitest';

import type { Instance } from '@unikorn/sdk';

import { choicesOf, matching, type Filters } from './filters.ts';

function instance(name: string, network: string, tags: readonly string[] = []): Instance {
  return {
    metadata: {
      id: `id-${name}`,
      name,
      projectId: 'p1',
      tags: tags.map((tag) => ({ name: tag.split('=')[0] ?? '', value: tag.split('=')[1] ?? '' })),
    },
    spec: { networking: { securityGroups: [`${network}-group`] }, imageId: `image-of-${name}` },
    status: { networkId: network, regionId: 'north', privateIP: '10.0.0.7' },
  } as unknown as Instance;
}

const web = instance('web-1', 'front', ['team=web', 'stage=live']);
const db = instance('db-1', 'back', ['team=data', 'stage=live']);
const all = [web, db];

it.each([
  [{}, [web, db]],
  [{ q: 'WEB' }, [web]],
  [{ q: '10.0.0.7 data' }, [db]],
  [{ q: 'web data' }, []],
  [{ network: 'back' }, [db]],
  [{ tag: 'stage=live' }, [web, db]],
  [{ tag: 'team=web', network: 'back' }, []],
  [{ tag: 'team' }, []],
  [{ group: 'back-group' }, [db]],
  [{ authority: 'a1' }, []],
  [{ image: 'image-of-web-1' }, [web]],
  [{ project: 'p2' }, []],
] satisfies readonly (readonly [Filters, readonly Instance[]])[])('%j finds what it says', (filters, found) => {
  expect(all.filter(matching(filters))).toEqual(found);
});

it('offers the values that instances have, the most frequent first, and not more than can be shown', () => {
  expect(choicesOf(all, 'tag', 10)).toEqual(['stage=live', 'team=data', 'team=web']);
  expect(choicesOf(all, 'tag', 1)).toEqual(['stage=live']);
  expect(choicesOf(all, 'network', 10)).toEqual(['back', 'front']);
});
