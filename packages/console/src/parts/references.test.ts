import { expect, it } from 'vitest';

import { referencesIn } from './references.ts';

const id = '0b7f2a52-0000-4000-8000-000000000001';

it('a sentence that names no resource stays as it is', () => {
  expect(referencesIn('The name is taken.')).toEqual([{ text: 'The name is taken.' }]);
});

it('every resource that a sentence names becomes a reference, without its id', () => {
  expect(
    referencesIn(`network a (${id}) is in use by instance web-1 (${id}) and security group b.c (${id}): delete`),
  ).toEqual([
    { text: 'network ' },
    { text: 'a', reference: { noun: 'networks', id } },
    { text: ' is in use by instance ' },
    { text: 'web-1', reference: { noun: 'instances', id } },
    { text: ' and security group ' },
    { text: 'b.c', reference: { noun: 'security-groups', id } },
    { text: ': delete' },
  ]);
});
