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
});
