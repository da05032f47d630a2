import { expect, it } from 'vitest';

import { requestText, shellWord } from './equivalent.tsx';

it('a word of a command is quoted where a shell would split or change it', () => {
  expect(['web-1', 'a b', "it's", '', '{"a":1}'].map(shellWord)).toEqual([
    'web-1',
    "'a b'",
    `'it'\\''s'`,
    "''",
    `'{"a":1}'`,
  ]);
});

it('a request is shown with its body', () => {
  expect(requestText({ method: 'PUT', path: '/x', body: { a: 1 } })).toBe('PUT /x\n{\n  "a": 1\n}');
  expect(requestText({ method: 'DELETE', path: '/x' })).toBe('DELETE /x');
});
