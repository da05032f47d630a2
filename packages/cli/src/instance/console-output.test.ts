import { describe, expect, it } from 'vitest';

import { lastLines, newOutput } from './console-output.ts';

describe('the new part of a console output', () => {
  it.each<[string, string, string, string]>([
    ['is the added text, also in an incomplete line', 'a\nlog', 'a\nlogin: \nb', 'in: \nb'],
    ['is empty if nothing was written', 'a\nb', 'a\nb', ''],
    ['comes after the part that is still there', 'a\nb\nc', 'b\nc\nd\ne', '\nd\ne'],
    ['is everything after a reboot', 'a\nb', 'x\ny', '\nx\ny'],
    ['is everything if there was nothing', '', 'a\nb', 'a\nb'],
  ])('%s', (_name, before, after, told) => {
    expect(newOutput(before, after)).toBe(told);
  });

  it('starts with the requested number of lines', () => {
    expect(lastLines('a\nb\nc\n', 2)).toBe('b\nc');
    expect(lastLines('a', 2)).toBe('a');
  });
});
