import { describe, expect, it } from 'vitest';

import { lastLines, newOutput } from './console-output.ts';

describe('what is new on a console', () => {
  it.each<[string, string, string, string]>([
    ['is what was added, also to a line that was not over', 'a\nlog', 'a\nlogin: \nb', 'in: \nb'],
    ['is nothing when nothing was written', 'a\nb', 'a\nb', ''],
    ['comes after what is still there of the rest', 'a\nb\nc', 'b\nc\nd\ne', '\nd\ne'],
    ['is everything after a reboot', 'a\nb', 'x\ny', '\nx\ny'],
    ['is everything when there was nothing', '', 'a\nb', 'a\nb'],
  ])('%s', (_name, before, after, told) => {
    expect(newOutput(before, after)).toBe(told);
  });

  it('starts with as many lines as were asked for', () => {
    expect(lastLines('a\nb\nc\n', 2)).toBe('b\nc');
    expect(lastLines('a', 2)).toBe('a');
  });
});
