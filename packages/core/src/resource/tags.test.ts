import { describe, expect, it } from 'vitest';

import { isReservedTag, matchesTags, parseTagSelector, rejectReservedTags, tagValue } from './index.ts';

const tags = [
  { name: 'env', value: 'prod' },
  { name: 'env', value: 'test' },
  { name: 'team', value: '' },
];

it('of duplicates the first is looked up', () => {
  expect(tagValue(tags, 'env')).toBe('prod');
  expect(tagValue(tags, 'team')).toBe('');
  expect(tagValue(tags, 'absent')).toBeUndefined();
  expect(tagValue(undefined, 'env')).toBeUndefined();
});

describe('a selector', () => {
  it('is a list of name=value', () => {
    expect(parseTagSelector([])).toEqual([]);
    expect(parseTagSelector(['env=prod', 'team='])).toEqual([
      { name: 'env', value: 'prod' },
      { name: 'team', value: '' },
    ]);
  });

  it.each(['', 'env', 'env=a=b'])('%j is refused as a bad request', (parameter) => {
    expect(() => parseTagSelector(['ok=1', parameter])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('requires every tag that it names, with the same value', () => {
    const select = (...parameters: string[]) => matchesTags(tags, parseTagSelector(parameters));
    expect(select()).toBe(true);
    expect(select('env=prod')).toBe(true);
    expect(select('env=prod', 'env=test', 'team=')).toBe(true);
    expect(select('env=prod', 'team=x')).toBe(false);
    expect(select('env=pro')).toBe(false);
    expect(select('env=*')).toBe(false);
  });

  it('matches nothing without tags, unless it is empty', () => {
    expect(matchesTags(undefined, [])).toBe(true);
    expect(matchesTags(undefined, [{ name: 'env', value: 'prod' }])).toBe(false);
  });
});

describe('reserved names', () => {
  it.each([
    'compute.unikorn-cloud.org/instance-id',
    'compute.unikorn-cloud.org:instance-id',
    'images.unikorn-cloud.org:source',
  ])('%s is reserved, and a user who writes it is refused', (name) => {
    expect(isReservedTag(name)).toBe(true);
    expect(() => {
      rejectReservedTags([...tags, { name, value: 'x' }]);
    }).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `metadata.tags: the name ${name} is reserved for the platform`,
      }),
    );
  });

  it.each([
    'env',
    'example.org/instance-id',
    'compute.unikorn-cloud.org',
    'Compute.unikorn-cloud.org/x',
    'my.compute.unikorn-cloud.org/x',
  ])('%s is free', (name) => {
    expect(isReservedTag(name)).toBe(false);
    expect(() => {
      rejectReservedTags([{ name, value: 'x' }]);
    }).not.toThrow();
  });
});
