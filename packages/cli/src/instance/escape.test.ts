import { expect, it } from 'vitest';

import { escaped, escapeStart, type Escape } from './escape.ts';

function all(...inputs: readonly string[]) {
  let escape: Escape = escapeStart;
  let passed = '';
  for (const input of inputs) {
    const next = escaped(escape, input);
    passed += next.passed;
    if (next.leaves) return { passed, leaves: true };
    escape = next.escape;
  }
  return { passed, leaves: false };
}

it.each([
  ['~. at the start', ['~.'], '', true],
  ['~. after a line, key by key', ['l', 's', '\r', '~', '.'], 'ls\r', true],
  ['~. inside a line is text', ['cd ~.'], 'cd ~.', false],
  ['~~ is one tilde', ['\r~~.'], '\r~.', false],
  ['~ before another key is text', ['~/bin\r'], '~/bin\r', false],
  ['Ctrl-] everywhere', ['abc\x1ddef'], 'abc', true],
  ['Ctrl-C is for the machine', ['\x03'], '\x03', false],
])('%s', (_, inputs, passed, leaves) => {
  expect(all(...inputs)).toEqual({ passed, leaves });
});
