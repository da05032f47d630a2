import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { RawSearch } from './parts/search.ts';
import { router } from './router.tsx';
import { droppedFrom } from './shell/dropped.ts';

/** Parameters with values that a route cannot know: names, ids, texts, and values that only the data of a page tell. */
const open = new Set([
  'q',
  'id',
  'sel',
  'tag',
  'project',
  'network',
  'region',
  'group',
  'groups',
  'authority',
  'flavor',
  'image',
  'instance',
  'simulation',
  'sources',
  'from',
  'name',
  'kind',
  'chip',
]);

/** Every parameter that some page has. */
const closed = [
  'sort',
  'cols',
  'dialog',
  'status',
  'lane',
  'change',
  'back',
  'type',
  'mode',
  'step',
  'publicIP',
  'protected',
  'afterRebuild',
] as const;

const given = Object.fromEntries([...open, ...closed].map((name) => [name, 'nonsense']));

function validated(validate: unknown): RawSearch {
  return isValidator(validate) ? validate(given) : {};
}

function isValidator(value: unknown): value is (search: RawSearch) => RawSearch {
  return typeof value === 'function';
}

describe.each(Object.values(router.routesById).map(({ id, options }) => [id, options.validateSearch] as const))(
  'the address of %s',
  (_id, validate) => {
    it('drops nonsense in each parameter with a closed set of values, and names it', () => {
      const valid = validated(validate);
      expect(Object.keys(valid).filter((name) => !open.has(name))).toEqual([]);
      expect(droppedFrom(given, valid)).toEqual(expect.arrayContaining(closed.map((name) => `${name}=nonsense`)));
    });
  },
);

it('every parameter of a route is in one of the two lists', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
    .join('\n');
  const read = [...sources.matchAll(/Parameter\(search, '(\w+)'/g)].map(([, name = '']) => name);
  const known = new Set<string>([...open, ...closed]);
  expect(read.filter((name) => !known.has(name))).toEqual([]);
});
