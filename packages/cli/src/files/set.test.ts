import { expect, test } from 'vitest';

import { network } from '../nouns/network.ts';
import { sshca } from '../nouns/sshca.ts';
import { marked } from './set.ts';

const body = { metadata: { name: 'web' }, spec: {} };
const tag = (name: string, value: string) => ({ name, value });
const existing = (...tags: { readonly name: string; readonly value: string }[]) => ({
  metadata: { id: '1', name: 'web', tags },
});
const tagsOf = (made: { readonly metadata: object }) => ('tags' in made.metadata ? made.metadata.tags : undefined);

test('a resource of a set is marked, and keeps its other tags', () => {
  expect(tagsOf(marked(network, body, undefined, 'shop'))).toEqual([tag('apply-set', 'shop')]);
  expect(tagsOf(marked(network, body, existing(tag('team', 'a')), 'shop'))).toEqual([
    tag('team', 'a'),
    tag('apply-set', 'shop'),
  ]);
});

test('an apply without a set keeps the mark, and adds none', () => {
  const said = { ...body, metadata: { name: 'web', tags: [tag('team', 'a')] } };
  expect(tagsOf(marked(network, said, existing(tag('apply-set', 'shop')), undefined))).toEqual([
    tag('team', 'a'),
    tag('apply-set', 'shop'),
  ]);
  expect(marked(network, said, existing(), undefined)).toBe(said);
  expect(marked(network, body, existing(tag('apply-set', 'shop')), undefined)).toBe(body);
});

test('a resource that cannot be changed is marked only when it is created', () => {
  expect(marked(sshca, body, existing(), 'shop')).toBe(body);
  expect(tagsOf(marked(sshca, body, undefined, 'shop'))).toEqual([tag('apply-set', 'shop')]);
});
