import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';

import { renderTable } from './table.ts';

describe('a table', () => {
  it('aligns its columns by visible width', () => {
    const text = renderTable(
      ['NAME', 'STATUS', 'AGE'],
      [
        ['web', '\u001b[32mready\u001b[39m', '5m'],
        ['日本', 'x', ''],
      ],
    );
    expect(text).toBe('NAME   STATUS   AGE\nweb    \u001b[32mready\u001b[39m    5m\n日本   x\n');
  });

  const long = 'a-name-that-is-much-longer-than-it-should-be';

  it.each([20, 40, 60, 80, 120])('is never wider than a terminal of %i columns', (width) => {
    const text = renderTable(
      ['NAME', { header: 'ID', exact: true }, 'ADDRESS', { header: 'WHY', flows: true }],
      [[long, '0a9f5f3e-6f3c-4b57-9b0f-0c1d2e3f4a5b', '198.18.122.165', 'the cloud has no room for another machine']],
      { width },
    );
    for (const line of text.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  it('leaves out the columns with the lowest rank first, then the rightmost ones', () => {
    const columns = ['NAME', { header: 'HEALTH', rank: 10 }, 'POWER', 'NETWORK'];
    const headers = (width: number) => renderTable(columns, [['w', 'h', 'p', 'n']], { width }).split('\n')[0];
    expect(headers(29)).toBe('NAME  HEALTH  POWER  NETWORK');
    expect(headers(27)).toBe('NAME  POWER  NETWORK');
    expect(headers(19)).toBe('NAME  POWER');
    expect(headers(3)).toBe('NA…');
  });

  it('shortens a long text, and keeps its colour', () => {
    const red = (text: string) => `<${text}>`;
    expect(renderTable(['NAME', 'STATE'], [[{ text: long, paint: red }, 'ready']], { width: 40 })).toBe(
      `NAME                               STATE\n<${long.slice(0, 32)}…>  ready\n`,
    );
  });

  it('continues a sentence on the next line', () => {
    expect(
      renderTable(['NAME', { header: 'WHY', flows: true }], [['web', 'the cloud has no room']], { width: 22 }),
    ).toBe('NAME  WHY\nweb   the cloud has no\n      room\n');
  });

  it('can omit its headers', () => {
    expect(renderTable(['A-LONG-HEADER', 'B'], [['a', 'b']], { withoutHeaders: true })).toBe('a   b\n');
  });
});
